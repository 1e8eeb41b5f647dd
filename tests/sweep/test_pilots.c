/** Pilots: the keys, what is useful around them, and the validation. */
#include "config.h"
#include "pilots.h"
#include "refuse.h"
#include <math.h>

#define SOME(cells, tail)                                                                          \
  "model: monopod\nt_end: 5\nsolvers: [ode45, dop853]\nstrategies: [switch]\nrtol: [1e-3, 1e-5, "  \
  "1e-4, 1e-6]\ncells: {axes: [{columns: [b, k], sobol: [[500, 5000], [1, 100]], log: true, "      \
  "points: " cells "}]}\ncutoff: {error: 1e-6, loosest: 1e-4}\n" tail

enum { ODE45, DOP853, PAIRS, RTOL_3 = 0, RTOL_5 = 2, RTOL_4 = 4, RTOL_6 = 6, N = 8 };

static void keys_are_checked(void)
{
  refuse_text(SOME("64", "pilots: {cells: 15}\n"), "s.yaml:8", "pilots.cells = 15",
              "allowed: 0, or from pilots.nearest = 16 to all 64 cells");
  refuse_text(SOME("64", "pilots: {cells: 65}\n"), "s.yaml:8", "pilots.cells = 65",
              "to all 64 cells");
  refuse_text(SOME("64", "pilots: {cells: 16, within: 0.5}\n"), "s.yaml:8", "pilots.within = 0.5",
              "from 1");
  refuse_text(
      "model: monopod\nsolvers: [ode45]\nstrategies: [switch]\nrtol: [1e-3]\npilots: {cells: "
      "16}\n",
      "s.yaml:5", "pilots.cells: the cells are not the points of one axis alone");
}

static void without_the_key_there_are_none(void)
{
  sal_sweep plain = accept_with(SOME("64", ""), 0, NULL),
            empty = accept_with(SOME("64", "pilots: {}\n"), 0, NULL),
            all = accept_with(SOME("64", "pilots: {cells: 32}\n"), 0, NULL),
            some = accept_with(SOME("64", "pilots: {cells: 32, validation: 5}\n"), 0, NULL);

  CU_ASSERT(sal_pilots_whole(&plain) == 0 && sal_pilots_whole(&empty) == 0);
  CU_ASSERT(sal_pilots_whole(&all) == 64 && sal_pilots_whole(&some) == 37);
  CU_ASSERT_PTR_NULL(strstr(plain.settled, "pilots"));
  sal_sweep_free(&plain);
  sal_sweep_free(&empty);
  sal_sweep_free(&all);
  sal_sweep_free(&some);
}

/* A cell in which nothing reaches an error that is asked for. */
typedef struct {
  sal_cell_record cell;
  sal_record record[N];
} made_up_cell;

static made_up_cell make_cell(void)
{
  made_up_cell c = {{{0}}, {{{0}}}};

  c.cell.value[SAL_CELL_REFERENCE_OUTCOME] = SAL_OUT_DONE;
  for (int k = 0; k < N; ++k) {
    c.record[k].value[SAL_METRIC_OUTCOME] = SAL_OUT_DONE;
    c.record[k].value[SAL_METRIC_RHS] = 1;
    c.record[k].value[SAL_METRIC_MAX_ERROR] = 1;
  }
  return c;
}

static void set_run(made_up_cell *c, int config, double work, double error)
{
  c->record[config].value[SAL_METRIC_RHS] = work;
  c->record[config].value[SAL_METRIC_MAX_ERROR] = error;
}

/* The configurations that are useful in a cell, as bits. */
static unsigned useful_in(const sal_pilots *s, int64_t cell)
{
  bool useful[N];
  unsigned bits = 0;

  sal_pilots_useful(s, cell, useful);
  for (int k = 0; k < N; ++k) bits |= (unsigned)useful[k] << k;
  return bits;
}

#define BIT(k) (1U << (k))

/* Pilots 1 of 1: every cell goes by the one pilot that there is. */
static void what_nearly_wins_is_useful_with_its_neighbours(void)
{
  sal_sweep s = accept_with(
      SOME("64", "pilots: {cells: 1, nearest: 1, within: 1.5, tolerances: 1}\n"), 0, NULL);
  sal_pilots *pilots = NULL;
  made_up_cell c = make_cell();

  CU_ASSERT_FATAL(sal_config_count(&s) == N);
  CU_ASSERT_FATAL(sal_pilots_create(&s, &pilots) == SAL_OK);
  CU_ASSERT_EQUAL(useful_in(pilots, 40), (1U << N) - 1); /* nothing is known */
  set_run(&c, RTOL_4 + ODE45, 100, 9e-5);                /* wins 1e-4 */
  set_run(&c, RTOL_6 + DOP853, 149, 9e-7); /* wins 1e-6 to 3e-5, and nearly the other */
  set_run(&c, RTOL_6 + ODE45, 224, 9e-7);  /* not by far */
  sal_pilots_add(pilots, 0, &c.cell, c.record);
  CU_ASSERT_EQUAL(useful_in(pilots, 40), BIT(RTOL_3 + ODE45) | BIT(RTOL_4 + ODE45) |
                                             BIT(RTOL_5 + ODE45) | BIT(RTOL_5 + DOP853) |
                                             BIT(RTOL_6 + DOP853));
  set_run(&c, RTOL_6 + ODE45, 223, 9e-7); /* 1.5 x 149 = 223.5 */
  sal_pilots_add(pilots, 0, &c.cell, c.record);
  CU_ASSERT(useful_in(pilots, 40) & BIT(RTOL_6 + ODE45));
  sal_pilots_free(&pilots);
  CU_ASSERT_PTR_NULL(pilots);
  sal_sweep_free(&s);
}

