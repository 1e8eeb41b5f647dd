/** Marks of cells, gathered and compared in the order of cells. */
#include "basins.h"
#include "base.h"
#include "collective_error.h"
#include "quantiles.h"
#include "scramble.h"
#include "tile_rows.h"

enum { BATCHES = SAL_BASIN_VISITS }; /* of the visits that are kept */

/* A cell's mark: numbers, then a mean and a width of each state.  The width is the spread of a cycle, and the standard error
 * of the mean of what goes on and on. */
enum { KIND, EXPONENT, ERROR, STATES };
enum { LEAVES = -2, GOES_ON = -1, RESTS = 0 }; /* KIND, or the period of a cycle in visits */

/* Means of the same motion are alike within so many standard errors, and those of two are farther apart than so many;
 * cycles are the same within so many times orbit.alike. */
#define ALIKE 4.0
#define APART 10.0
#define CYCLE_ALIKE 100.0

enum { UNCERTAIN = 0 };

/* Attractors of a set of parameters; where motions do not settle each cell has one of its own. */
enum { MOST = 1000 };

struct sal_basins {
  const sal_sweep *sweep;
  sal_tile own;
  int n_value;     /* of a mark */
  double *mark;    /* [own.count][n_value] */
  int32_t *number; /* [n_cell] of the sweep, -1: none */
};

static int values_of(const sal_sweep *s) { return STATES + 2 * s->orbit.n_state; }

sal_err sal_basins_create(const sal_sweep *sweep, const sal_tile *own, sal_basins **out)
{
  sal_basins *b = *out = sal_alloc(1, sizeof *b);

  if (!b) return sal_fail(SAL_ERR_MEMORY, "no memory for basins");
  b->sweep = sweep;
  b->own = *own;
  b->n_value = values_of(sweep);
  b->mark = sal_alloc((size_t)own->count + 1, (size_t)b->n_value * sizeof *b->mark);
  b->number = sal_alloc((size_t)sweep->n_cell, sizeof *b->number);
  return b->mark && b->number ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for basins");
}

void sal_basins_free(sal_basins **basins)
{
  if (*basins) {
    sal_free_all((*basins)->mark, (*basins)->number);
  }
  sal_free(*basins);
  *basins = NULL;
}

/* ---- marks ---- */

static double mean_of(int n, const double x[])
{
  double sum = 0;

  for (int i = 0; i < n; ++i) sum += x[i];
  return sum / n;
}

