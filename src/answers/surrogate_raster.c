/** Points of a picture, and its axes. */
#include "base.h"
#include "surrogate.h"

enum { DRAWS = 256 }; /* points at which each quantity is drawn anew */

int64_t sal_surrogate_raster_count(const sal_surrogate_raster *r)
{
  return (int64_t)r->size[SAL_SURROGATE_X] * r->size[SAL_SURROGATE_Y] *
         r->size[SAL_SURROGATE_PANEL];
}

/* The value of a coordinate at a share of the way between its ends. */
static double value_between(const sal_surrogate_coordinates *c, int k, double lo, double hi,
                            double share)
{
  const sal_surrogate_coordinate *at = &c->at[k];
  const double from = sal_surrogate_coordinate_of(at, lo), to = sal_surrogate_coordinate_of(at, hi);
  const double value = sal_surrogate_coordinate_value(at, from + share * (to - from));

  return at->column < c->sweep->model->n_param && c->sweep->model->param[at->column].whole
             ? rint(value)
             : value;
}

/* The value half way between the ends of a coordinate, with three digits. */
static double middle_of(const sal_surrogate_coordinates *c, int k, double lo, double hi)
{
  char text[32];

  snprintf(text, sizeof text, "%.3g", value_between(c, k, lo, hi, 0.5));
  return strtod(text, NULL);
}

void sal_surrogate_raster_point(const sal_surrogate_raster *r, const sal_surrogate_coordinates *c,
                                int64_t i, double value[])
{
  memcpy(value, r->lo, sizeof r->lo);
  for (int a = 0; a < SAL_N_SURROGATE_AXIS; ++a) {
    const int64_t place = i % r->size[a];
    i /= r->size[a];
    if (r->axis[a] < 0) continue;
    const int column = c->at[r->axis[a]].column;
    value[column] = value_between(c, r->axis[a], r->lo[column], r->hi[column],
                                  ((double)place + 0.5) / r->size[a]);
  }
}

/** Two independent points of the box for each draw, and those that have the first's values but one. */
typedef struct {
  const sal_surrogate_coordinates *c;
  const double *lo, *hi;
  double step[2 * SAL_MAX_QUANTITY];
} drawing;

static double drawn_value(const drawing *d, int draw, int k, bool second)
{
  const double sum = 0.5 + draw * d->step[k + (second ? d->c->n : 0)];
  const int column = d->c->at[k].column;

  if (!(d->lo[column] < d->hi[column])) return d->lo[column];
  return value_between(d->c, k, d->lo[column], d->hi[column], sum - floor(sum));
}

/* The points of a draw: the first, the second, and the first with each coordinate of the second. */
static void draw_points(const drawing *d, int draw, double (*value)[SAL_MAX_QUANTITY])
{
  const int n = d->c->n;

  for (int p = 0; p < n + 2; ++p) {
    memcpy(value[p], d->lo, sizeof value[p]);
    for (int k = 0; k < n; ++k)
      value[p][d->c->at[k].column] = drawn_value(d, draw, k, p == 1 || p == k + 2);
  }
}

/* Number of the colour in a picture: the method, or the reason why there is none. */
static int colour_of(const sal_answer *a, int n_method)
{
  return a->pair >= 0 ? a->pair % n_method : -1 - (int)a->reason;
}

sal_err sal_surrogate_raster_decides(sal_surrogate *surrogate, const sal_surrogate_question *q,
                                     const double lo[], const double hi[], double share[])
{
  const sal_surrogate_coordinates *c = sal_surrogate_coordinates_of(surrogate);
  const int each = c->n + 2, m = c->sweep->n_method;
  drawing d = {.c = c, .lo = lo, .hi = hi};
  SAL_OWN double(*value)[SAL_MAX_QUANTITY] = sal_alloc((size_t)each * DRAWS, sizeof *value);
  SAL_OWN sal_answer *spot = sal_alloc((size_t)each * DRAWS, sizeof *spot);
  int64_t anywhere = 0, alone[SAL_MAX_QUANTITY] = {0};

  if (!value || !spot) return sal_fail(SAL_ERR_MEMORY, "no memory for the axes of a raster");
  sal_surrogate_box_sequence(2 * c->n, d.step);
  for (int i = 0; i < DRAWS; ++i) draw_points(&d, i, &value[(int64_t)i * each]);
  SAL_TRY(sal_surrogate_spots(surrogate, (int64_t)each * DRAWS, value, q, spot));
  for (int i = 0; i < DRAWS; ++i) {
    const sal_answer *s = &spot[(int64_t)i * each];
    anywhere += colour_of(&s[0], m) != colour_of(&s[1], m);
    for (int k = 0; k < c->n; ++k) alone[k] += colour_of(&s[0], m) != colour_of(&s[k + 2], m);
  }
  for (int k = 0; k < c->n; ++k) share[k] = anywhere > 0 ? (double)alone[k] / (double)anywhere : 0;
  return SAL_OK;
}

/* The free coordinate on no axis that decides most; -1: none. */
static int next_axis(const sal_surrogate_raster *r, const sal_surrogate_coordinates *c,
                     const double share[])
{
  int best = -1;

  for (int k = 0; k < c->n; ++k) {
    bool taken = !(r->lo[c->at[k].column] < r->hi[c->at[k].column]);
    for (int a = 0; a < SAL_N_SURROGATE_AXIS; ++a) taken = taken || r->axis[a] == k;
    if (!taken && (best < 0 || share[k] > share[best])) best = k;
  }
  return best;
}

void sal_surrogate_raster_settle(sal_surrogate_raster *r, const sal_surrogate_coordinates *c,
                                 const double share[])
{
  for (int a = 0; a < SAL_N_SURROGATE_AXIS; ++a) {
    if (r->axis[a] < 0 && r->size[a] > 1) r->axis[a] = next_axis(r, c, share);
    if (r->axis[a] < 0) r->size[a] = 1;
  }
  for (int k = next_axis(r, c, share); k >= 0; k = next_axis(r, c, share)) {
    const int column = c->at[k].column;
    r->lo[column] = r->hi[column] = middle_of(c, k, r->lo[column], r->hi[column]);
  }
}
