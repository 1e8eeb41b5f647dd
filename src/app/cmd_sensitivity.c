/** @file src/app/cmd_sensitivity.c
 *  saltus sensitivity: which axes decide what a question costs, and who answers it.
 */
#include "cli_performance.h"
#include "cli_question.h"
#include "command.h"
#include "contender.h"
#include "memory.h"
#include "parameter_column.h"
#include "recommend.h"
#include "sensitivity.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char            *path;
  bool                   json;
  sal_cli_question_words words;
  sal_performance_words  table;
} options;

static const struct argp_option option_table[] = {
    {"json", 'j', NULL, 0, "print one line of JSON", 0}, {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  options *o = state->input;

  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->words;
    state->child_inputs[1] = &o->table;
    break;
  case 'j':
    o->json = true;
    break;
  default:
    return sal_option_cube(key, arg, state, &o->path);
  }
  return 0;
}

static const char doc[] =
    "Say which share of the variance over the cells each axis explains: of the logarithm of the "
    "least work that reaches an error (by points, of the most points), of the method and strategy "
    "that win, and of the tolerance they win at."
    "\v`alone` is what the axis explains by itself, `with` what would be missing without it, that "
    "is with all it does together with other axes.  Both are exact for the cells of a grid.  The "
    "variance of names is 1 - sum p^2 of their shares p.  An axis of rows, random or Sobol points "
    "has a line for each of its quantities, from bins of about equal number, with what chance "
    "explains taken off.  Cells in which nobody answers do not count; then shares alone may add up "
    "to more than 100 %.\n\n"
    "Example:\n"
    "  saltus sensitivity atlas.h5 --error 1e-4\n"
    "  saltus sensitivity atlas.h5 --tol 1e-6 --weights sd=2,dt=0,iae=1 --json";
static const struct argp_child children[] = {
    {.argp = &sal_cli_question_argp}, {.argp = &sal_cli_performance_argp}, {0}};
static const struct argp argp = {.options  = option_table,
                                 .parser   = parse_option,
                                 .children = children,
                                 .args_doc = "CUBE.h5",
                                 .doc      = doc};

/* What is explained. */
enum { COST, PAIR, TOLERANCE, N_FIGURE };
static const char *const figure_names[N_FIGURE] = {"cost", "pair", "tolerance"};

/* Of one question. */
typedef struct {
  int64_t    n_cell, answered;
  int        n;
  sal_effect effect[N_FIGURE][SAL_MAX_EFFECT];
} finding;

/* One figure of all cells; how many words it has, 0: a number. */
static int take(const sal_performance_table *a, const sal_question *q, int figure,
                const sal_map_place place[], double out[])
{
  const int     pairs  = sal_contender_pairs(a->sweep);
  const int64_t n_cell = sal_sensitivity_cells(a->sweep);

  for (int64_t c = 0; c < n_cell; ++c) {
    const int best = place[c].best, word = figure == PAIR ? best % pairs : best / pairs;
    if (best < 0)
      out[c] = NAN;
    else if (figure == COST)
      out[c] = isnan(q->error) ? place[c].value : log(place[c].value);
    else
      out[c] = word;
  }
  return figure == COST ? 0 : figure == PAIR ? pairs : a->sweep->n_tolerance;
}

static sal_err find(const sal_performance_table *a, const sal_question *q,
                    const sal_map_place place[], finding *out)
{
  const int64_t n_cell = sal_sensitivity_cells(a->sweep);
  double       *figure = sal_alloc((size_t)n_cell, sizeof *figure);
  sal_err       err    = SAL_OK;

  if (!figure) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld cells", (long long)n_cell);
  *out = (finding){.n_cell = n_cell};
  for (int64_t c = 0; c < n_cell; ++c) out->answered += place[c].best >= 0;
  for (int f = 0; f < N_FIGURE && err == SAL_OK; ++f) {
    const int n_word = take(a, q, f, place, figure);
    err              = sal_sensitivity(a->sweep, n_word, figure, &out->n, out->effect[f]);
  }
  sal_free(figure);
  return err;
}

/* ---- printing ---- */

static const char *name_of(const sal_sweep *s, const sal_effect *e, char *text, size_t size)
{
  const sal_axis *axis = &s->axis[e->axis];

  if (e->column >= 0)
    snprintf(text, size, "  %s", sal_parameter_column_name(s->model, e->column));
  else if (axis->n_column == 1)
    snprintf(text, size, "%s", sal_parameter_column_name(s->model, axis->column[0]));
  else
    snprintf(text, size, "%s points", sal_axis_kind_name(axis->kind));
  return text;
}

static void print_share(FILE *out, double x)
{
  if (isnan(x))
    fprintf(out, "%9s ", "-");
  else
    fprintf(out, "%7.1f %%", 100 * x + 0.0);
}

/* What the axes explain alone, together; the rest takes several at once. */
static double sum_of(const finding *f, int figure)
{
  double sum = 0;

  for (int i = 0; i < f->n; ++i)
    if (f->effect[figure][i].column < 0) sum += f->effect[figure][i].alone;
  return sum;
}

