/** @file src/app/cmd_compress.c
 *  saltus compress: a finished cube made smaller.
 */
#include "command.h"
#include "compress_cube.h"
#include "stop.h"

typedef struct {
  const char *path;
  bool        quiet;
} options;

static const struct argp_option option_table[] = {{"quiet", 'q', NULL, 0, "say nothing", 0}, {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case 'q':
    o->quiet = true;
    break;
  default:
    return sal_option_cube(key, arg, state, &o->path);
  }
  return 0;
}

static const struct argp argp = {
    .options  = option_table,
    .parser   = parse_option,
    .args_doc = "CUBE.h5",
    .doc = "Make a finished cube smaller, in place: the same file with its large datasets shuffled "
           "and "
           "deflated.  It is written under another name, read back, compared and renamed.\vEvery "
           "command and xarray read it as before, and `saltus diff` finds no difference.  "
           "`saltus run --compress` does this at its end."};

sal_err sal_cmd_compress(int argc, char *argv[], int *status)
{
  options o = {0};

  *status = 0;
  sal_parse(&argp, argc, argv, &o);
  sal_stop_catch(); /* so that a file that may not grow fails to be written */
  return sal_compress_cube(o.path, !o.quiet);
}
