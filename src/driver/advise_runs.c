/** Many quantities are tried one at a time first.  A design is begun with a round that is timed; where it does not fit, one with less
 *  follows. */
#include "advise_runs.h"
#include "base.h"
#include "clock.h"
#include "collective_error.h"
#include "stop.h"
#include "sweep_read.h"

enum { ENOUGH = 96, PILOT = 8 };

/* [s] of CPU time that an answer takes, about; and of the time left what it may take from the runs. */
static const double answer_takes = 0.3, answer_share = 0.4;

/* Shares of the time left: for the first round of a design that may be too large; for a compiler. */
static const double first_share = 0.25, compiler_share = 0.4;

/* Share of the time left for the cells off the point along one quantity each. */
static const double axes_share = 0.2;

/* Share of the time left for the smallest design, after which runs at the point alone have to fit; and what of the whole time is left
 * then, about. */
static const double last_share = 0.7, left_for_last = 0.4;

/* Share of the time left for the fewest cells of a design with finer tolerances. */
static const double finer_share = 0.5;

void sal_advise_runs_free(sal_advise_runs *a)
{
  sal_timed_runs_free(&a->runs);
  sal_sweep_free(&a->sweep);
  sal_free(a->text);
  a->text = NULL;
}

static MPI_Comm comm_of(const sal_advise_runs *a) { return a->comm ? *a->comm : MPI_COMM_NULL; }

static bool first(const sal_advise_runs *a) { return sal_collective_rank(comm_of(a)) == 0; }

static double time_left(const sal_advise_runs *a) { return a->until - sal_clock_wall(); }

static void limit(const sal_advise_runs *a, double share)
{
  if (isfinite(a->until)) sal_stop_deadline(share * time_left(a));
}

/* Without a deadline of its own the timer is the caller's. */
static void limit_end(const sal_advise_runs *a)
{
  if (isfinite(a->until)) sal_stop_deadline_end();
}

/* Where this process gets a small share of a core, as the first round has shown, the answer takes longer, too. */
static void leave_time(sal_advise_runs *a, double wall, double cpu)
{
  const double end = a->until - wall / fmax(cpu, 1e-3) * answer_takes;

  if (isfinite(a->until)) a->until = fmax(end, a->until - answer_share * time_left(a));
}

static sal_err parse(sal_advise_runs *a, int64_t points)
{
  sal_sweep_free(&a->sweep);
  sal_free(a->text);
  a->around.points = points;
  SAL_TRY(sal_around_text(&a->around, &a->text));
  return sal_sweep_parse("saltus advise", a->text, 0, NULL, &a->sweep);
}

/* expected: what its runs take, interpreted, but no longer than there is time [s]; NaN: unknown. */
static sal_err prepare(sal_advise_runs *a, double expected)
{
  const double left = time_left(a);

  limit(a, compiler_share);
  const sal_err err = a->prepare(a->with, &a->sweep, expected > left ? left : expected);
  limit_end(a);
  return err;
}

static sal_err begin_design(sal_advise_runs *a)
{
  const int64_t fewest = sal_around_fewest(&a->around);

  sal_timed_runs_free(&a->runs);
  SAL_TRY(parse(a, a->cells                           ? a->cells
                   : a->fewest || 2 * fewest > ENOUGH ? (a->fewest ? 1 : 2) * fewest
                                                      : ENOUGH));
  SAL_TRY(prepare(a, 0));
  SAL_TRY(sal_timed_runs_begin(comm_of(a), &a->sweep, &a->runs));
  if (a->quiet) a->runs.bar.out = NULL;
  return SAL_OK;
}

/* The time of a cell of the whole design, by one of these, is divided by this before a smaller design is taken. */
static const double rough = 3;

/* Few solvers and tolerances, in all such cells, or the first ones. */
static sal_err run_along_axes(sal_advise_runs *a, int n)
{
  SAL_TRY(begin_design(a));
  limit(a, axes_share);
  const sal_err err =
      sal_timed_runs_all(&a->runs, sal_clock_wall() + axes_share * fmax(time_left(a), 0));
  limit_end(a);
  SAL_TRY(err);
  if (first(a)) (void)sal_pilot_effects_find(&a->sweep, &a->runs.result, a->runs.cells, a->effect);
  return sal_collective_share(comm_of(a), a->effect, (size_t)n * sizeof *a->effect);
}

