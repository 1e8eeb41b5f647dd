/** @file tests/sweep/test_scouts.c
 *  Scouts: the keys, what is useful around them, and the audit.
 */
#include "contender.h"
#include "refuse.h"
#include "scouts.h"
#include <math.h>

#define SOME(cells, tail)                                                                          \
  "model: monopod\nt_end: 5\nsolvers: [ode45, dop853]\nstrategies: [switch]\nrtol: [1e-3, 1e-5, "  \
  "1e-4, 1e-6]\ncells: {axes: [{columns: [b, k], sobol: [[500, 5000], [1, 100]], log: true, "      \
  "points: " cells "}]}\ncap: {error: 1e-6, loosest: 1e-4}\n" tail

enum { ODE45, DOP853, PAIRS, RTOL_3 = 0, RTOL_5 = 2, RTOL_4 = 4, RTOL_6 = 6, N = 8 };

static void keys_are_checked(void)
{
  refuse_text(SOME("64", "scouts: {cells: 15}\n"), "s.yaml:8", "scouts.cells = 15",
              "allowed: 0, or from scouts.nearest = 16 to all 64 cells");
  refuse_text(SOME("64", "scouts: {cells: 65}\n"), "s.yaml:8", "scouts.cells = 65",
              "to all 64 cells");
  refuse_text(SOME("64", "scouts: {cells: 16, within: 0.5}\n"), "s.yaml:8", "scouts.within = 0.5",
              "from 1");
  refuse_text(
      "model: monopod\nsolvers: [ode45]\nstrategies: [switch]\nrtol: [1e-3]\nscouts: {cells: "
      "16}\n",
      "s.yaml:5", "scouts.cells: the cells are not the points of one axis alone");
}

