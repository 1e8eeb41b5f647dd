/** @file src/app/cmd_regret.c
 *  saltus regret: how much more the recommendations of a map cost than the virtual best, off its
 * grid.
 */
#include "atomic_file.h"
#include "clock.h"
#include "collective_error.h"
#include "command.h"
#include "memory.h"
#include "offgrid.h"
#include "regret_points.h"
#include "regret_report.h"
#include "run_print.h"
#include "stop.h"
#include "sweep_read.h"
#include "text.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const char           *path, *out, *from, *error, *csv;
  double                points, seed, caution; /* points, seed NaN: not given */
  bool                  replicates, force, quiet, json;
  sal_performance_words table;
} options;

enum { SEED = 256, CAUTION, REPLICATES, FROM, CSV, METHODS, STRATEGIES, WORK };
static const double preset_points = 200, preset_seed = 1;

static const struct argp_option option_table[] = {
    {"points", 'n', "N", 0, "points to be drawn (200)", 0},
    {"seed", SEED, "S", 0, "another one draws other points (1)", 0},
    {"error", 'e', "E,..", 0, "largest errors to be asked for (1e-2,1e-4,1e-6)", 0},
    {"caution", CAUTION, "C", 0,
     "standard deviations by which errors count higher between cells, as in `saltus recommend` "
     "(0.5)",
     0},
    {"replicates", REPLICATES, NULL, 0,
     "run a perturbed replicate of every point, too, and evaluate what is best there, as if a map "
     "knew it",
     0},
    {"output", 'o', "FILE", 0,
     "keep the cube of the points; without it, it is made beside the map and removed", 0},
    {"from", FROM, "FILE", 0, "a cube of points that is there already; nothing is run", 0},
    {"methods", METHODS, "NAME,..", 0, "methods that count at all (all)", 1},
    {"strategies", STRATEGIES, "NAME,..", 0, "strategies that count at all (all)", 1},
    {"work", WORK, "NAME=W,..", 0, "what counts as work, as in `saltus map`", 1},
    {"json", 'j', NULL, 0, "print one line of JSON; regrets as shares, not in per cent", 2},
    {"csv", CSV, "FILE", 0, "write a line for each point and error to FILE, too", 2},
    {"force", 'f', NULL, 0, "overwrite existing files; discard journals of other points", 2},
    {"quiet", 'q', NULL, 0, "no progress", 2},
    {0}};

static double whole(struct argp_state *state, const char *name, const char *text, double least,
                    double most)
{
  const double value = sal_option_number(state, name, text);

  if (value != floor(value) || value < least || value > most)
    argp_error(state, "--%s: %s is not allowed; allowed: whole numbers from %.0f to %.0f", name,
               text, least, most);
  return value;
}

