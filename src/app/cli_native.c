/** The first rank finds or makes the image, the others are sent it. */
#include "base.h"
#include "cli_compile.h"
#include "clock.h"
#include "collective_error.h"
#include "config.h"
#include "estimate.h"
#include "native.h"
#include "plain_file.h"
#include "registry.h"
#include "tile_run.h"
#include "tiles.h"
#include <time.h>

/* Compiled code saves about a third of the time: a run of less than this many times the compiler's time loses. */
static const double worthwhile = 3;
enum { FEW = 1000 /* trajectories, which take less than that */ };

static void print_failure(const char *model)
{
  fprintf(stderr, "%s: its text is interpreted: %s\n", model, sal_err_message());
  sal_err_clear();
}

static void print_success(const char *model, const sal_native_image *image, double seconds)
{
  if (image->note[0]) fprintf(stderr, "%s: %s\n", model, image->note);
  if (image->made) fprintf(stderr, "%s: its text was compiled in %.1f s\n", model, seconds);
}

/* Leaves no image, after a line, where there is none. */
static void make_image(const sal_equation_model *model, const sal_native_request *request,
                       bool quiet, sal_native_image *image)
{
  const char *name = sal_equation_model_get(model)->name;
  const double begun = sal_clock_wall();
  const sal_err err = sal_native_make(model, request, image);

  if (err == SAL_ERR_STOPPED || (err != SAL_OK && request->kept)) /* it was not asked for */
    sal_err_clear();
  else if (err != SAL_OK)
    print_failure(name);
  else if (!quiet)
    print_success(name, image, sal_clock_wall() - begun);
}

void sal_cli_compile_model(const sal_cli_compile *asked, int lanes, sal_provided *text)
{
  sal_equation_model *model = sal_provided_made(text, &sal_equation_model_provider);
  sal_native_request request = sal_native_request_of(lanes, false);
  SAL_OWN_BY(sal_native_free) sal_native_image image = {0};

  if (!model || asked->when == SAL_CLI_COMPILE_NEVER) return;
  request.kept = asked->when != SAL_CLI_COMPILE_ALWAYS;
  make_image(model, &request, false, &image);
  if (image.bytes && sal_native_take(&image, model) != SAL_OK)
    print_failure(sal_equation_model_get(model)->name);
}

/* True where the interpreted run takes longer than the compiler.  expected NaN: a short sample of the cells decides. */
static bool pays(const sal_sweep *sweep, const sal_equation_model *model, int n_rank,
                 double expected)
{
  const sal_estimate_effort effort = {.most = 0.3, .enough = 0.5};
  const int64_t tile = sal_tiles_largest(sweep->n_cell, n_rank, sal_tile_most(sweep));
  sal_estimate e;

  if (!isnan(expected)) return expected > worthwhile * sal_native_seconds(model);
  if (sweep->n_cell * sal_config_count(sweep) < FEW) return false;
  if (sal_estimate_run(sweep, tile, &effort, &e) != SAL_OK) {
    sal_err_clear();
    return false;
  }
  return e.cpu_seconds / sal_tile_threads() / n_rank > worthwhile * sal_native_seconds(model);
}

static void make_first(sal_cli_compile_when asked, const sal_command_call *call, bool quiet,
                       const sal_sweep *sweep, const sal_equation_model *model, double expected,
                       sal_native_image *image)
{
  sal_native_request request = sal_native_request_of(sal_tile_width(sweep), sweep->repeats > 0);

  request.kept = asked == SAL_CLI_COMPILE_AUTO;
  if (request.kept && !isnan(expected) && !pays(sweep, model, call->n_rank, expected))
    return; /* to compare kept code with the text takes as long as to compile it */
  make_image(model, &request, quiet, image);
  if (image->bytes || !request.kept || !pays(sweep, model, call->n_rank, expected)) return;
  request.kept = false;
  sal_native_free(image);
  make_image(model, &request, quiet, image);
}

/* Collective.  The ranks that wait leave their cores to the compiler. */
static sal_err send(MPI_Comm comm, void *bytes, size_t n)
{
  const struct timespec pause = {.tv_nsec = 5000000};
  MPI_Request request;
  int done = 0;

  SAL_TRY_MPI(MPI_Ibcast(bytes, (int)n, MPI_BYTE, 0, comm, &request));
  for (;;) {
    SAL_TRY_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done) return SAL_OK;
    nanosleep(&pause, NULL);
  }
}

/* Collective. */
static sal_err send_image(const sal_command_call *call, sal_native_image *image)
{
  char *own = image->bytes;
  sal_err err = SAL_OK;

  if (call->n_rank <= 1) return SAL_OK;
  SAL_TRY(send(call->comm, image, sizeof *image));
  image->bytes = own;
  if (image->n == 0) return SAL_OK;
  if (call->rank > 0) {
    image->bytes = sal_alloc(image->n, 1);
    if (!image->bytes) err = sal_fail(SAL_ERR_MEMORY, "out of memory");
  }
  SAL_TRY(sal_collective_error(call->comm, err));
  return send(call->comm, image->bytes, image->n);
}

sal_err sal_cli_compile_sweep(const sal_cli_compile *asked, const sal_command_call *call,
                              bool quiet, const sal_sweep *sweep, double expected)
{
  sal_equation_model *model = sal_provided_made(sweep->source, &sal_equation_model_provider);
  SAL_OWN_BY(sal_native_free) sal_native_image image = {0};

  if (!model || asked->when == SAL_CLI_COMPILE_NEVER) return SAL_OK;
  if (call->rank == 0) make_first(asked->when, call, quiet, sweep, model, expected, &image);
  SAL_TRY(send_image(call, &image));
  if (image.n > 0 && sal_native_take(&image, model) != SAL_OK) {
    if (call->rank > 0) fprintf(stderr, "rank %d: ", call->rank);
    print_failure(sweep->model->name);
  }
  return SAL_OK;
}

static sal_err make_given(const char *path, const char *text, sal_native_image *image)
{
  const sal_err err = sal_native_make_model(path, text, image);

  if (err != SAL_OK) sal_err_add(" (--model-c %s)", path);
  return err;
}

/* A name of the program's would make results of two models look alike. */
static sal_err take_given(const char *path, const char *text, const sal_native_image *image)
{
  const sal_model *model;

  SAL_TRY(sal_native_take_model(image, &model));
  if (!model->name || sal_registry_model(model->name))
    return sal_fail(SAL_ERR_INPUT, "%s: its model has %s; allowed: a name of its own", path,
                    model->name ? "the name of a model of the program" : "no name");
  sal_model_source_give(path, text, model);
  return SAL_OK;
}

/* Collective where there are ranks. */
static sal_err agree(const sal_command_call *call, sal_err err)
{
  return call->n_rank > 1 ? sal_collective_error(call->comm, err) : err;
}

sal_err sal_cli_compile_given(const sal_cli_compile *asked, const sal_command_call *call)
{
  static char *text; /* until the program ends */
  SAL_OWN_BY(sal_native_free) sal_native_image image = {0};
  sal_err err;

  if (!asked->model) return SAL_OK;
  err = sal_text_file_read(asked->model, "a model in C", &text);
  if (err == SAL_OK && call->rank == 0) err = make_given(asked->model, text, &image);
  SAL_TRY(agree(call, err));
  SAL_TRY(send_image(call, &image));
  return agree(call, take_given(asked->model, text, &image));
}

sal_err sal_cli_compile_needs(char compiler[PATH_MAX], char folder[PATH_MAX])
{
  return sal_native_needs(compiler, folder);
}
