/** saltus raster: which solver answers where, point by point, as a picture has it. */
#include "atomic_file.h"
#include "base.h"
#include "cli_compile.h"
#include "cli_performance.h"
#include "collective_error.h"
#include "plain_file.h"
#include "raster_write.h"

enum { MOST_PIXELS = 4096, MOST_PANELS = 64 };

typedef struct {
  int x, y;
} pixels;

typedef struct {
  const char *path, *at, *error, *out, *axis[SAL_N_SURROGATE_AXIS];
  pixels size;
  int64_t panels;
  bool json, force;
  sal_cli_performance_words table;
  sal_cli_compile compile;
} options;
static const options presets = {.size = {200, 200}, .panels = 1};

/* "200x120", or one number for both. */
static sal_err parse_size(const char *where, const char *text, void *value)
{
  pixels *p = value;
  char *end;
  const long x = strtol(text, &end, 10);
  const long y = *end == 'x' ? strtol(end + 1, &end, 10) : x;

  if (end == text || *end != '\0' || x < 1 || y < 1 || x > MOST_PIXELS || y > MOST_PIXELS)
    return sal_fail(SAL_ERR_USAGE,
                    "%s: '%s' is not a size; allowed: 200x120, or 200 for both, 1..%d", where, text,
                    MOST_PIXELS);
  *p = (pixels){(int)x, (int)y};
  return SAL_OK;
}

#define OPTIONS_OF_raster
#include "options.def"

static sal_err check_raster(void *given)
{
  const options *o = given;
  double error;

  if (o->axis[SAL_SURROGATE_PANEL] && o->panels < 2)
    return sal_fail(SAL_ERR_USAGE, "--across goes with --panels 2 or more");
  return sal_cli_performance_error(o->error, NULL, &error);
}

/* The coordinate of that name; it must not be fixed. */
static sal_err find_axis(const sal_raster_cube *r, const char *where, const char *name, int *k)
{
  const sal_surrogate_coordinates *c = sal_surrogate_coordinates_of(r->surrogate);
  const char *names[SAL_MAX_QUANTITY + 1] = {NULL};

  for (*k = 0; *k < c->n; ++*k) {
    const int column = c->at[*k].column;
    names[*k] = sal_parameter_column_name(c->sweep->model, column);
    if (strcmp(names[*k], name) != 0) continue;
    if (r->raster.lo[column] < r->raster.hi[column]) return SAL_OK;
    return sal_fail(SAL_ERR_USAGE, "%s: %s is fixed by --at", where, name);
  }
  return sal_text_unknown(SAL_ERR_USAGE, where, "axis", name, names);
}

static sal_err find_axes(const options *o, sal_raster_cube *r)
{
  static const char *const where[] = {"--x", "--y", "--across"};
  const int size[] = {o->size.x, o->size.y, (int)o->panels};

  for (int a = 0; a < SAL_N_SURROGATE_AXIS; ++a) {
    r->raster.size[a] = size[a];
    r->raster.axis[a] = -1;
    if (o->axis[a]) SAL_TRY(find_axis(r, where[a], o->axis[a], &r->raster.axis[a]));
    for (int b = 0; b < a; ++b)
      if (o->axis[a] && r->raster.axis[a] == r->raster.axis[b])
        return sal_fail(SAL_ERR_USAGE, "%s and %s: %s is asked for twice", where[b], where[a],
                        o->axis[a]);
  }
  return SAL_OK;
}

/* The file must not take the place of another one, or of the cube that it is made from. */
static sal_err check_output(const options *o)
{
  SAL_TRY(sal_file_role_read_at(o->path));
  return sal_atomic_file_claim(o->out, "the output", o->force);
}

/* Everything before the points, on each rank. */
static sal_err prepare(const options *o, sal_raster_cube *r)
{
  const sal_performance_chooser chooser = sal_cli_performance_chooser(&o->table);
  bool box;

  SAL_TRY(sal_performance_cube_begin(o->path, &chooser, SAL_PERFORMANCE_ERRORS, &r->cube));
  SAL_TRY(sal_cli_performance_error(o->error, &r->cube.table, &r->question.error));
  SAL_TRY(sal_parameter_box_parse("--at", &r->cube.sweep, o->at, r->raster.lo, r->raster.hi, &box));
  if (!box) return sal_fail(SAL_ERR_USAGE, "--at: one point is not a raster; leave out an axis");
  SAL_TRY(sal_raster_cube_open(r, "--at"));
  SAL_TRY(find_axes(o, r));
  return sal_raster_cube_settle(r);
}

