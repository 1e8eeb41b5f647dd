/** Where a file comes from, as attributes of its root group. */
#include "provenance.h"
#include "base.h"
#include "plain_file.h"
#include "units.h"
#include "watched.h"
#include <time.h>
#include <unistd.h>

typedef struct {
  const char *name, *text;
} text_row;

typedef struct {
  const char *name;
  int64_t value;
} whole_row;

typedef struct {
  const char *name;
  double value;
} real_row;

static sal_err put_texts(const sal_h5 *file, int n, const text_row row[])
{
  for (int i = 0; i < n; ++i)
    SAL_TRY(sal_h5_text_put(file, file->id, row[i].name, row[i].text ? row[i].text : ""));
  return SAL_OK;
}

static sal_err put_wholes(const sal_h5 *file, int n, const whole_row row[])
{
  for (int i = 0; i < n; ++i)
    SAL_TRY(sal_h5_put(file, file->id, row[i].name, H5T_NATIVE_INT64, 0, &row[i].value));
  return SAL_OK;
}

static sal_err put_reals(const sal_h5 *file, int n, const real_row row[])
{
  for (int i = 0; i < n; ++i)
    SAL_TRY(sal_h5_put(file, file->id, row[i].name, H5T_NATIVE_DOUBLE, 0, &row[i].value));
  return SAL_OK;
}

/* How many rows a table has. */
#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))

sal_err sal_provenance_of_build(const sal_h5 *file, const char *content, const char *title,
                                const sal_model *model)
{
  sal_build build;
  char created[32], host[256] = "";
  const time_t now = time(NULL);
  struct tm utc;

  sal_build_describe(&build);
  strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  gethostname(host, sizeof host - 1);
  const text_row text[] = {{"Conventions", "CF-1.10"},
                           {"content", content},
                           {"title", title},
                           {"model", model->name},
                           {"model_title", model->title},
                           {"model_source", model->source},
                           {"watched_state", sal_model_watched_name(model)},
                           {"watched_unit", sal_units_watched(model)},
                           {"time_unit", sal_units_of_time(model)},
                           {"created", created},
                           {"host", host},
                           {"version", build.version},
                           {"git_commit", build.commit},
                           {"compiler", build.compiler},
                           {"compiler_flags", build.flags},
                           {"hdf5_version", build.hdf5},
                           {"mpi_version", build.mpi}};

  SAL_TRY(put_texts(file, ROWS(text), text));
  return put_wholes(file, 1, &(whole_row){"layout", SAL_PROVENANCE_LAYOUT});
}

static sal_err put_names(const sal_h5 *file, const char *name, int n, const sal_field field[])
{
  sal_text words = {0};

  for (int i = 0; i < n; ++i) sal_text_add(&words, "%s%s", i ? " " : "", field[i].name);
  return sal_h5_text_put_words(file, file->id, name, &words);
}

/* Where there is something: what the user has given libraries beside the sweep. */
static sal_err put_given(const sal_h5 *file, const sal_sweep *sweep)
{
  SAL_OWN char *given = sal_sweep_given(sweep);

  if (!given) return sal_h5_full(file);
  return *given ? sal_h5_text_put(file, file->id, "given", given) : SAL_OK;
}

/* The libraries whose integrators are among the methods, each with its version. */
static sal_err put_libraries(const sal_h5 *file, const sal_sweep *sweep)
{
  sal_text text = {0};

  for (int i = 0; i < sweep->n_method; ++i) {
    const sal_engine *e = sweep->method[i]->engine;
    bool listed = !e;
    for (int j = 0; j < i && !listed; ++j) {
      const sal_engine *before = sweep->method[j]->engine;
      listed = before && strcmp(before->library, e->library) == 0;
    }
    if (!listed) sal_text_add(&text, "%s%s %s", text.string ? ", " : "", e->library, e->version());
  }
  return sal_h5_text_put_words(file, file->id, "libraries", &text);
}