static void print(FILE *out, const sal_performance_table *a, const sal_question *q,
                  const finding *f)
{
  char name[64];

  fprintf(out, "\n");
  sal_cli_question_print(out, a, q);
  fprintf(out, "; %lld of %lld cells\n", (long long)f->answered, (long long)f->n_cell);
  if (f->answered == 0) return;
  fprintf(out, "    %-16s%18s  %20s  %20s\n    %-16s", "",
          isnan(q->error) ? "most points" : "log of least work", "method and strategy", "tolerance",
          "axis");
  for (int g = 0; g < N_FIGURE; ++g) fprintf(out, "%s%9s%9s", g ? "    " : "", "alone", "with");
  fprintf(out, "\n");
  for (int i = 0; i < f->n; ++i) {
    fprintf(out, "    %-16s", name_of(a->sweep, &f->effect[0][i], name, sizeof name));
    for (int g = 0; g < N_FIGURE; ++g) {
      fprintf(out, "%s", g ? "    " : "");
      print_share(out, f->effect[g][i].alone);
      print_share(out, f->effect[g][i].with);
    }
    fprintf(out, "\n");
  }
  fprintf(out, "    %-16s", "all alone");
  for (int g = 0; g < N_FIGURE; ++g) {
    fprintf(out, "%s", g ? "    " : "");
    print_share(out, sum_of(f, g));
    fprintf(out, "%9s", "");
  }
  fprintf(out, "\n");
}

static void put(FILE *out, const sal_performance_table *a, const sal_question *q, const finding *f)
{
  fprintf(out, "{");
  sal_cli_question_json(out, a, q);
  fprintf(out, ", \"answered\": %lld", (long long)f->answered);
  for (int g = 0; g < N_FIGURE; ++g) {
    fprintf(out, ", \"%s\": [", figure_names[g]);
    for (int i = 0; i < f->n; ++i) {
      const sal_effect *e    = &f->effect[g][i];
      const sal_axis   *axis = &a->sweep->axis[e->axis];
      const int         k    = axis->n_column == 1 ? axis->column[0] : e->column;
      fprintf(out, "%s{\"axis\": %d, \"quantity\": ", i ? ", " : "", e->axis);
      fprintf(out, k < 0 ? "null%s" : "\"%s\"",
              k < 0 ? "" : sal_parameter_column_name(a->sweep->model, k));
      sal_json_number(out, "alone", e->alone);
      sal_json_number(out, "with", e->with);
      fprintf(out, "}");
    }
    fprintf(out, "]");
  }
  fprintf(out, "}");
}

/* ---- the command ---- */

static sal_err answer(const options *o, const sal_performance_table *a,
                      const sal_cli_questions *asked, const sal_map *map, FILE *out)
{
  const int64_t  n_cell = sal_sensitivity_cells(a->sweep);
  sal_map_place *place  = sal_alloc((size_t)n_cell, sizeof *place);
  finding        f;

  if (!place) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld cells", (long long)n_cell);
  fprintf(out,
          o->json ? "{\"model\": \"%s\", \"cells\": %lld, \"questions\": ["
                  : "shares of the variance over %s, %lld cells\n",
          a->sweep->model->name, (long long)n_cell);
  sal_err err = SAL_OK;
  for (int i = 0; i < asked->n && err == SAL_OK; ++i) {
    const sal_question *q = &asked->question[i];
    for (int64_t c = 0; c < n_cell; ++c)
      place[c] = isnan(q->error) ? map->by_points[c * map->n_tolerance + q->tolerance]
                                 : map->by_error[c * map->n_error + i];
    err = find(a, q, place, &f);
    if (err == SAL_OK && f.n == 0)
      err = sal_fail(SAL_ERR_INPUT, "%s: nothing varies in it", o->path);
    if (err != SAL_OK) break;
    if (o->json && i > 0) fprintf(out, ", ");
    (o->json ? put : print)(out, a, q, &f);
    if (f.answered == 0 && !asked->preset) err = sal_cli_question_unanswered(o->path, a, q);
  }
  if (o->json) fprintf(out, "]}\n");
  sal_free(place);
  return err;
}

/* The map that has the answers. */
static sal_err make_map(const sal_performance_cube *cube, const sal_cli_questions *asked,
                        sal_map *map)
{
  *map = (sal_map){0};
  memcpy(map->method, cube->method, sizeof map->method);
  memcpy(map->strategy, cube->strategy, sizeof map->strategy);
  if (isnan(asked->question[0].error))
    map->weights[map->n_weights++] = asked->question[0].weights;
  else
    while (map->n_error < asked->n) {
      map->error[map->n_error] = asked->question[map->n_error].error;
      ++map->n_error;
    }
  return sal_recommend(&cube->table, map);
}

sal_err sal_cmd_sensitivity(int argc, char *argv[], int *status)
{
  options              o = {0};
  sal_cli_questions    asked;
  sal_performance_cube cube;
  sal_map              map;
  char                *text = NULL;
  size_t               length;

  *status = 0;
  sal_parse(&argp, argc, argv, &o);
  SAL_TRY(sal_cli_question_open(o.path, &o.words, &o.table, &cube, &asked));
  FILE   *out = open_memstream(&text, &length); /* nothing is printed unless all is well */
  sal_err err =
      out ? make_map(&cube, &asked, &map) : sal_fail(SAL_ERR_MEMORY, "no memory for sensitivities");
  if (out && err == SAL_OK) err = answer(&o, &cube.table, &asked, &map, out);
  if (out) sal_map_free(&map);
  if (out) fclose(out);
  if (err == SAL_OK) fwrite(text, 1, length, stdout);
  free(text);
  sal_performance_cube_free(&cube);
  return err;
}
