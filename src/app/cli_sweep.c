/** @file src/app/cli_sweep.c
 *  Options of commands that run sweeps.
 */
#include "cli_sweep.h"
#include "command.h"
#include "run_print.h"

enum { KEY_STATUS = 512, KEY_EVERY, KEY_SYNC, KEY_NO_MAP };

static const struct argp_option option_table[] = {
    {"output", 'o', "FILE", 0, "the cube to write (HDF5); required", 0},
    {"force", 'f', NULL, 0, "overwrite an existing output; discard journals of another sweep", 0},
    {"quiet", 'q', NULL, 0, "no progress", 0},
    {"status", KEY_STATUS, "FILE", 0, "add a line of JSON to FILE every now and then", 0},
    {"every", KEY_EVERY, "SECONDS", 0,
     "between two lines of progress or status; 30 without it (a terminal has a bar)", 0},
    {"sync", KEY_SYNC, "SECONDS", 0,
     "what is finished waits for the disk no longer than this; 10 without it", 0},
    {"no-map", KEY_NO_MAP, NULL, 0,
     "leave out the map of the best contenders, which `saltus map` makes", 0},
    {0}};

static double read_seconds(struct argp_state *state, const char *name, const char *text)
{
  const double seconds = sal_option_number(state, name, text);

  if (!(seconds >= 0)) argp_error(state, "--%s: '%s' is less than 0", name, text);
  return seconds;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  sal_run_options *o = state->input;

  switch (key) {
  case ARGP_KEY_INIT:
    o->part  = (sal_job_part){1, 1};
    o->every = 30;
    o->sync  = 10;
    o->map   = true;
    o->tell  = sal_run_print;
    break;
  case 'o':
    o->out = arg;
    break;
  case 'f':
    o->force = true;
    break;
  case 'q':
    o->quiet = true;
    break;
  case KEY_STATUS:
    o->status = arg;
    break;
  case KEY_EVERY:
    o->every = read_seconds(state, "every", arg);
    break;
  case KEY_SYNC:
    o->sync = read_seconds(state, "sync", arg);
    break;
  case KEY_NO_MAP:
    o->map = false;
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp sal_cli_sweep_argp = {.options = option_table, .parser = parse_option};