static void print_axes(sal_report *report, const sal_raster_cube *r)
{
  static const char *const name[] = {"x", "y", "panels"};
  const sal_surrogate_coordinates *c = sal_surrogate_coordinates_of(r->surrogate);
  char text[SAL_RASTER_TEXT];

  sal_report_say(report, "%lld points", (long long)r->n);
  sal_json_whole(&report->json, "points", r->n);
  for (int a = 0; a < SAL_N_SURROGATE_AXIS; ++a) {
    if (r->raster.axis[a] < 0) continue;
    const char *axis = sal_parameter_column_name(c->sweep->model, c->at[r->raster.axis[a]].column);
    sal_json_text(&report->json, name[a], axis);
    sal_report_say(report, ", %s %d of %s", name[a], r->raster.size[a], axis);
  }
  sal_json_text(&report->json, "at", sal_raster_still(r, text));
  if (text[0]) sal_report_say(report, ", at %s", text);
  sal_report_say(report, "\nhow much each axis decides: %s\n", sal_raster_decides(r, text));
}

static const struct {
  sal_reason reason;
  const char *said;
} none[] = {{SAL_REASON_NO_CONFIG, "none reaches it"},
            {SAL_REASON_NO_REFERENCE, "not known"},
            {SAL_REASON_CAPTURED, "not known: captured"}};

/* How many points have each solver, and neither. */
static void print_shares(sal_report *report, const sal_raster_cube *r)
{
  const sal_sweep *s = &r->cube.sweep;
  int64_t of[SAL_MAX_LIST] = {0}, without[SAL_N_REASON] = {0};

  for (int64_t i = 0; i < r->n; ++i) {
    const sal_answer *a = &r->spot[i];
    if (a->pair >= 0)
      ++of[a->pair % s->n_method];
    else
      ++without[a->reason];
  }
  sal_json_object(&report->json, "answers");
  for (int k = 0; k < s->n_method; ++k) {
    if (of[k] == 0) continue;
    sal_json_whole(&report->json, s->method[k]->name, of[k]);
    sal_report_line(report, 24, s->method[k]->name, "%.1f %%",
                    100.0 * (double)of[k] / (double)r->n);
  }
  sal_json_end(&report->json);
  for (int k = 0; k < 3; ++k) {
    const int64_t n = without[none[k].reason];
    sal_json_whole(&report->json, sal_map_reasons[none[k].reason].label, n);
    if (n == 0) continue;
    sal_report_line(report, 24, none[k].said, "%.1f %%", 100.0 * (double)n / (double)r->n);
  }
}

static void print_raster(const options *o, const sal_raster_cube *r)
{
  char text[SAL_RASTER_TEXT];

  sal_report report = sal_report_begin(stdout, o->json);
  sal_json_text(&report.json, "file", o->out);
  sal_cli_question_print(&report, &r->cube.table, &(sal_question){.error = r->question.error});
  sal_report_say(&report, "\n");
  sal_json_text(&report.json, "decides", sal_raster_decides(r, text));
  print_axes(&report, r);
  print_shares(&report, r);
  sal_report_say(&report, "%s\n", o->out);
  sal_report_end(&report);
}

static sal_err run_raster(void *given, sal_command_call *call)
{
  const options *o = given;
  SAL_OWN_BY(sal_raster_cube_free) sal_raster_cube r = {.question = {.probability = NAN}};

  SAL_TRY(sal_cli_compile_given(&o->compile, call));
  SAL_TRY(sal_collective_first(call->comm, check_output(o)));
  SAL_TRY(sal_raster_cube_ask(call->comm, &r, prepare(o, &r)));
  if (call->rank != 0) return SAL_OK;
  SAL_TRY(sal_raster_write(o->out, &r));
  print_raster(o, &r);
  return SAL_OK;
}

const sal_command_code sal_cmd_raster = {
    .table = {{rows, 0},
              {sal_cli_performance_options, offsetof(options, table)},
              {sal_cli_given_options, offsetof(options, compile)}},
    SAL_COMMAND_OPTIONS(presets),
    .check = check_raster,
    .run = run_raster};