/* The nearest pilot by brute force over the logarithms of the box; -1: two are as near but for rounding. */
static int64_t nearest_of(const sal_sweep *s, int64_t n, int64_t cell)
{
  double least = INFINITY, next = INFINITY;
  int64_t best = -1;

  for (int64_t i = 0; i < n; ++i) {
    const double b =
        log(sal_axis_value(s->axis, i, 0) / sal_axis_value(s->axis, cell, 0)) / log(10.0);
    const double k =
        log(sal_axis_value(s->axis, i, 1) / sal_axis_value(s->axis, cell, 1)) / log(100.0);
    const double d = b * b + k * k;
    next = fmin(next, fmax(d, least));
    if (d >= least) continue;
    least = d;
    best = i;
  }
  return next > 1.000001 * least ? best : -1;
}

static void a_cell_goes_by_the_pilots_around_it(void)
{
  enum { PILOTS = 8, CELLS = 200 };
  sal_sweep one = accept_with(SOME("200", "pilots: {cells: 8, nearest: 1, tolerances: 0}\n"), 0,
                              NULL),
            all = accept_with(SOME("200", "pilots: {cells: 8, nearest: 8, tolerances: 0}\n"), 0,
                              NULL);
  sal_pilots *by_one = NULL, *by_all = NULL;
  int64_t met[PILOTS] = {0};

  CU_ASSERT_FATAL(sal_pilots_create(&one, &by_one) == SAL_OK);
  CU_ASSERT_FATAL(sal_pilots_create(&all, &by_all) == SAL_OK);
  for (int i = 0; i < PILOTS; ++i) { /* each has a winner of its own */
    made_up_cell c = make_cell();
    set_run(&c, i, 10, 1e-7);
    sal_pilots_add(by_one, i, &c.cell, c.record);
    sal_pilots_add(by_all, i, &c.cell, c.record);
  }
  for (int64_t cell = PILOTS; cell < CELLS; ++cell) {
    const int64_t nearest = nearest_of(&one, PILOTS, cell);
    if (nearest < 0) continue;
    CU_ASSERT_EQUAL(useful_in(by_one, cell), 1U << nearest);
    CU_ASSERT_EQUAL(useful_in(by_all, cell), (1U << PILOTS) - 1);
    ++met[nearest];
  }
  for (int i = 0; i < PILOTS; ++i) CU_ASSERT(met[i] > 5);
  sal_pilots_free(&by_one);
  sal_pilots_free(&by_all);
  sal_sweep_free(&one);
  sal_sweep_free(&all);
}

/* Errors 1e-6, 3e-6, 1e-5, 3e-5, 1e-4. */
static void an_audit_counts_what_is_lost(void)
{
  sal_sweep s = accept_with(
      SOME("64", "pilots: {cells: 1, nearest: 1, tolerances: 0, validation: 3}\n"), 0, NULL);
  sal_pilots *pilots = NULL;
  sal_pilots_validation validation = {0};
  made_up_cell pilot = make_cell(), c = make_cell();

  CU_ASSERT_FATAL(sal_pilots_create(&s, &pilots) == SAL_OK);
  set_run(&pilot, RTOL_5 + ODE45, 100, 9e-7);
  sal_pilots_add(pilots, 0, &pilot.cell, pilot.record);
  CU_ASSERT(sal_pilots_validation_add(pilots, 1, &pilot.cell, pilot.record, &validation) == SAL_OK);
  CU_ASSERT(validation.cells == 1 && validation.questions == 5 && validation.lost == 0);
  set_run(&c, RTOL_5 + ODE45, 100, 9e-6);  /* the useful one answers 1e-5 and above */
  set_run(&c, RTOL_4 + DOP853, 40, 9e-5);  /* wins 1e-4 */
  set_run(&c, RTOL_6 + DOP853, 500, 2e-6); /* answers 3e-6 alone */
  CU_ASSERT(sal_pilots_validation_add(pilots, 2, &c.cell, c.record, &validation) == SAL_OK);
  CU_ASSERT(validation.cells == 2 && validation.questions == 9);
  CU_ASSERT(validation.lost == 2 && validation.unanswered == 1 && validation.ratio[0] == 2.5);
  sal_pilots_validation_free(&validation);
  sal_pilots_free(&pilots);
  sal_sweep_free(&s);
}

SAL_TEST_MAIN("pilots", NULL, {"keys are checked", keys_are_checked},
              {"without the key there are none", without_the_key_there_are_none},
              {"what nearly wins is useful with its neighbours",
               what_nearly_wins_is_useful_with_its_neighbours},
              {"a cell goes by the pilots around it", a_cell_goes_by_the_pilots_around_it},
              {"a validation counts what is lost", an_audit_counts_what_is_lost})