static void check_options(const options *o, struct argp_state *state)
{
  if (!o->path) argp_error(state, "which cube?");
  if (o->from && (!isnan(o->points) || !isnan(o->seed) || o->out))
    argp_error(state, "--from draws no points: leave out --points, --seed and --output");
  if (o->caution < 0)
    argp_error(state, "--caution: %g is not allowed; allowed: from 0", o->caution);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case 'n':
    o->points = whole(state, "points", arg, 1, SAL_MAX_OFFGRID);
    break;
  case SEED:
    o->seed = whole(state, "seed", arg, 0, 1e15);
    break;
  case 'e':
    o->error = arg;
    break;
  case CAUTION:
    o->caution = sal_option_number(state, "caution", arg);
    break;
  case REPLICATES:
    o->replicates = true;
    break;
  case 'o':
    o->out = arg;
    break;
  case FROM:
    o->from = arg;
    break;
  case METHODS:
    o->table.methods = arg;
    break;
  case STRATEGIES:
    o->table.strategies = arg;
    break;
  case WORK:
    o->table.work = arg;
    break;
  case 'j':
    o->json = true;
    break;
  case CSV:
    o->csv = arg;
    break;
  case 'f':
    o->force = true;
    break;
  case 'q':
    o->quiet = true;
    break;
  case ARGP_KEY_ARG:
    if (o->path) argp_error(state, "one cube at a time");
    o->path = arg;
    break;
  case ARGP_KEY_END:
    check_options(o, state);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const char doc[] =
    "Measure what it costs to follow a map: draw points between its cells, run all contenders "
    "there, "
    "and compare what `saltus recommend` answers with the virtual best, the best contender that is "
    "available at each point."
    "\vPoints are uniform on each axis, in the logarithm on a log axis.  At a point a contender is "
    "available when its error is at most the asked one; the virtual best is the available "
    "contender "
    "with least work.\n"
    "  misses    how often the choice does not reach the asked error, and its error over that\n"
    "  regret    work of the choice over that of the virtual best, minus 1, where the choice hits\n"
    "  retries   the same with misses: after a miss the next tighter tolerance of the same method "
    "and strategy is run and its work added, until one hits; when none is left, the work of the "
    "most "
    "expensive available contender is added\n"
    "Points where no contender reaches the error are left out.  Where the map expects none to "
    "reach "
    "it, the contender that it takes for the most accurate is evaluated.\n"
    "Caution is a number of standard deviations: `saltus recommend` counts the error of a "
    "contender "
    "higher by that many standard deviations of its logarithm among the cells around the point.  "
    "Errors of neighbouring cells scatter; without caution an answer between cells often misses.\n"
    "A single best uses one contender at all points.  It is found on the cells of the map, never "
    "on "
    "the points: the one with least mean regret of those that miss in no larger share of the cells "
    "than the map at the points, (misses + 1) / (points + 2), or, if all miss more often, the one "
    "that misses least.\n"
    "  always ode45, ode15s      with `switch`; the tolerance is found\n"
    "  the paper's advice        section VI of Dallas, Machairas, Papadopoulos: `switch`, and the "
    "method with most points of their Table 3 at the nearest of their tolerances, SD twice as "
    "important as IAE; the tolerance is found\n"
    "  single best, as safe      of all contenders\n"
    "  single best, by retries   the same by least mean regret with retries, as often as it "
    "misses\n"
    "With --replicates each point has a perturbed replicate, moved by 1e-4 of the range of every "
    "axis "
    "in its own measure; options, whole numbers and lists stay.  What is best there is what a map "
    "with 10000 cells an axis would say.\n"
    "  best at a replicate       of those whose error at the replicate is at most the asked one, "
    "the "
    "one with least work there\n"
    "  .., cautious              the same with the errors at the replicate times e to the power of "
    "--caution times dispersion\n"
    "  dispersion                standard deviation of the logarithm of a contender's error "
    "between "
    "replicates: half the distance from its 16 % to its 84 % quantile\n"
    "--from finds out whether a cube has replicates; with --replicates one without is refused.\n"
    "May run under mpirun.  Points that are finished are kept until all are; when it was killed, "
    "the same command goes on.\n\n"
    "Example:\n"
    "  mpirun -n 2 saltus regret atlas.h5 --points 200 --seed 1 -o points.h5\n"
    "  saltus regret atlas.h5 --from points.h5 --caution 1 --csv regret.csv";
static const struct argp argp = {
    .options = option_table, .parser = parse_option, .args_doc = "CUBE.h5", .doc = doc};

/* The state of this rank. */
typedef struct {
  const options    *o;
  const char       *command;
  int               rank;
  char              temporary[PATH_MAX];
  const char       *points_path;
  char             *text;   /* of the sweep of the points */
  sal_sweep         sweep;  /* from it */
  sal_regret_report report; /* of rank 0 */
} state;

/* A file that is to be written must not be one that is read. */
static sal_err check_apart(const options *o, const char *path)
{
  const char *read[] = {o->path, o->from};
  struct stat here, there;

  for (int i = 0; path && i < 2; ++i)
    if (read[i] && stat(path, &here) == 0 && stat(read[i], &there) == 0 &&
        here.st_dev == there.st_dev && here.st_ino == there.st_ino)
      return sal_fail(SAL_ERR_EXISTS, "%s: is read, and cannot be written, too", path);
  return SAL_OK;
}

/* Everything that can be refused before there is work done. */
static sal_err prepare(state *s)
{
  const options     *o = s->o;
  sal_regret_report *r = &s->report;

  SAL_TRY(check_apart(o, o->out));
  SAL_TRY(check_apart(o, o->csv));
  SAL_TRY(sal_performance_cube_open(o->path, &o->table, false, &r->map));
  if (o->csv) SAL_TRY(sal_atomic_file_claim(o->csv, o->force));
  if (o->from) return SAL_OK;
  SAL_TRY(sal_atomic_file_claim(s->points_path, o->force || !o->out));
  return sal_offgrid_text(&r->map.sweep, (int64_t)o->points, (uint64_t)o->seed, o->replicates,
                          &s->text);
}

/* Only the first rank has read the map. */
static sal_err share_text(state *s)
{
  int64_t size = s->text ? (int64_t)strlen(s->text) + 1 : 0;

  SAL_TRY_MPI(MPI_Bcast(&size, 1, MPI_INT64_T, 0, MPI_COMM_WORLD));
  if (s->rank != 0) s->text = sal_alloc((size_t)size, 1);
  SAL_TRY(sal_collective_error(
      MPI_COMM_WORLD, s->text ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for the points")));
  SAL_TRY_MPI(MPI_Bcast(s->text, (int)size, MPI_CHAR, 0, MPI_COMM_WORLD));
  return SAL_OK;
}

static sal_err run_points(state *s)
{
  const sal_run_options run = {.out     = s->points_path,
                               .command = s->command,
                               .part    = {1, 1},
                               .every   = 30,
                               .sync    = 10,
                               .force   = s->o->force || !s->o->out,
                               .quiet   = s->o->quiet,
                               .tell    = sal_run_print_begin};

  SAL_TRY(share_text(s));
  SAL_TRY(sal_collective_error(MPI_COMM_WORLD,
                               sal_sweep_parse(s->o->path, s->text, 0, NULL, &s->sweep)));
  return sal_run_sweep(MPI_COMM_WORLD, sal_clock_wall(), &run, &s->sweep);
}

/* Finds out whether the points have replicates. */
static sal_err find_replicates(state *s)
{
  sal_regret_report *r    = &s->report;
  const int64_t      cell = sal_offgrid_without_replicates(&r->map.sweep, &r->points.sweep);

  if (cell < 0) sal_regret_part(r);
  if (cell < 0 || !s->o->replicates) return SAL_OK;
  return sal_fail(
      SAL_ERR_INPUT,
      "%s: cell %lld has no replicate, %g of each axis of %s away in the other half; allowed "
      "with --replicates: points that were drawn with it",
      s->points_path, (long long)cell + 1, SAL_REPLICATE_SHARE, s->o->path);
}

/* On rank 0. */
static sal_err report(state *s)
{
  const options     *o = s->o;
  sal_regret_report *r = &s->report;

  SAL_TRY(sal_performance_cube_open(s->points_path, &o->table, false, &r->points));
  SAL_TRY(sal_regret_points_check(o->path, &r->map.sweep, s->points_path, &r->points.sweep));
  SAL_TRY(find_replicates(s));
  SAL_TRY(sal_regret_find(r));
  if (o->csv) SAL_TRY(sal_regret_csv(o->csv, r));
  (o->json ? sal_regret_json : sal_regret_print)(stdout, r);
  return SAL_OK;
}

static sal_err whole_way(state *s)
{
  SAL_TRY(sal_collective_error(MPI_COMM_WORLD, s->rank == 0 ? prepare(s) : SAL_OK));
  if (!s->o->from) SAL_TRY(run_points(s));
  const sal_err err = s->rank == 0 ? report(s) : SAL_OK;
  if (s->rank == 0 && s->points_path == s->temporary) unlink(s->temporary);
  return sal_collective_error(MPI_COMM_WORLD, err);
}

/* Where the points are, or are to be. */
static sal_err settle(state *s, options *o)
{
  sal_regret_report *r = &s->report;

  r->n_error = 3;
  memcpy(r->error, (const double[]){1e-2, 1e-4, 1e-6}, 3 * sizeof *r->error);
  if (o->error) SAL_TRY(sal_performance_errors(o->error, &r->n_error, r->error));
  if (isnan(o->points)) o->points = preset_points;
  if (isnan(o->seed) && !o->from) o->seed = preset_seed;
  r->caution     = o->caution;
  r->seed        = o->seed;
  s->points_path = o->from ? o->from : o->out ? o->out : s->temporary;
  const int n    = snprintf(s->temporary, sizeof s->temporary, "%s.points", o->path);
  return n < (int)sizeof s->temporary ? SAL_OK
                                      : sal_fail(SAL_ERR_IO, "%s: a path too long", o->path);
}

sal_err sal_cmd_regret(int argc, char *argv[], int *status)
{
  options o = {.points = NAN, .seed = NAN, .caution = 0.5};
  state   s = {.o = &o};
  int     provided;

  *status       = 0;
  char *command = sal_command_line(argc, argv);
  sal_parse(&argp, argc, argv, &o);
  s.command = command ? command : argv[0];
  sal_stop_catch();
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
  sal_err err = provided < MPI_THREAD_FUNNELED
                    ? sal_fail(SAL_ERR_COMM, "this MPI allows no threads beside it")
                    : settle(&s, &o);
  if (err == SAL_OK) err = whole_way(&s);
  sal_free(command);
  sal_free(s.text);
  sal_sweep_free(&s.sweep);
  sal_regret_free(&s.report);
  return err;
}