sal_err sal_provenance_of_sweep(const sal_h5 *file, const sal_sweep *sweep,
                                const sal_origin *origin)
{
  static const char *const reference[] = {
      [SAL_REFERENCE_CERTIFIED] = "certified", [SAL_REFERENCE_PAPER] = "paper"};
  static const char *const jacobian[] = {
      [SAL_JACOBIAN_DIFFERENCES] = "differences", [SAL_JACOBIAN_ANALYTIC] = "analytic"};
  static const char *const points[] = {
      [SAL_POINTS_GLOBAL] = "global", [SAL_POINTS_PER_CELL] = "per-cell"};
  const sal_model *model = sweep->model;
  const text_row text[] = {{"command", origin->command},
                           {"sweep", sweep->text},
                           {"sweep_file", sweep->path},
                           {"reference", reference[sweep->reference]},
                           {"jacobian", jacobian[sweep->jacobian]},
                           {"points_scope", points[sweep->points]}};
  const whole_row whole[] = {{"n_mesh", sweep->n_mesh},    {"max_attempts", sweep->max_attempts},
                             {"repeats", sweep->repeats},  {"ranks", origin->ranks},
                             {"threads", origin->threads}, {"width", origin->width}};
  const real_row real[] = {
      {"t_end", sweep->t_end},       {"mesh", sweep->mesh},
      {"max_step", sweep->max_step}, {"reference_tolerance", sweep->reference_tolerance},
      {"floor", sweep->floor},       {"wall_seconds", origin->wall_seconds}};

  SAL_TRY(put_texts(file, ROWS(text), text));
  SAL_TRY(put_wholes(file, ROWS(whole), whole));
  SAL_TRY(put_reals(file, ROWS(real), real));
  if (sal_sweep_has_engine(sweep)) SAL_TRY(put_libraries(file, sweep));
  SAL_TRY(put_given(file, sweep));
  if (origin->engine) SAL_TRY(sal_h5_text_put(file, file->id, "model_engine", origin->engine));
  if (origin->machine) SAL_TRY(sal_h5_text_put(file, file->id, "machine", origin->machine));
  if (origin->validation)
    SAL_TRY(sal_h5_text_put(file, file->id, "pilots_validation", origin->validation));
  SAL_TRY(put_names(file, "parameters", model->n_param, model->param));
  SAL_TRY(put_names(file, "states", model->n_state, model->state));
  return sal_h5_put(file, file->id, "epsilon", H5T_NATIVE_DOUBLE, sweep->n_tolerance,
                    sweep->epsilon);
}

static sal_err check_content(const sal_h5 *file, const char *content)
{
  SAL_OWN char *found = NULL;
  bool there;

  SAL_TRY(sal_h5_has_attribute(file, file->id, "content", &there));
  if (there) SAL_TRY(sal_h5_has_attribute(file, file->id, "layout", &there));
  if (!there) return sal_fail(SAL_ERR_INPUT, "%s: is an HDF5 file, but no %s", file->path, content);
  SAL_TRY(sal_h5_text_get(file, file->id, "content", &found));
  if (strcmp(found, content) == 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: holds a '%s', not a '%s'", file->path, found, content);
}

sal_err sal_provenance_open(const char *path, const char *what, const char *content, hid_t access,
                            sal_h5 *file)
{
  *file = (sal_h5){.id = -1, .path = path};
  SAL_TRY(sal_plain_file_check(path, what)); /* the system's message is more exact */
  if (H5Fis_hdf5(path) <= 0) return sal_fail(SAL_ERR_INPUT, "%s: is not an HDF5 file", path);
  SAL_TRY_H5(file, file->id = H5Fopen(path, H5F_ACC_RDONLY, access));
  const sal_err err = check_content(file, content);
  return err == SAL_OK ? SAL_OK : sal_h5_close(file, err);
}