/* Collective.  Chooses among many quantities by their effect on work and errors. */
static sal_err choose_quantities(sal_advise_runs *a)
{
  const int n = sal_around_varies(&a->around), haste = a->around.haste;
  double largest = 0;

  if (n <= SAL_AROUND_JOINT) return SAL_OK;
  a->around.along_axes = true;
  a->around.haste = SAL_AROUND_LAST;
  SAL_TRY(run_along_axes(a, n));
  a->around.along_axes = false;
  for (int i = 0; i < n; ++i) largest = fmax(largest, a->effect[i]);
  if (largest > 0) a->around.effect = a->effect;
  a->around.haste = haste;
  if (a->runs.cells > 0 && !a->cells && isfinite(a->until))
    a->around.haste = sal_around_fitting(
        &a->around, haste, a->runs.each / sal_around_share(SAL_AROUND_LAST) / rough, time_left(a));
  return sal_collective_share(comm_of(a), &a->around.haste, sizeof a->around.haste);
}

/* Share of a cell's work that its reference is taken for, which comes first. */
static const double reference_share = 1.0 / 3;

/* [s] of a cell in the round that the deadline has cut, about. */
static double estimate_cell(const sal_advise_runs *a, double spent, int64_t count)
{
  const double all = (double)(count * sal_config_count(&a->sweep));
  const double done = (double)sal_tile_done(a->runs.space) / all;

  return spent /
         ((reference_share + (1 - reference_share) * done) * (double)(count * a->runs.n_rank));
}

/* On rank 0: does the design fit? */
static int judge(sal_advise_runs *a, bool cut, double spent, int64_t count)
{
  const int64_t missing = sal_around_fewest(&a->around) - a->runs.cells;

  a->each = cut ? estimate_cell(a, spent, count) : a->runs.each;
  if (a->cells || isinf(a->until) || a->around.haste == SAL_AROUND_LAST) return a->around.haste;
  if (!cut && a->each * (double)missing <= time_left(a)) return a->around.haste;
  return sal_around_fitting(&a->around, a->around.haste + 1,
                            a->each / sal_around_share(a->around.haste), time_left(a));
}

static sal_err first_round(sal_advise_runs *a, bool *fits)
{
  const int64_t few = sal_tile_width(&a->sweep),
                share = (PILOT + a->runs.n_rank - 1) / a->runs.n_rank;
  const int64_t lanes = a->around.haste == SAL_AROUND_LAST ? sal_around_usable(&a->around)
                        : few < share                      ? share
                                                           : few;
  const int64_t fair = (sal_around_fewest(&a->around) + a->runs.n_rank - 1) / a->runs.n_rank;
  const int64_t count = lanes < fair ? lanes : fair;
  const double began = sal_clock_wall(), cpu = sal_clock_cpu();
  int haste = a->around.haste;

  limit(a, a->cells ? 1 : haste == SAL_AROUND_LAST ? last_share : first_share);
  const sal_err err = sal_timed_runs_next(&a->runs, count);
  limit_end(a);
  SAL_TRY(err);
  haste = judge(a, a->runs.cells == 0, sal_clock_wall() - began, count);
  SAL_TRY(sal_collective_share(comm_of(a), &haste, sizeof haste));
  *fits = haste == a->around.haste;
  if (*fits) leave_time(a, sal_clock_wall() - began, sal_clock_cpu() - cpu);
  a->around.haste = haste;
  return SAL_OK;
}

/* No cell counts: the sweep becomes that of the point, with few solvers. */
static sal_err go_alone(sal_advise_runs *a)
{
  a->alone = true;
  a->around.haste = SAL_AROUND_LAST;
  sal_tile_space_destroy(&a->runs.space);
  a->runs.cells = a->runs.result.count = 0;
  return parse(a, sal_around_usable(&a->around));
}

/* Collective.  Begins once more, with quarter decades around the answer and as tight as errors grow, where there is time.  Where a
 * quarter of the references do not reach the error, more cells are of little use. */
static sal_err refine_tolerances(sal_advise_runs *a)
{
  const double twice = 2 * a->runs.each * (double)sal_around_fewest(&a->around);
  double better[4] = {0}; /* is there time, amplification, answer; is more of no use */

  if (a->runs.cells == 0) return SAL_OK;
  if (first(a)) {
    const int64_t n = a->runs.cells < PILOT ? a->runs.cells : PILOT; /* for any ranks and lanes */
    const sal_pilot_levels found =
        sal_pilot_levels_find(&a->sweep, &a->runs.result, n, a->around.error);
    better[0] = a->around.haste < 2 && (isinf(a->until) || twice < finer_share * time_left(a));
    better[1] = found.amplification;
    better[2] = found.answer;
    better[3] = !found.referenced && !a->cube && a->cells == 0;
    if (better[3] > 0 && !a->quiet)
      fprintf(stderr,
              "saltus advise: too few references in the first %lld cells reach the error: "
              "solvers run at the point alone\n",
              (long long)n);
  }
  SAL_TRY(sal_collective_share(comm_of(a), better, sizeof better));
  if (better[3] > 0) return go_alone(a);
  if (better[0] == 0 || !(better[1] > 0 || better[2] > 0)) return SAL_OK;
  a->around.amplification = better[1];
  a->around.answer = better[2];
  return begin_design(a);
}

