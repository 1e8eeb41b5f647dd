/** The group of stored trajectories: its frame on the first rank, its values by all.
 *
 *  Datasets have their room in one piece and with the frame, so that ranks write values where they belong, on their own and
 *  in any order.
 */
#include "stored_write.h"
#include "atomic_file.h"
#include "base.h"
#include "collective_error.h"
#include "config.h"
#include "cube_frame.h"
#include "cube_open.h"
#include "group_seal.h"
#include "h5_part.h"
#include "raw.h"

enum { CELL, RTOL, TIME = RTOL + 3, N_DIM };
enum { MAX_SET = 2 * (SAL_MAX_STATE + 1), MAX_NAME = 128 };
enum { LABEL_ROOM = 1 << 16 }; /* bytes for the labels of a dataset, at most */

static const char reference[] = "reference_";

/* Context of the functions of the frame.  `group` stands for the file: names are those inside it. */
typedef struct {
  sal_h5 group;
  const sal_sweep *sweep;
  sal_variable_dim dim[N_DIM];
  char *coordinates;
  double *value; /* [n_cell] */
  void *packed;  /* [n_cell] of 8 bytes */
} frame;

static sal_err put_time(const frame *f)
{
  const int64_t n = f->sweep->stored.n_mesh;
  SAL_OWN double *t = NULL;

  SAL_TRY_ROOM(&f->group, t, n + 1);
  for (int64_t j = 0; j <= n; ++j) t[j] = f->sweep->t_end * (double)j / (double)n;
  return sal_variable_create_scale(&f->group, &f->dim[TIME], SAL_DATATYPE_REAL,
                                   sal_units_of_time(f->sweep->model), "time", t);
}

static sal_err put_scales(const frame *f)
{
  const sal_sweep *s = f->sweep;
  int64_t *cell = f->packed;

  for (int64_t i = 0; i < s->stored.n_cell; ++i) cell[i] = s->stored.cell[i] + 1;
  SAL_TRY(sal_cube_create_cells(&f->group, &f->dim[CELL], false, cell));
  SAL_TRY(sal_cube_create_lists(&f->group, s, &f->dim[RTOL], "integration method"));
  return put_time(f);
}

/* The model's parameters in the chosen cells. */
static sal_err put_parameters(const frame *f)
{
  const sal_model *m = f->sweep->model;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  for (int i = 0; i < m->n_param + m->n_option; ++i) {
    const sal_variable v = sal_variable_of_quantity(m, i, 1, &f->dim[CELL]);
    for (int64_t c = 0; c < f->sweep->stored.n_cell; ++c) {
      sal_sweep_cell(f->sweep, f->sweep->stored.cell[c], param, initial);
      f->value[c] = param[i];
    }
    sal_datatype_pack(v.type, f->sweep->stored.n_cell, f->value, 1, f->packed);
    SAL_TRY(sal_variable_create(&f->group, &v, f->packed));
  }
  return SAL_OK;
}

/* A state along `dim`, of configurations or, with a prefix, of the reference. */
static sal_err create_state(const frame *f, int i, const char *prefix, int n_dim,
                            const sal_variable_dim dim[])
{
  const sal_field *field = &f->sweep->model->state[i];
  char name[MAX_NAME], what[2 * MAX_NAME];

  snprintf(name, sizeof name, "%s%s", prefix, field->name);
  snprintf(what, sizeof what, "%s%s", field->what, *prefix ? ", reference" : "");
  sal_variable v = sal_variable_of_field(field, name, n_dim, dim);
  v.what = what;
  v.kind = "real";
  v.missing = true;
  v.at_once = true;
  v.in_one = true;
  v.run = f->sweep->stored.n_mesh + 1;
  v.coordinates = f->coordinates;
  return sal_variable_create(&f->group, &v, NULL);
}

static sal_err create_mode(const frame *f, const char *prefix, int n_dim,
                           const sal_variable_dim dim[])
{
  char name[MAX_NAME];

  snprintf(name, sizeof name, "%smode", prefix);
  const sal_variable v = {.name = name,
                          .what = *prefix ? "is the reference's contact closed?"
                                          : "is the contact closed, or why not known?",
                          .kind = "flag",
                          .type = SAL_DATATYPE_FLAG,
                          .at_once = true,
                          .in_one = true,
                          .run = f->sweep->stored.n_mesh + 1,
                          .n_dim = n_dim,
                          .dim = dim,
                          .coordinates = f->coordinates,
                          .n_flag = 4,
                          .flag = {"open", "closed", "ended", "incompatible"}};
  return sal_variable_create(&f->group, &v, NULL);
}

