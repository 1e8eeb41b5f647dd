/** From a text to its compiled flow: found, or made and kept; loaded, compared and put into the model.
 */
#include "base.h"
#include "environment.h"
#include "integrate.h"
#include "native_parts.h"
#include "plain_file.h"
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SUM = SAL_NATIVE_KEY - 1 /* digits at the end of a file that is kept */ };

sal_native_request sal_native_request_of(int lanes, bool timed)
{
  sal_native_request r = {.points = lanes > 1 && !timed};

  for (int i = 0; i < SAL_NATIVE_WIDTHS; ++i)
    r.width[i] = sal_native_lanes[i] == 1 || sal_native_lanes[i] == lanes;
  return r;
}

void sal_native_free(sal_native_image *image)
{
  sal_free(image->bytes);
  *image = (sal_native_image){0};
}

static int64_t operations_of(const sal_program *program)
{
  int64_t n = 0;

  for (const sal_instruction *i = program->code; i && i->op != SAL_PROGRAM_end; ++i) ++n;
  return n;
}

double sal_native_seconds(const sal_equation_model *model)
{
  const double fixed = 2, operation = 6e-4; /* as gcc takes, steps of pairs included */
  const sal_flow_programs *f = sal_equation_model_programs(model);
  int64_t n = operations_of(&f->rhs) + operations_of(&f->by_time) + operations_of(&f->guard);

  for (int i = 0; i < f->n_jac; ++i) n += operations_of(&f->jac[i]);
  for (int k = 0; k < f->n_guard; ++k) n += operations_of(&f->jump[k].program);
  return fixed + operation * (double)n;
}

static void name_of(const char *key, char name[SAL_NATIVE_KEY + 8])
{
  snprintf(name, SAL_NATIVE_KEY + 8, "%s.so", key);
}

/* A file that is kept ends with the sum of the bytes before. */
static bool is_whole(const char *bytes, size_t n)
{
  char sum[SAL_NATIVE_KEY];

  if (n <= SUM) return false;
  sal_native_image_sum(bytes, n - SUM, sum);
  return memcmp(sum, bytes + n - SUM, SUM) == 0;
}

static sal_err find_kept(const char *folder, sal_native_image *image)
{
  char name[SAL_NATIVE_KEY + 8];

  name_of(image->key, name);
  SAL_TRY(sal_native_folder_read(folder, name, &image->bytes, &image->n));
  if (!image->bytes) return SAL_OK;
  if (is_whole(image->bytes, image->n)) {
    image->n -= SUM;
    return SAL_OK;
  }
  snprintf(image->note, sizeof image->note, "%.200s/%s is damaged", folder, name);
  sal_free(image->bytes);
  image->bytes = NULL;
  image->n = 0;
  return SAL_OK;
}

static sal_err compile(const char *compiler, const sal_native_request *request, const char *work,
                       const char *key)
{
  SAL_OWN sal_native_command *command = sal_alloc(SAL_NATIVE_WIDTHS, sizeof *command);
  int n = 0;

  if (!command) return sal_fail(SAL_ERR_MEMORY, "out of memory");
  for (int i = 0; i < SAL_NATIVE_WIDTHS; ++i)
    if (request->width[i])
      sal_native_source_compile(compiler, request, i, work, key, &command[n++]);
  SAL_TRY(sal_native_compiler_run(n, command, work,
                                  sal_environment_number(SAL_ENVIRONMENT_CC_SECONDS)));
  sal_native_source_link(compiler, request, work, command);
  return sal_native_compiler_run(1, command, work,
                                 sal_environment_number(SAL_ENVIRONMENT_CC_SECONDS));
}

static sal_err check_key(void *handle, const sal_native_image *image)
{
  const char *key = dlsym(handle, "saltus_key");

  return key && memcmp(key, image->key, SAL_NATIVE_KEY) == 0
             ? SAL_OK
             : sal_fail(SAL_ERR_INPUT, "the compiled file belongs to another model");
}

/* Loads a shared object whose bytes have been verified, from memory: what is loaded are these very bytes. */
static sal_err load_image(const sal_native_image *image, void **handle)
{
  char path[64];
  const int file = memfd_create("saltus", MFD_CLOEXEC);

  *handle = NULL;
  if (file < 0) return sal_fail(SAL_ERR_IO, "no memory for a file: %s", strerror(errno));
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (sal_plain_file_write(file, -1, image->bytes, image->n))
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  /* A file that is loaded stays open: the loader identifies objects by their path, which no other one may have. */
  if (*handle) return SAL_OK;
  const char *why = dlerror();
  const sal_err err = sal_fail(SAL_ERR_INPUT, "the compiled file cannot be loaded: %s",
                               why ? why : strerror(errno));
  close(file);
  return err;
}

/* An image that cannot be loaded is not kept: the next run would fail, too. */
static sal_err try_to_load(const sal_native_image *image)
{
  void *handle;

  SAL_TRY(load_image(image, &handle));
  const sal_err err = check_key(handle, image);
  dlclose(handle);
  return err;
}

