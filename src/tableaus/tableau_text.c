/** From a tableau in 113 bits to the constants of the kernels: each is rounded once. */
#include "tableau_text.h"
#include "base.h"

/* The order of the error that steps are chosen by. */
static double power_of(const sal_tableau_reading *r)
{
  return 1.0 / (1 + (r->order < r->embedded ? r->order : r->embedded));
}

/* With a last stage at the new point, where the text has none. */
static void complete_stages(sal_tableau_reading *r)
{
  if (sal_tableau_ends_new(r)) return;
  for (int i = 0; i < r->stages; ++i) r->a[r->stages][i] = r->b[i];
  ++r->stages;
}

/* The cubic Hermite polynomial of the two ends. */
static void make_hermite(sal_tableau_reading *r)
{
  const int last = r->stages - 1;

  r->degree = 3;
  for (int i = 0; i <= last; ++i) {
    const sal_exact first = i == 0, end = i == last;
    r->dense[i][0] = first;
    r->dense[i][1] = 3 * r->b[i] - 2 * first - end;
    r->dense[i][2] = first + end - 2 * r->b[i];
  }
}

static void make_pair(sal_tableau_reading *r, sal_tableau *pair)
{
  complete_stages(r);
  if (r->degree == 0) make_hermite(r);
  pair->stages = pair->slots = r->stages;
  pair->degree = r->degree;
  pair->power = power_of(r);
  pair->shrink = r->shrink;
  pair->later = 0.5;
  for (int i = 0; i < r->stages; ++i) {
    sal_exact sum = 0;
    for (int j = 0; j < i; ++j) {
      sum += r->a[i][j];
      pair->table.a[i][j] = (double)r->a[i][j];
    }
    pair->table.c[i] = (double)sum;
    pair->e[i] = (double)(r->b[i] - r->b_hat[i]);
    for (int j = 0; j < r->degree; ++j) pair->dense[i][j] = (double)r->dense[i][j];
  }
}

typedef sal_exact square[SAL_MAX_STAGE][SAL_MAX_STAGE];

static void invert_triangle(int n, square m, square out)
{
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      sal_exact sum = i == j;
      for (int k = j; k < i; ++k) sum -= m[i][k] * out[k][j];
      out[i][j] = sum / m[i][i];
    }
}

/* sum_k row[k] m[k][j], k < n. */
static double times_column(int n, const sal_exact row[], size_t stride, square m, int j)
{
  sal_exact sum = 0;

  for (int k = j; k < n; ++k) sum += row[(size_t)k * stride] * m[k][j];
  return (double)sum;
}

static bool has_arguments_before(const sal_tableau_reading *r, int i)
{
  for (int j = 0; i > 0 && j < r->stages; ++j)
    if (r->a[i][j] != r->a[i - 1][j]) return false;
  return i > 0;
}

static void make_rosenbrock_stage(const sal_tableau_reading *r, square inverse, int i,
                                  sal_rosenbrock_w *made)
{
  const int n = r->stages;
  sal_exact alpha = 0, gamma = 0, e[SAL_MAX_STAGE];

  for (int j = 0; j < n; ++j) {
    alpha += r->a[i][j];
    gamma += r->gamma[i][j];
    e[j] = r->b[j] - r->b_hat[j];
  }
  for (int j = 0; j < i; ++j) {
    made->a[i][j] = times_column(n, r->a[i], 1, inverse, j);
    made->c[i][j] = (double)-inverse[i][j];
  }
  made->alpha[i] = (double)alpha;
  made->gamma_sum[i] = (double)gamma;
  made->m[i] = times_column(n, r->b, 1, inverse, i);
  made->e[i] = times_column(n, e, 1, inverse, i);
  made->shares[i] = has_arguments_before(r, i);
  for (int j = 0; j < r->degree; ++j)
    made->dense[i][j] = times_column(n, &r->dense[0][j], SAL_MAX_RK_DEGREE, inverse, i);
}

