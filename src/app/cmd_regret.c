/** @file src/app/cmd_regret.c
 *  saltus regret: how much more the recommendations of a map cost than the virtual best, off
 *  its grid.
 */
#include "command.h"
#include "offgrid.h"
#include "regret_run.h"

static const sal_regret_request presets = {.seed = -1, .caution = 0.5};

#define AT(member) .offset = offsetof(sal_regret_request, member)

static const sal_cli_option rows[] = {
    {"cube", 0, "CUBE.h5", "the cube", SAL_CLI_ARGUMENT, AT(path), .missing = "which cube?"},
    {"points", 'n', "N", "points to be drawn (200)", SAL_CLI_WHOLE, AT(points), .least = 1,
     .most = SAL_MAX_OFFGRID},
    {"seed", 0, "S", "another one draws other points (1)", SAL_CLI_WHOLE, AT(seed), .most = 1e15},
    {"error", 'e', "E,..", "largest errors to be asked for (1e-2,1e-4,1e-6)", SAL_CLI_TEXT,
     AT(error)},
    {"caution", 0, "C",
     "standard deviations by which errors count higher between cells, as in `saltus recommend` "
     "(0.5)",
     SAL_CLI_NUMBER, AT(caution)},
    {"replicates", 0, NULL,
     "run a perturbed replicate of every point, too, and evaluate what is best there, as if a map "
     "knew it",
     SAL_CLI_FLAG, AT(replicates)},
    {"output", 'o', "FILE",
     "keep the cube of the points; without it, it is made beside the map and removed", SAL_CLI_TEXT,
     AT(out)},
    {"from", 0, "FILE", "a cube of points that is there already; nothing is run", SAL_CLI_TEXT,
     AT(from)},
    {"methods", 0, "NAME,..", "methods that count at all (all)", SAL_CLI_TEXT, AT(table.methods)},
    {"strategies", 0, "NAME,..", "strategies that count at all (all)", SAL_CLI_TEXT,
     AT(table.strategies)},
    {"by", 0, "ERROR", "which error, as in `saltus map`", SAL_CLI_TEXT, AT(table.by)},
    {"work", 0, "NAME=W,..", "what counts as work, as in `saltus map`", SAL_CLI_TEXT,
     AT(table.work)},
    {.help = NULL}};

static const sal_cli_option output_rows[] = {
    {"json", 'j', NULL, "print one line of JSON; regrets as shares, not in per cent", SAL_CLI_FLAG,
     AT(json)},
    {"csv", 0, "FILE", "write a line for each point and error to FILE, too", SAL_CLI_TEXT, AT(csv)},
    {"force", 'f', NULL, "overwrite existing files; discard journals of other points", SAL_CLI_FLAG,
     AT(force)},
    {"quiet", 'q', NULL, "no progress", SAL_CLI_FLAG, AT(quiet)},
    {.help = NULL}};

static sal_err check_regret(void *given)
{
  const sal_regret_request *o = given;

  if (o->from && (o->points || o->seed >= 0 || o->out))
    return sal_fail(SAL_ERR_USAGE,
                    "--from draws no points: leave out --points, --seed and --output");
  return SAL_OK;
}

static sal_err run_regret(void *given, sal_command_call *call)
{
  return sal_regret_run(given, call);
}

const sal_command sal_cmd_regret = {
    .name    = "regret",
    .group   = SAL_COMMAND_ASK,
    .summary = "say what it costs to follow a cube's recommendations, off its grid",
    .description =
        "Measure what it costs to follow a map: draw points between its cells, run all contenders "
        "there, and compare what `saltus recommend` answers with the virtual best, the best "
        "contender that is available at each point.",
    .notes =
        "Points are uniform on each axis, in the logarithm on a log axis.  At a point a contender "
        "is available when its error is at most the asked one; the virtual best is the available "
        "contender with least work.\n"
        "  misses   how often the choice does not reach the asked error, and its error over that\n"
        "  regret   work of the choice over that of the virtual best, minus 1, where the choice "
        "hits\n"
        "  retries  the same with misses: after a miss the next tighter tolerance of the same "
        "method and strategy is run and its work added, until one hits; when none is left, the "
        "work of the most expensive available contender is added\n"
        "Points where no contender reaches the error are left out.  Where the map expects none to "
        "reach it, the contender that it takes for the most accurate is evaluated.\n\n"
        "Caution is a number of standard deviations: `saltus recommend` counts the error of a "
        "contender higher by that many standard deviations of its logarithm among the cells around "
        "the point.  Errors of neighbouring cells scatter; without caution an answer between cells "
        "often misses.\n\n"
        "A single best uses one contender at all points.  It is found on the cells of the map, "
        "never on the points: the one with least mean regret of those that miss in no larger share "
        "of the cells than the map at the points, (misses + 1) / (points + 2), or, if all miss "
        "more often, the one that misses least.\n"
        "  always ode45, ode15s     with `switch`; the tolerance is found\n"
        "  the paper's advice       section VI of Dallas, Machairas, Papadopoulos: `switch`, and "
        "the method with most points of their Table 3 at the nearest of their tolerances, SD twice "
        "as important as IAE; the tolerance is found\n"
        "  single best, as safe     of all contenders\n"
        "  single best, by retries  the same by least mean regret with retries, as often as it "
        "misses\n\n"
        "With --replicates each point has a perturbed replicate, moved by 1e-4 of the range of "
        "every axis in its own measure; options, whole numbers and lists stay.  What is best there "
        "is what a map with 10000 cells an axis would say.\n"
        "  best at a replicate  of those whose error at the replicate is at most the asked one, "
        "the one with least work there\n"
        "  .., cautious         the same with the errors at the replicate times e to the power of "
        "--caution times dispersion\n"
        "  dispersion           standard deviation of the logarithm of a contender's error between "
        "replicates: half the distance from its 16 % to its 84 % quantile\n"
        "--from finds out whether a cube has replicates; with --replicates one without is "
        "refused.\n\n"
        "May run under mpirun.  Points that are finished are kept until all are; when it was "
        "killed, the same command goes on.",
    .examples = "  mpirun -n 2 saltus regret atlas.h5 --points 200 --seed 1 -o points.h5\n"
                "  saltus regret atlas.h5 --from points.h5 --caution 1 --csv regret.csv",
    .table    = {{rows, 0}, {output_rows, 0}},
    .size     = sizeof(sal_regret_request),
    .presets  = &presets,
    .parallel = true,
    .stops    = true,
    .check    = check_regret,
    .run      = run_regret};