static void without_the_key_there_are_none(void)
{
  sal_sweep plain = accept_with(SOME("64", ""), 0, NULL),
            empty = accept_with(SOME("64", "scouts: {}\n"), 0, NULL),
            all = accept_with(SOME("64", "scouts: {cells: 32}\n"), 0, NULL),
            some = accept_with(SOME("64", "scouts: {cells: 32, audit: 5}\n"), 0, NULL);

  CU_ASSERT(sal_scouts_whole(&plain) == 0 && sal_scouts_whole(&empty) == 0);
  CU_ASSERT(sal_scouts_whole(&all) == 64 && sal_scouts_whole(&some) == 37);
  CU_ASSERT_PTR_NULL(strstr(plain.settled, "scouts"));
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

static void set_run(made_up_cell *c, int contender, double work, double error)
{
  c->record[contender].value[SAL_METRIC_RHS] = work;
  c->record[contender].value[SAL_METRIC_MAX_ERROR] = error;
}

/* The contenders that are useful in a cell, as bits. */
static unsigned useful_in(const sal_scouts *s, int64_t cell)
{
  bool useful[N];
  unsigned bits = 0;

  sal_scouts_useful(s, cell, useful);
  for (int k = 0; k < N; ++k) bits |= (unsigned)useful[k] << k;
  return bits;
}

#define BIT(k) (1U << (k))

/* Scouts 1 of 1: every cell goes by the one scout that there is. */
static void what_nearly_wins_is_useful_with_its_neighbours(void)
{
  sal_sweep s = accept_with(
      SOME("64", "scouts: {cells: 1, nearest: 1, within: 1.5, tolerances: 1}\n"), 0, NULL);
  sal_scouts *scouts = NULL;
  made_up_cell c = make_cell();

  CU_ASSERT_FATAL(sal_contender_count(&s) == N);
  CU_ASSERT_FATAL(sal_scouts_create(&s, &scouts) == SAL_OK);
  CU_ASSERT_EQUAL(useful_in(scouts, 40), (1U << N) - 1); /* nothing is known */
  set_run(&c, RTOL_4 + ODE45, 100, 9e-5);                /* wins 1e-4 */
  set_run(&c, RTOL_6 + DOP853, 149, 9e-7); /* wins 1e-6 to 3e-5, and nearly the other */
  set_run(&c, RTOL_6 + ODE45, 224, 9e-7);  /* not by far */
  sal_scouts_add(scouts, 0, &c.cell, c.record);
  CU_ASSERT_EQUAL(useful_in(scouts, 40), BIT(RTOL_3 + ODE45) | BIT(RTOL_4 + ODE45) |
                                             BIT(RTOL_5 + ODE45) | BIT(RTOL_5 + DOP853) |
                                             BIT(RTOL_6 + DOP853));
  set_run(&c, RTOL_6 + ODE45, 223, 9e-7); /* 1.5 x 149 = 223.5 */
  sal_scouts_add(scouts, 0, &c.cell, c.record);
  CU_ASSERT(useful_in(scouts, 40) & BIT(RTOL_6 + ODE45));
  sal_scouts_free(&scouts);
  CU_ASSERT_PTR_NULL(scouts);
  sal_sweep_free(&s);
}

/* The nearest scout by brute force over the logarithms of the box; -1: two are as near but for rounding. */
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

static void a_cell_goes_by_the_scouts_around_it(void)
{
  enum { SCOUTS = 8, CELLS = 200 };
  sal_sweep one = accept_with(SOME("200", "scouts: {cells: 8, nearest: 1, tolerances: 0}\n"), 0,
                              NULL),
            all = accept_with(SOME("200", "scouts: {cells: 8, nearest: 8, tolerances: 0}\n"), 0,
                              NULL);
  sal_scouts *by_one = NULL, *by_all = NULL;
  int64_t met[SCOUTS] = {0};

  CU_ASSERT_FATAL(sal_scouts_create(&one, &by_one) == SAL_OK);
  CU_ASSERT_FATAL(sal_scouts_create(&all, &by_all) == SAL_OK);
  for (int i = 0; i < SCOUTS; ++i) { /* each has a winner of its own */
    made_up_cell c = make_cell();
    set_run(&c, i, 10, 1e-7);
    sal_scouts_add(by_one, i, &c.cell, c.record);
    sal_scouts_add(by_all, i, &c.cell, c.record);
  }
  for (int64_t cell = SCOUTS; cell < CELLS; ++cell) {
    const int64_t nearest = nearest_of(&one, SCOUTS, cell);
    if (nearest < 0) continue;
    CU_ASSERT_EQUAL(useful_in(by_one, cell), 1U << nearest);
    CU_ASSERT_EQUAL(useful_in(by_all, cell), (1U << SCOUTS) - 1);
    ++met[nearest];
  }
  for (int i = 0; i < SCOUTS; ++i) CU_ASSERT(met[i] > 5);
  sal_scouts_free(&by_one);
  sal_scouts_free(&by_all);
  sal_sweep_free(&one);
  sal_sweep_free(&all);
}

/* Errors 1e-6, 3e-6, 1e-5, 3e-5, 1e-4. */
static void an_audit_counts_what_is_lost(void)
{
  sal_sweep s =
      accept_with(SOME("64", "scouts: {cells: 1, nearest: 1, tolerances: 0, audit: 3}\n"), 0, NULL);
  sal_scouts *scouts = NULL;
  sal_scouts_audit audit = {0};
  made_up_cell scout = make_cell(), c = make_cell();

  CU_ASSERT_FATAL(sal_scouts_create(&s, &scouts) == SAL_OK);
  set_run(&scout, RTOL_5 + ODE45, 100, 9e-7);
  sal_scouts_add(scouts, 0, &scout.cell, scout.record);
  CU_ASSERT(sal_scouts_audit_add(scouts, 1, &scout.cell, scout.record, &audit) == SAL_OK);
  CU_ASSERT(audit.cells == 1 && audit.questions == 5 && audit.lost == 0);
  set_run(&c, RTOL_5 + ODE45, 100, 9e-6);  /* the useful one answers 1e-5 and above */
  set_run(&c, RTOL_4 + DOP853, 40, 9e-5);  /* wins 1e-4 */
  set_run(&c, RTOL_6 + DOP853, 500, 2e-6); /* answers 3e-6 alone */
  CU_ASSERT(sal_scouts_audit_add(scouts, 2, &c.cell, c.record, &audit) == SAL_OK);
  CU_ASSERT(audit.cells == 2 && audit.questions == 9);
  CU_ASSERT(audit.lost == 2 && audit.unanswered == 1 && audit.ratio[0] == 2.5);
  sal_scouts_audit_free(&audit);
  sal_scouts_free(&scouts);
  sal_sweep_free(&s);
}

SAL_TEST_MAIN("scouts", NULL, {"keys are checked", keys_are_checked},
              {"without the key there are none", without_the_key_there_are_none},
              {"what nearly wins is useful with its neighbours",
               what_nearly_wins_is_useful_with_its_neighbours},
              {"a cell goes by the scouts around it", a_cell_goes_by_the_scouts_around_it},
              {"an audit counts what is lost", an_audit_counts_what_is_lost})