static double spread_of(int n, const double x[], double mean)
{
  double squares = 0;

  for (int i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  return sqrt(squares / n);
}

/* Mean and width of the last visits x [n], of a cycle over whole periods. */
static void mark_state(int n, const double x[], double kind, double mark[2])
{
  double batch[BATCHES];

  if (kind > 0 && kind <= n) {
    const int whole = n - n % (int)kind;
    mark[0] = mean_of(whole, x + n - whole);
    mark[1] = spread_of(whole, x + n - whole, mark[0]);
    return;
  }
  for (int b = 0; b < BATCHES; ++b)
    batch[b] = mean_of(n * (b + 1) / BATCHES - n * b / BATCHES, x + n * b / BATCHES);
  mark[0] = mean_of(BATCHES, batch);
  mark[1] = spread_of(BATCHES, batch, mark[0]) / sqrt(BATCHES - 1);
}

static double kind_of(const double v[])
{
  const double verdict = v[SAL_CELL_VISITS_VERDICT];

  return verdict == SAL_IS_CYCLE            ? v[SAL_CELL_VISITS_PERIOD]
         : verdict == SAL_IS_EQUILIBRIUM    ? RESTS
         : verdict == SAL_IS_NO_CONVERGENCE ? GOES_ON
                                            : LEAVES;
}

void sal_basins_add(sal_basins *b, const sal_tile_result *r)
{
  const sal_long_run *o = &b->sweep->orbit;
  const int64_t at = sal_tile_rows_at(b->sweep, SAL_METRICS_BEFORE_ROWS + SAL_ROW_SECTION);

  for (int64_t i = 0; i < r->count; ++i) {
    const double *v = r->cell[i].value, *visits = r->row + i * r->n_row + at;
    double *mark = b->mark + (r->first - b->own.first + i) * b->n_value;
    mark[KIND] = kind_of(v);
    mark[EXPONENT] = o->exponents ? v[SAL_CELL_EXPONENT] : (double)NAN;
    mark[ERROR] = o->exponents ? v[SAL_CELL_EXPONENT_ERROR] : (double)NAN;
    for (int64_t k = 0; k < o->n_state; ++k)
      mark_state(o->kept, visits + k * o->kept, mark[KIND], mark + STATES + 2 * k);
  }
}

/* ---- comparison ---- */

/* How far two cycles are apart, in the size of the states. */
static double cycles_apart(const double a[], const double b[], int n_state)
{
  double most = 0, size, far = 0;

  for (int i = STATES; i < STATES + 2 * n_state; ++i) most = fmax(most, fabs(a[i]));
  for (int i = STATES; i < STATES + 2 * n_state; i += 2) {
    size = fmax(fabs(a[i]) + a[i + 1], 0.1 * most);
    for (int k = i; k < i + 2; ++k) far = fmax(far, fabs(a[k] - b[k]) / fmax(size, 1e-300));
  }
  return far;
}

static double errors_apart(double a, double b, double error_a, double error_b)
{
  const double off = fabs(a - b), error = sqrt(error_a * error_a + error_b * error_b);

  return off > 0 ? off / fmax(error, 1e-300) : 0; /* not of exponents that are not known */
}

/* How far two motions that go on and on are apart, in standard errors. */
static double motions_apart(const double a[], const double b[], int n_state)
{
  double far = errors_apart(a[EXPONENT], b[EXPONENT], a[ERROR], b[ERROR]);

  for (int i = STATES; i < STATES + 2 * n_state; i += 2)
    far = fmax(far, errors_apart(a[i], b[i], a[i + 1], b[i + 1]));
  return far;
}

/* Attractors of the cells of one set of parameters. */
typedef struct {
  const sal_basins *of;
  const double *mark; /* of all cells */
  int32_t n;
  int64_t *first; /* [n] the first cell of each */
} attractors;

/* The attractor of a cell: its number, UNCERTAIN, or 0 .. n for a new one. */
static int32_t find(const attractors *l, const double mark[])
{
  const int n_state = l->of->sweep->orbit.n_state;
  const double alike = CYCLE_ALIKE * l->of->sweep->orbit.alike;
  int32_t found = 0;
  bool close = false;

  if (mark[KIND] == GOES_ON && mark[EXPONENT] < -2 * mark[ERROR]) return UNCERTAIN; /* on its way */
  if (mark[KIND] > l->of->sweep->orbit.kept) return UNCERTAIN; /* a part of the cycle is stored */
  for (int32_t k = 0; k < l->n; ++k) {
    const double *other = l->mark + l->first[k] * l->of->n_value;
    if (other[KIND] != mark[KIND]) continue;
    if (mark[KIND] == RESTS) return k + 1;
    const double far = mark[KIND] > 0 ? cycles_apart(other, mark, n_state) / alike
                                      : motions_apart(other, mark, n_state) / ALIKE;
    close = close || (found && far <= 1) || (mark[KIND] < 0 && far > 1 && far <= APART / ALIKE);
    if (!found && far <= 1) found = k + 1;
  }
  return close ? UNCERTAIN : found ? found : l->n < MOST ? l->n + 1 : UNCERTAIN;
}

/* ---- all cells ---- */

typedef struct {
  int64_t key, cell;
} keyed;

/* Cells by their parameters. */
static void sort_cells(const sal_sweep *s, keyed list[])
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  for (int64_t i = 0; i < s->n_cell; ++i) {
    sal_sweep_cell(s, i, param, initial);
    const int n = s->model->n_param + s->model->n_option;
    list[i] = (keyed){(int64_t)sal_scramble_numbers(0, n, param), i};
  }
  sal_quantiles_sort_pairs(s->n_cell, sizeof *list, list);
}

sal_basins_size sal_basins_size_of(const sal_sweep *s, int n_rank)
{
  const double cells = sal_sweep_asks(s, SAL_GROUP_BASIN) ? (double)s->n_cell : 0;
  const double marks = cells * values_of(s) * sizeof(double);

  return (sal_basins_size){.marks = marks,
                           .own = marks / n_rank + cells * sizeof(int32_t),
                           .first = marks + cells * (sizeof(keyed) + sizeof(int64_t))};
}

static sal_err number_cells(sal_basins *b, const double mark[])
{
  const int64_t n = b->sweep->n_cell;
  SAL_OWN keyed *list = sal_alloc((size_t)n, sizeof *list);
  SAL_OWN int64_t *first = sal_alloc((size_t)n, sizeof *first);
  attractors l = {.of = b, .mark = mark, .first = first};

  if (!list || !first) return sal_fail(SAL_ERR_MEMORY, "no memory for basins");
  sort_cells(b->sweep, list);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t cell = list[i].cell;
    const double *of = mark + cell * b->n_value;
    if (i == 0 || list[i].key != list[i - 1].key) l.n = 0;
    b->number[cell] = of[KIND] == LEAVES ? -1 : find(&l, of);
    if (b->number[cell] > l.n) first[l.n++] = cell;
  }
  return SAL_OK;
}

sal_err sal_basins_number(MPI_Comm comm, sal_basins *b)
{
  SAL_OWN void *all = NULL;
  int64_t n;

  SAL_TRY(sal_collective_gather(comm, 0, b->own.count, (size_t)b->n_value * sizeof *b->mark,
                                b->mark, &n, &all));
  assert(n == b->sweep->n_cell);
  SAL_TRY(sal_collective_first(comm, number_cells(b, all)));
  SAL_TRY_MPI(MPI_Bcast(b->number, (int)n, MPI_INT32_T, 0, comm));
  return SAL_OK;
}

void sal_basins_fill(const sal_basins *b, sal_tile_result *r)
{
  for (int64_t i = 0; i < r->count; ++i) {
    const int32_t number = b->number[r->first + i];
    r->cell[i].value[SAL_CELL_BASIN] = number < 0 ? (double)NAN : number;
  }
}
