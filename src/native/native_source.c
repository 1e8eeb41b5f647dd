/** The C of a model, and the command lines that make a shared object of it. */
#include "base.h"
#include "c_source.h"
#include "integrate.h"
#include "native_flags.h"
#include "native_parts.h"
#include <ctype.h>
#include <stdarg.h>
#include <sys/stat.h>

const int sal_native_lanes[SAL_NATIVE_WIDTHS] = {1, 4, 8};
static const char *const architecture[SAL_NATIVE_WIDTHS] = {SAL_NATIVE_ARCHITECTURES};
/* Warnings are those of our own build; -g0: what is loaded from memory is not debugged. */
static const char *const flags[] = {SAL_NATIVE_FLAGS, "-fPIC", "-fvisibility=hidden", "-g0", "-w"};
enum { N_FLAG = sizeof flags / sizeof *flags };

/* Symbols for the loader; SALTUS_KEY is defined by the command line. */
#define SHOWN "__attribute__((visibility(\"default\"))) const "
static const char flow_tail[] =
    "\n" SHOWN "sal_flow *const SAL_FN(saltus_flow) = &SAL_FN(sal_text);\n";
static const char key_tail[] =
    "#if SAL_LANES == 1\n" SHOWN "char saltus_key[] = SALTUS_KEY;\n#endif\n";

sal_err sal_native_source_write(const sal_equation_model *model, sal_text *out)
{
  sal_c_source_write(sal_equation_model_programs(model), out);
  sal_text_add(out, "%s%s", flow_tail, key_tail);
  return out->lost ? sal_fail(SAL_ERR_MEMORY, "out of memory") : SAL_OK;
}

/* NAME of a file NAME.c, which has to be one of C. */
static int name_in(const char *path, const char **name)
{
  const char *slash = strrchr(path, '/');
  int n = 0;

  *name = slash ? slash + 1 : path;
  while (isalnum((unsigned char)(*name)[n]) || (*name)[n] == '_') ++n;
  return strcmp(*name + n, ".c") == 0 && !isdigit((unsigned char)**name) ? n : 0;
}

sal_err sal_native_source_write_model(const char *path, const char *text, sal_text *out)
{
  const char *name;
  const int n = name_in(path, &name);

  if (n == 0)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: a model in C is a file NAME.c that defines sal_NAME, so NAME is made of "
                    "letters, digits and _",
                    path);
  sal_text_add(out, "#include \"contacts.c\"\n#line 1 \"%s\"\n%s\n", name, text);
  sal_text_add(out,
               "#if SAL_LANES == 1\n" SHOWN "sal_model *const saltus_model = &sal_%.*s;\n#endif\n",
               n, name);
  sal_text_add(out, "%s", key_tail);
  return out->lost ? sal_fail(SAL_ERR_MEMORY, "out of memory") : SAL_OK;
}

/* The compiler is known by its file: another version is another file. */
static void add_compiler(sal_text *all, const char *compiler)
{
  struct stat st = {0};

  sal_text_append(all, compiler, strlen(compiler) + 1);
  if (stat(compiler, &st) == 0)
    sal_text_add(all, "%lld %lld.%09ld", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                 st.st_mtim.tv_nsec);
}

sal_err sal_native_source_key(const sal_text *source, const sal_native_request *request,
                              const char *compiler, char key[SAL_NATIVE_KEY])
{
  SAL_OWN_BY(sal_text_free) sal_text all = {0};

  sal_text_append(&all, source->string, source->length);
  for (const sal_native_file *f = sal_native_files; f->name; ++f)
    sal_text_append(&all, f->bytes, f->n);
  for (int i = 0; i < N_FLAG; ++i) sal_text_add(&all, " %s", flags[i]);
  for (int i = 0; i < SAL_NATIVE_WIDTHS; ++i)
    sal_text_add(&all, " %s %d", architecture[i], request->width[i]);
  sal_text_add(&all, " %s %d %d ", SAL_NATIVE_VERSION, request->points, sal_integrate_widest());
  add_compiler(&all, compiler);
  if (all.lost) return sal_fail(SAL_ERR_MEMORY, "out of memory");
  sal_native_image_sum(all.string, all.length, key);
  return SAL_OK;
}

sal_err sal_native_source_put(const sal_text *source, const char *work)
{
  for (const sal_native_file *f = sal_native_files; f->name; ++f)
    SAL_TRY(sal_native_folder_write(work, f->name, f->bytes, f->n));
  return sal_native_folder_write(work, "text.c", source->string, source->length);
}

static void add(sal_native_command *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(sal_native_command *c, const char *format, ...)
{
  va_list list;

  va_start(list, format);
  vsnprintf(c->word[c->n++], SAL_NATIVE_WORD, format, list);
  va_end(list);
}

void sal_native_source_compile(const char *compiler, const sal_native_request *request, int width,
                               const char *work, const char *key, sal_native_command *c)
{
  c->n = 0;
  add(c, "%s", compiler);
  for (int i = 0; i < N_FLAG; ++i) add(c, "%s", flags[i]);
  if (*architecture[width]) add(c, "-march=%s", architecture[width]);
  add(c, "-DSAL_LANES=%d", sal_native_lanes[width]);
  add(c, "-DSAL_WIDEST=%d", SAL_WIDEST);
  add(c, "-DSALTUS_KEY=\"%s\"", key);
  if (width == 0 && request->points) add(c, "-DSALTUS_POINTS");
  add(c, "-I%s", work);
  add(c, "-c");
  add(c, "%s/text.c", work);
  add(c, "-o");
  add(c, "%s/text%d.o", work, sal_native_lanes[width]);
}

void sal_native_source_link(const char *compiler, const sal_native_request *request,
                            const char *work, sal_native_command *c)
{
  c->n = 0;
  add(c, "%s", compiler);
  add(c, "-shared");
  for (int i = 0; i < SAL_NATIVE_WIDTHS; ++i)
    if (request->width[i]) add(c, "%s/text%d.o", work, sal_native_lanes[i]);
  add(c, "-o");
  add(c, "%s/text.so", work);
}
