/** Half a byte for the classes of a configuration's work and error, and these; memory for rows. */
#include "base.h"
#include "environment.h"
#include "map_rows.h"

/* Work without times is a sum of fifteenths of an evaluation of f (sal_work_of_model): a multiple, and after it OFF bits of the
 * distance from it in units of the last place, take three bytes or four. */
enum { FIFTEENTHS = 15, OFF = 4, MIDDLE = 1 << (OFF - 1), ALL_OFF = (1 << OFF) - 1 };
static const double most_multiple = (1 << 28) - 1;

/* Work: class % N_WORK, NO_WORK and so on; error: class / N_WORK. */
enum { NO_WORK, THREE, FOUR, WORK, N_WORK };
static const size_t work_bytes[N_WORK] = {0, 3, 4, sizeof(double)};
enum { NO_ERROR, STOPPED, ERROR };
enum { POINTS = 3 };

static int64_t bits_of(double v)
{
  int64_t bits;

  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static unsigned shorten(double work, uint32_t *out)
{
  const double multiple = rint(work * FIFTEENTHS);

  if (isnan(work)) return NO_WORK;
  if (!(multiple >= 0 && multiple <= most_multiple)) return WORK;
  const int64_t off = bits_of(work) - bits_of(multiple / FIFTEENTHS) + MIDDLE;
  *out = ((uint32_t)multiple << OFF) | ((uint32_t)off & ALL_OFF);
  return off < 0 || off > ALL_OFF ? WORK : *out >> 24 ? FOUR : THREE;
}

static double lengthen(uint32_t in)
{
  const int64_t bits = bits_of((in >> OFF) / (double)FIFTEENTHS) + (in & ALL_OFF) - MIDDLE;
  double work;

  memcpy(&work, &bits, sizeof work);
  return work;
}

static void put(char **to, const void *from, size_t n)
{
  memcpy(*to, from, n);
  *to += n;
}

static void take(const char **from, void *to, size_t n)
{
  memcpy(to, *from, n);
  *from += n;
}

static unsigned put_work(double work, char **to)
{
  uint32_t some; /* its low bytes come first on all machines that there are kernels for */
  const unsigned class = shorten(work, &some);

  put(to, class == WORK ? (const void *)&work : &some, work_bytes[class]);
  return class;
}

static double take_work(unsigned class, const char **from)
{
  double work = NAN;
  uint32_t some = 0;

  take(from, class == WORK ? (void *)&work : &some, work_bytes[class]);
  return class == THREE || class == FOUR ? lengthen(some) : work;
}

/* How many levels are below a least error. */
static int levels_below(const sal_row_levels *levels, double least)
{
  int n = 0;

  while (n < levels->n && least > levels->error[n]) ++n;
  return n;
}

static unsigned put_error(const sal_row_levels *levels, double error, double least, char **to)
{
  if (isnan(error)) return NO_ERROR;
  if (isfinite(error)) {
    put(to, &error, sizeof error);
    return ERROR;
  }
  *(*to)++ = (char)levels_below(levels, least);
  return STOPPED;
}

static void take_error(const sal_row_levels *levels, unsigned class, const char **from,
                       double *error, double *least)
{
  *error = *least = NAN;
  if (class == ERROR) take(from, error, sizeof *error);
  if (class != STOPPED) return;
  const unsigned below = (unsigned char)*(*from)++;
  *error = INFINITY;
  *least = below > 0 ? nextafter(levels->error[below - 1], INFINITY) : 0;
}

size_t sal_row_pack_most(int n_config, bool points)
{
  const size_t n = (size_t)n_config;

  return sizeof(double) * (1 + (points ? 2 + POINTS : 2) * n) + (n + 1) / 2;
}

size_t sal_row_pack(const sal_row_levels *levels, const sal_performance_table *t, int64_t row,
                    char *packed)
{
  const int64_t n = t->n_config;
  unsigned char *class = (unsigned char *)packed + sizeof(double);
  char *to = packed + sizeof(double) + (n + 1) / 2;

  memcpy(packed, &t->reference_error[row], sizeof(double));
  memset(class, 0, (size_t)(n + 1) / 2);
  for (int64_t i = 0, at = row * n; i < n; ++i, ++at) {
    const unsigned work = put_work(t->work[at], &to);
    const unsigned error = put_error(levels, t->error[at], t->least_error[at], &to);
    class[i / 2] |= (unsigned char)((work + N_WORK * error) << 4 * (i % 2));
  }
  return (size_t)(to - packed);
}

size_t sal_row_unpack(const sal_row_levels *levels, const char *packed, sal_performance_table *t,
                      int64_t row)
{
  const int64_t n = t->n_config;
  const unsigned char *class = (const unsigned char *)packed + sizeof(double);
  const char *from = packed + sizeof(double) + (n + 1) / 2;

  memcpy(&t->reference_error[row], packed, sizeof(double));
  for (int64_t i = 0, at = row * n; i < n; ++i, ++at) {
    const unsigned both = class[i / 2] >> 4 * (i % 2) & 15;
    t->work[at] = take_work(both % N_WORK, &from);
    take_error(levels, both / N_WORK, &from, &t->error[at], &t->least_error[at]);
  }
  return (size_t)(from - packed);
}

size_t sal_row_pack_points(const sal_performance_table *t, int64_t row, char *packed)
{
  const double *const point[POINTS] = {t->sd, t->dt, t->iae};
  char *to = packed;

  for (int64_t at = row * t->n_config; at < (row + 1) * t->n_config; ++at)
    for (int k = 0; k < POINTS && isfinite(t->error[at]); ++k)
      put(&to, &point[k][at], sizeof(double));
  return (size_t)(to - packed);
}

void sal_row_unpack_points(const char *packed, sal_performance_table *t, int64_t row)
{
  double *const point[POINTS] = {t->sd, t->dt, t->iae};

  for (int64_t at = row * t->n_config; at < (row + 1) * t->n_config; ++at)
    for (int k = 0; k < POINTS; ++k) {
      point[k][at] = NAN;
      if (isfinite(t->error[at])) take(&packed, &point[k][at], sizeof(double));
    }
}

/* Memory for rows of a map that are read, in boxes [B]. */
static const double near_bytes = 3.2e7;

double sal_row_store_memory(void) { return sal_environment_number(SAL_ENVIRONMENT_ROWS_MEMORY); }

double sal_row_store_bytes(int64_t n_cell, int n_rank, int n_config, bool points)
{
  return ceil((double)n_cell / n_rank) *
         (double)(SAL_MAP_ROW_PLACE + sal_row_pack_most(n_config, points));
}

sal_err sal_row_store_check(int64_t n_cell, int n_rank, int n_config, bool points)
{
  const double bytes = sal_row_store_bytes(n_cell, n_rank, n_config, points);
  const double most = sal_row_store_memory(), each = sal_row_store_bytes(1, 1, n_config, points);
  char enough[128] = "";

  if (bytes <= most) return SAL_OK;
  if (most >= each)
    snprintf(enough, sizeof enough, "; %.0f ranks suffice: mpirun -n N saltus map CUBE",
             ceil((double)n_cell / floor(most / each)));
  return sal_fail(SAL_ERR_INPUT,
                  "the rows of the map take %.3g MB in each of %d rank%s; allowed: %.3g MB "
                  "(SALTUS_ROWS_MEMORY)%s",
                  bytes / 1e6, n_rank, sal_text_plural(n_rank), most / 1e6, enough);
}

int sal_row_store_coordinates(const sal_sweep *s)
{
  int n = 0;

  if (s->scattered.point.n_point > 0) return 0;
  for (int a = 0; a < s->n_axis; ++a) {
    const sal_axis *axis = &s->axis[a];
    if (axis->n_point == 1) continue;
    if (sal_axis_joint(axis) && !sal_axis_is_smooth_sequence(axis)) return 0;
    n += axis->n_column;
  }
  return n;
}

/* Where cells follow each other by boxes those around a place are needed but for a while. */
double sal_row_store_read(const sal_sweep *s)
{
  return sal_row_store_coordinates(s) > 0 ? near_bytes : sal_surrogate_rows_memory;
}
