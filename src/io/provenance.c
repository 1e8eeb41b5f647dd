/** Where a file comes from, as attributes of its root group. */
#include "provenance.h"
#include "base.h"
#include "enum_words.h"
#include "plain_file.h"
#include "units.h"
#include "watched.h"
#include <time.h>
#include <unistd.h>

static sal_err put_text(const sal_h5 *file, const char *name, const char *text)
{
  return sal_h5_text_put(file, file->id, name, text ? text : "");
}

/* Statements for the rows of provenance.def. */
#define PUT_TEXT(name, value) SAL_TRY(put_text(file, name, value));
#define PUT_OPTIONAL(name, value)                                                                  \
  SAL_TRY((value) && *(value) ? put_text(file, name, value) : SAL_OK);
#define PUT_WHOLE(name, value)                                                                     \
  SAL_TRY(sal_h5_put(file, file->id, name, H5T_NATIVE_INT64, 0, &(int64_t){value}));
#define PUT_REAL(name, value)                                                                      \
  SAL_TRY(sal_h5_put(file, file->id, name, H5T_NATIVE_DOUBLE, 0, &(double){value}));
#define PUT(kind, name, value) PUT_##kind(name, value)
#define NOTHING(kind, name, value)
#define SAL_PROVENANCE(where, kind, name, value) IN_##where(kind, name, value)
#define SAL_PROVENANCE_SHOWN SAL_PROVENANCE

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
#define IN_BUILD PUT
#define IN_SWEEP NOTHING
#include "provenance.def"
#undef IN_BUILD
#undef IN_SWEEP
  return SAL_OK;
}

static sal_err put_names(const sal_h5 *file, const char *name, int n, const sal_field field[])
{
  sal_text words = {0};

  for (int i = 0; i < n; ++i) sal_text_add(&words, "%s%s", i ? " " : "", field[i].name);
  return sal_h5_text_put_words(file, file->id, name, &words);
}

/* The libraries whose integrators are among the methods, each with its version. */
static void list_libraries(const sal_sweep *sweep, sal_text *text)
{
  for (int i = 0; i < sweep->n_method; ++i) {
    const sal_engine *e = sweep->method[i]->engine;
    bool listed = !e;
    for (int j = 0; j < i && !listed; ++j) {
      const sal_engine *before = sweep->method[j]->engine;
      listed = before && strcmp(before->library, e->library) == 0;
    }
    if (!listed) sal_text_add(text, "%s%s %s", text->string ? ", " : "", e->library, e->version());
  }
}

sal_err sal_provenance_of_sweep(const sal_h5 *file, const sal_sweep *sweep,
                                const sal_origin *origin)
{
  const sal_model *model = sweep->model;
  SAL_OWN_BY(sal_text_free) sal_text text = {0};
  SAL_OWN char *given = sal_sweep_given(sweep); /* to libraries, by the user, beside the sweep */

  list_libraries(sweep, &text);
  if (!given || text.lost) return sal_h5_full(file);
  const char *libraries = text.string;
#define IN_BUILD NOTHING
#define IN_SWEEP PUT
#include "provenance.def"
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