static sal_err fill_stored_frame(const frame *f)
{
  const sal_variable_dim of_reference[] = {f->dim[CELL], f->dim[TIME]};

  if (!f->coordinates || !f->value || !f->packed) return sal_h5_full(&f->group);
  SAL_TRY(put_scales(f));
  SAL_TRY(put_parameters(f));
  for (int i = 0; i < f->sweep->model->n_state; ++i) {
    SAL_TRY(create_state(f, i, "", N_DIM, f->dim));
    SAL_TRY(create_state(f, i, reference, 2, of_reference));
  }
  SAL_TRY(create_mode(f, "", N_DIM, f->dim));
  SAL_TRY(create_mode(f, reference, 2, of_reference));
  const sal_model *m = f->sweep->model;
  SAL_TRY(sal_h5_text_put(&f->group, f->group.id, "model", m->name));
  SAL_TRY(sal_h5_text_put(&f->group, f->group.id, "watched_state", m->state[m->watch].name));
  SAL_TRY(sal_h5_text_put(&f->group, f->group.id, "watched_unit", sal_units_watched(m)));
  SAL_TRY(sal_h5_text_put(&f->group, f->group.id, "time_unit", sal_units_of_time(m)));
  SAL_TRY(sal_h5_text_put(&f->group, f->group.id, "content", "saltus trajectories"));
  return sal_group_seal_prepare(&f->group);
}

static sal_err fill_stored_group(const sal_h5 *file, const sal_sweep *sweep)
{
  const size_t n = (size_t)sweep->stored.n_cell;
  SAL_OWN double *value = sal_alloc(n, sizeof *value);
  SAL_OWN double *packed = sal_alloc(n, sizeof *packed);
  H5O_info_t about = {.type = H5O_TYPE_GROUP};
  bool there;

  SAL_OWN char *coordinates = sal_variable_coordinates(SAL_CUBE_NUMBER, sweep->model, false);
  SAL_TRY(sal_h5_has(file, SAL_STORED_GROUP, &there));
  if (there)
    SAL_TRY_H5(file, H5Oget_info_by_name2(file->id, SAL_STORED_GROUP, &about, H5O_INFO_BASIC,
                                          H5P_DEFAULT));
  if (about.type != H5O_TYPE_GROUP) return sal_h5_is_new(file, SAL_STORED_GROUP);
  if (there) SAL_TRY_H5(file, H5Ldelete(file->id, SAL_STORED_GROUP, H5P_DEFAULT));
  SAL_HID group = -1;
  SAL_TRY(sal_h5_create_group(file, file->id, SAL_STORED_GROUP, &group));
  frame f = {.group = {group, file->path, SAL_DIMENSION_OF_STORED},
             .sweep = sweep,
             .dim = {{"cell", (hsize_t)n},
                     {"rtol", (hsize_t)sweep->n_tolerance},
                     {"strategy", (hsize_t)sweep->n_strategy},
                     {"solver", (hsize_t)sweep->n_method},
                     {"t", (hsize_t)sweep->stored.n_mesh + 1}},
             .coordinates = coordinates,
             .value = value,
             .packed = packed};

  return fill_stored_frame(&f);
}

/* Values, scales and labels. */
static int64_t room_for(const sal_sweep *s)
{
  const sal_model *m = s->model;
  const double bytes = sal_stored_bytes(&s->stored, sal_config_count(s), m->n_state);
  const int64_t along = s->stored.n_cell * (m->n_param + m->n_option + 1) + s->stored.n_mesh + 1;
  const int64_t sets = 2 * (m->n_state + 1) + m->n_param + m->n_option;

  return (int64_t)bytes + 8 * along + LABEL_ROOM * (sets + 1);
}

struct sal_stored_file {
  sal_shared_file data; /* path.part on all ranks */
  const sal_sweep *sweep;
  int n_set;             /* states and mode: of configurations, then of the reference */
  int64_t at[MAX_SET];   /* where the values of each begin in the file */
  uint64_t sum[MAX_SET]; /* this rank's share of the checksums */
  void *packed;          /* [n_mesh + 1] of 8 bytes */
  char path[];
};

/* The name of dataset i, in the order of the states, then the mode. */
static void name_set(const sal_model *m, int i, char name[2 * MAX_NAME])
{
  const int k = i % (m->n_state + 1);

  snprintf(name, (size_t)2 * MAX_NAME, "%s/%s%s", SAL_STORED_GROUP, i == k ? "" : reference,
           k < m->n_state ? m->state[k].name : "mode");
}

static sal_err find_sets(sal_stored_file *f, const sal_h5 *file)
{
  char name[2 * MAX_NAME];

  for (int i = 0; i < f->n_set; ++i) {
    name_set(f->sweep->model, i, name);
    SAL_HID set = H5Dopen2(file->id, name, H5P_DEFAULT);
    SAL_TRY_H5(file, set);
    const haddr_t at = H5Dget_offset(set);
    if (at == HADDR_UNDEF) return sal_h5_fail(file);
    f->at[i] = (int64_t)at;
  }
  return SAL_OK;
}