static void make_rosenbrock(sal_tableau_reading *r, sal_rosenbrock_w *made)
{
  square inverse = {{0}};

  invert_triangle(r->stages, r->gamma, inverse);
  made->stages = r->stages;
  made->degree = r->degree;
  made->gamma = (double)r->gamma[0][0];
  made->power = power_of(r);
  made->shrink = r->shrink;
  made->ends_new = sal_tableau_ends_new(r);
  for (int i = 0; i < r->stages; ++i) make_rosenbrock_stage(r, inverse, i, made);
}

static void count_slopes(sal_tableau_text *s, bool pair)
{
  const sal_rosenbrock_w *w = &s->made.rosenbrock;

  s->facts.stages = pair ? s->made.pair.stages : w->stages;
  s->facts.slopes = pair ? s->made.pair.stages - 1 : !w->ends_new;
  for (int i = 1; !pair && i < w->stages; ++i) s->facts.slopes += !w->shares[i];
}

static void describe_method(const sal_tableau_reading *r, sal_tableau_text *s)
{
  const bool poorer = s->facts.dense_order < r->order;

  s->method = (sal_method){.name = r->name,
                           .title = r->title,
                           .source = r->source,
                           .order = r->order,
                           .min_order = r->order,
                           .embedded = r->embedded,
                           .dense_order = poorer ? s->facts.dense_order : 0,
                           .restep = poorer,
                           .inner = &s->made};
  if (r->kind == SAL_TABLEAU_RUNGE_KUTTA) {
    s->method.w1 = &sal_given_pair_w1;
    s->method.w4 = SAL_W4(&sal_given_pair_w4);
    s->method.w8 = SAL_W8(&sal_given_pair_w8);
  } else {
    s->method.implicit = true;
    s->method.w1 = &sal_given_rosenbrock_w1;
    s->method.w4 = SAL_W4(&sal_given_rosenbrock_w4);
    s->method.w8 = SAL_W8(&sal_given_rosenbrock_w8);
  }
}

static sal_err read_text(sal_tableau_text *s)
{
  SAL_OWN sal_tableau_reading *r = sal_alloc(1, sizeof *r);

  if (!r || !s->path || !s->text)
    return sal_fail(SAL_ERR_MEMORY, "out of memory for a solver's text");
  if (strlen(s->text) > SAL_TABLEAU_BYTES)
    return sal_fail(SAL_ERR_INPUT, "%s: a solver's text of %zu bytes; allowed: to %d", s->path,
                    strlen(s->text), SAL_TABLEAU_BYTES);
  SAL_TRY(sal_document_parse(s->path, s->text, &s->document));
  SAL_TRY(sal_tableau_read(&s->document, r));
  SAL_TRY(sal_tableau_check(r, &s->facts));
  if (r->kind == SAL_TABLEAU_RUNGE_KUTTA)
    make_pair(r, &s->made.pair);
  else
    make_rosenbrock(r, &s->made.rosenbrock);
  count_slopes(s, r->kind == SAL_TABLEAU_RUNGE_KUTTA);
  describe_method(r, s);
  return SAL_OK;
}

sal_err sal_tableau_text_parse(const char *path, const char *text, sal_tableau_text **out)
{
  sal_tableau_text *s = sal_alloc(1, sizeof *s);

  *out = NULL;
  if (!s) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  s->path = sal_text_copy(path);
  s->text = sal_text_copy(text);
  const sal_err err = read_text(s);
  if (err == SAL_OK)
    *out = s;
  else
    sal_tableau_text_free(s);
  return err;
}

void sal_tableau_text_free(sal_tableau_text *s)
{
  if (!s) return;
  sal_document_free(&s->document);
  sal_free_all(s->text, s->path, s);
}

static sal_err provide(const char *path, const char *text, const double count[], sal_provided *out)
{
  (void)count;
  sal_tableau_text *s;

  SAL_TRY(sal_tableau_text_parse(path, text, &s));
  out->made = s;
  out->method = &s->method;
  return SAL_OK;
}
static void drop(void *made) { sal_tableau_text_free(made); }

const sal_provider sal_tableau_text_provider = {.gives = SAL_PROVIDES_SOLVERS,
                                                .name = "tableaus",
                                                .key = "tableau",
                                                .parse = provide,
                                                .free = drop};