/* Puts the compiler's output, with its sum, into the folder of images under its name. */
static sal_err keep(const char *folder, const char *work, sal_native_image *image)
{
  char name[SAL_NATIVE_KEY + 8], sum[SAL_NATIVE_KEY];
  SAL_OWN char *whole = NULL;

  SAL_TRY(sal_native_folder_read(work, "text.so", &image->bytes, &image->n));
  if (!image->bytes || image->n == 0)
    return sal_fail(SAL_ERR_IO, "the compiler ended well and wrote nothing");
  SAL_TRY(try_to_load(image));
  whole = sal_alloc(image->n + SUM, 1);
  if (!whole) return sal_fail(SAL_ERR_MEMORY, "out of memory");
  memcpy(whole, image->bytes, image->n);
  sal_native_image_sum(image->bytes, image->n, sum);
  memcpy(whole + image->n, sum, SUM);
  name_of(image->key, name);
  SAL_TRY(sal_native_folder_write(work, name, whole, image->n + SUM));
  return sal_native_folder_keep(folder, work, name);
}

static sal_err make_new(const char *folder, const char *compiler, const sal_native_request *request,
                        const sal_text *source, sal_native_image *image)
{
  SAL_OWN_BY(sal_own_folder_close) sal_own_folder work = {.lock = -1};

  SAL_TRY(sal_own_folder_open(folder, "saltus-build.", &work));
  SAL_TRY(sal_native_source_put(source, work.path));
  SAL_TRY(compile(compiler, request, work.path, image->key));
  image->made = true;
  return keep(folder, work.path, image);
}

static sal_err find_or_make(const sal_text *source, const sal_native_request *request,
                            sal_native_image *image)
{
  char folder[PATH_MAX], compiler[PATH_MAX];

  memcpy(image->width, request->width, sizeof image->width);
  SAL_TRY(sal_native_folder_find(!request->kept, folder));
  SAL_TRY(sal_native_compiler_find(compiler));
  SAL_TRY(sal_native_source_key(source, request, compiler, image->key));
  SAL_TRY(find_kept(folder, image));
  if (image->bytes || request->kept) return SAL_OK;
  return make_new(folder, compiler, request, source, image);
}

sal_err sal_native_make(const sal_equation_model *model, const sal_native_request *request,
                        sal_native_image *image)
{
  SAL_OWN_BY(sal_text_free) sal_text source = {0};

  *image = (sal_native_image){0};
  if (sal_equation_model_programs(model)->scalar.rhs)
    return sal_fail(SAL_ERR_USAGE, "accelerations are solved for at run time");
  SAL_TRY(sal_native_source_write(model, &source));
  const sal_err err = find_or_make(&source, request, image);
  if (err != SAL_OK) sal_native_free(image);
  return err;
}

sal_err sal_native_make_model(const char *path, const char *text, sal_native_image *image)
{
  const sal_native_request request = {.width = {true, SAL_WIDEST >= 4, SAL_WIDEST == 8}};
  SAL_OWN_BY(sal_text_free) sal_text source = {0};

  *image = (sal_native_image){0};
  SAL_TRY(sal_native_source_write_model(path, text, &source));
  const sal_err err = find_or_make(&source, &request, image);
  if (err != SAL_OK) sal_native_free(image);
  return err;
}

/* The flow of a width, from an object whose key has been checked. */
static sal_err find_flow(void *handle, int lanes, const void **flow)
{
  char name[32];

  snprintf(name, sizeof name, "saltus_flow_w%d", lanes);
  const void *const *at = dlsym(handle, name);
  if (!at || !*at)
    return sal_fail(SAL_ERR_INPUT, "the compiled file has no flow for %d lane%s", lanes,
                    lanes > 1 ? "s" : "");
  *flow = *at;
  return SAL_OK;
}

static sal_err find_flows(void *handle, const sal_native_image *image, const void *flow[])
{
  SAL_TRY(check_key(handle, image));
  for (int i = 0; i < SAL_NATIVE_WIDTHS; ++i)
    if (image->width[i]) SAL_TRY(find_flow(handle, sal_native_lanes[i], &flow[i]));
  return SAL_OK;
}

sal_err sal_native_take(const sal_native_image *image, sal_equation_model *model)
{
  const void *flow[SAL_NATIVE_WIDTHS] = {NULL};
  const sal_model *own = sal_equation_model_get(model);
  sal_model other = *own;
  void *handle;

  for (int i = 0; i < SAL_NATIVE_WIDTHS; ++i)
    if (image->width[i] && sal_native_lanes[i] > sal_integrate_widest())
      return sal_fail(SAL_ERR_INPUT, "it is for %d lanes, and this CPU has %d", sal_native_lanes[i],
                      sal_integrate_widest());
  SAL_TRY(load_image(image, &handle));
  SAL_TRY(find_flows(handle, image, flow));
  if (flow[0]) other.w1 = flow[0];
  if (flow[1]) other.w4 = flow[1];
  if (flow[2]) other.w8 = flow[2];
  SAL_TRY(sal_native_compare(own, &other, image->width));
  sal_equation_model_put_flows(model, flow[0], flow[1], flow[2]);
  return SAL_OK;
}

sal_err sal_native_take_model(const sal_native_image *image, const sal_model **model)
{
  void *handle;

  *model = NULL;
  SAL_TRY(load_image(image, &handle));
  SAL_TRY(check_key(handle, image));
  const sal_model *const *at = dlsym(handle, "saltus_model");
  if (!at || !*at) return sal_fail(SAL_ERR_INPUT, "the compiled file has no model");
  *model = *at;
  return SAL_OK;
}