/* On the first rank. */
static sal_err make_group(sal_stored_file *f)
{
  sal_h5 file;

  SAL_TRY(sal_atomic_file_room(f->path, room_for(f->sweep)));
  sal_err err = sal_h5_part_open(f->path, NULL, &file);
  if (err == SAL_OK) err = fill_stored_group(&file, f->sweep);
  if (err == SAL_OK) err = find_sets(f, &file);
  return sal_h5_part_close(&file, err);
}

static sal_err make_file(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                         sal_stored_file **out)
{
  const size_t length = strlen(path) + 1, n = (size_t)sweep->stored.n_mesh + 1;
  sal_stored_file *f = *out = sal_alloc(1, sizeof *f + length);

  if (!f) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  memcpy(f->path, path, length);
  f->data = (sal_shared_file){.comm = comm, .fd = -1};
  f->sweep = sweep;
  f->n_set = 2 * (sweep->model->n_state + 1);
  f->packed = sal_alloc(n, sizeof(double));
  return f->packed ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
}

sal_err sal_stored_write_open(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                              sal_stored_file **out)
{
  sal_h5_quiet();
  SAL_TRY(sal_collective_error(comm, make_file(comm, path, sweep, out)));
  sal_stored_file *f = *out;
  assert(f);
  SAL_TRY(sal_collective_first(comm, make_group(f)));
  SAL_TRY_MPI(MPI_Bcast(f->at, f->n_set, MPI_INT64_T, 0, comm));
  return sal_shared_file_open(comm, NULL, f->path, &f->data);
}

/* Dataset i's values of trajectory number `run`, all its points. */
static sal_err put_column(sal_stored_file *f, int i, sal_datatype kept, int64_t run)
{
  const int64_t bytes = (f->sweep->stored.n_mesh + 1) * (int64_t)sal_datatype_size(kept);

  f->sum[i] += sal_checksum_of(run, 1, (size_t)bytes, f->packed);
  return sal_shared_file_put(&f->data, "a trajectory", f->at[i] + run * bytes, bytes, f->packed);
}

sal_err sal_stored_write_put(sal_stored_file *f, int64_t at, int config, const double state[],
                             const int8_t mode[])
{
  const sal_sweep *s = f->sweep;
  const int n = s->model->n_state, configs = sal_config_count(s);
  const bool of_reference = config == configs;
  const int first = of_reference ? n + 1 : 0;
  const int64_t run = of_reference ? at : at * configs + config;
  const int64_t points = s->stored.n_mesh + 1;

  for (int i = 0; i < n; ++i) {
    sal_datatype_pack(SAL_DATATYPE_REAL, points, state + i, n, f->packed);
    SAL_TRY(put_column(f, first + i, SAL_DATATYPE_REAL, run));
  }
  memcpy(f->packed, mode, (size_t)points);
  return put_column(f, first + n, SAL_DATATYPE_FLAG, run);
}

static sal_err seal_labels(const sal_h5 *file)
{
  SAL_HID group = H5Gopen2(file->id, SAL_STORED_GROUP, H5P_DEFAULT);
  SAL_TRY_H5(file, group);

  return sal_group_seal_put(&(sal_h5){.id = group, .path = file->path});
}

/* On the first rank, after all have closed the file: the checksums and the seal become valid. */
static sal_err seal_sets(const sal_stored_file *f, const uint64_t sum[])
{
  sal_h5 file;
  char name[2 * MAX_NAME];

  sal_err err = sal_h5_part_open(f->path, NULL, &file);
  for (int i = 0; i < f->n_set && err == SAL_OK; ++i) {
    name_set(f->sweep->model, i, name);
    SAL_HID set = H5Dopen2(file.id, name, H5P_DEFAULT);
    err = set < 0 ? sal_h5_fail(&file) : sal_checksum_put_sum(&file, set, sum[i]);
  }
  if (err == SAL_OK) err = seal_labels(&file);
  return sal_h5_part_close(&file, err);
}

static sal_err seal_group(const sal_stored_file *f)
{
  uint64_t sum[MAX_SET];

  SAL_TRY_MPI(MPI_Allreduce(f->sum, sum, f->n_set, MPI_UINT64_T, MPI_SUM, f->data.comm));
  return sal_collective_first(f->data.comm, seal_sets(f, sum));
}

sal_err sal_stored_write_close(sal_stored_file **file, sal_err err)
{
  sal_stored_file *f = *file;

  if (!f) return err;
  const sal_err closed = sal_shared_file_close(&f->data);
  if (err == SAL_OK) err = closed;
  if (err == SAL_OK) err = seal_group(f);
  sal_free_all(f->packed, f);
  *file = NULL;
  return err;
}

sal_err sal_stored_write_exists(const char *path, bool *there)
{
  sal_h5 cube;

  *there = false;
  SAL_TRY(sal_cube_open(path, &cube));
  return sal_h5_close(&cube, sal_h5_has(&cube, SAL_STORED_GROUP, there));
}