static void say_design(const sal_advise_runs *a)
{
  sal_around whole = a->around;

  whole.haste = 0;
  const int64_t fewest = sal_around_fewest(&whole);
  whole.effect = NULL;
  const int vary = sal_around_varies(&a->around), all = sal_around_varies(&whole);
  if (a->quiet || !first(a)) return;
  if (vary < all)
    fprintf(stderr, "saltus advise: of %d quantities %d var%s%s\n", all, vary,
            vary == 1 ? "ies" : "y",
            a->around.effect ? ", chosen by their effect on work and errors" : "");
  if (a->around.haste == 0) return;
  fprintf(stderr,
          "saltus advise: %g s are too short for %lld cells; fewer are run, with fewer "
          "tolerances%s%s\n",
          a->seconds, (long long)fewest,
          a->around.haste == SAL_AROUND_LAST && a->around.home < 0 ? ", four solvers" : "",
          a->around.haste > 1 ? ", one strategy and a looser reference" : "");
}

/* Collective.  Without any reference nothing can be said, however many cells are run. */
static sal_err look_at_references(sal_advise_runs *a)
{
  const sal_reference_fate *f = &a->runs.fate;
  char text[SAL_FATE_TEXT];
  sal_err err = SAL_OK;

  if (sal_reference_fate_text(f, &a->sweep, text)[0] && f->without == f->cells)
    err = sal_fail(SAL_ERR_INPUT, "there is nothing to measure errors against: %s%s", text,
                   a->quiet ? "" : "; `saltus model check` prints where and why");
  else if (text[0] && !a->quiet && !a->reported)
    fprintf(stderr, "saltus advise: %s\n", text);
  a->reported = a->reported || text[0];
  return sal_collective_error(comm_of(a), err);
}

/* Collective. */
static sal_err check_cells(sal_advise_runs *a)
{
  const int64_t least = sal_around_usable(&a->around), n = a->runs.cells;

  if (n >= least || n == a->sweep.n_cell) return SAL_OK;
  if (!a->quiet && first(a))
    fprintf(stderr,
            "saltus advise: in %.2g s, of which this process had a core for %.2g s, %lld cell%s "
            "could be run, and %lld are needed, of about %.2g s each: solvers run at the point "
            "alone; --seconds %.2g may do for cells\n",
            a->seconds - time_left(a), sal_clock_cpu(), (long long)n, sal_text_plural(n),
            (long long)least, a->each,
            fmax(2 * a->seconds, a->each * (double)least / (last_share * left_for_last)));
  return go_alone(a);
}

static sal_err run_rest(sal_advise_runs *a)
{
  limit(a, 1);
  const sal_err err = sal_timed_runs_all(&a->runs, a->until);
  limit_end(a);
  sal_progress_stop(&a->runs.bar, a->runs.cells * sal_config_count(&a->sweep));
  return err;
}

/* The sweep is that of the cells that were run. */
static sal_err end_design(sal_advise_runs *a)
{
  sal_tile_space_destroy(&a->runs.space);
  return a->runs.cells == a->sweep.n_cell ? SAL_OK : parse(a, a->runs.cells);
}

sal_err sal_advise_runs_make(sal_advise_runs *a)
{
  bool fits = false;

  SAL_TRY(choose_quantities(a));
  while (!fits) {
    SAL_TRY(begin_design(a));
    SAL_TRY(first_round(a, &fits));
  }
  say_design(a);
  SAL_TRY(look_at_references(a));
  const double each = a->runs.each;
  const bool cut = a->runs.cells == 0;
  SAL_TRY(refine_tolerances(a));
  if (a->alone) return SAL_OK;
  const int64_t missing = a->sweep.n_cell - a->runs.cells;
  if (missing > 0 && !cut) {
    SAL_TRY(prepare(a, isinf(a->until) ? NAN : each * (double)missing));
    SAL_TRY(sal_timed_runs_renew(&a->runs));
    SAL_TRY(run_rest(a));
    SAL_TRY(look_at_references(a));
  }
  SAL_TRY(check_cells(a));
  return a->alone ? SAL_OK : end_design(a);
}
