/** One trajectory as a file of its own. */
#include "provenance.h"
#include "table_write.h"
#include "variable.h"

/* Context of the functions below. */
typedef struct {
  const sal_h5 *file;
  const sal_setup *setup;
  const double *param;
  const sal_trajectory_table *table;
  sal_variable_dim time, event, contact;
  double *column; /* room for the longer dimension */
  char *coordinates;
} frame;

static sal_err put_scale(const frame *f, const sal_variable_dim *dim, const char *what,
                         const double *t)
{
  return sal_variable_create_scale(f->file, dim, SAL_DATATYPE_REAL,
                                   sal_units_of_time(f->setup->model), what, t);
}

/* A variable along one dimension. */
static sal_variable column_of(const char *name, const char *what, const char *kind,
                              sal_datatype type, const sal_variable_dim *dim)
{
  return (sal_variable){
      .name = name, .what = what, .kind = kind, .type = type, .n_dim = 1, .dim = dim};
}

/* The same of two words, by 0 and 1. */
static sal_variable flags_of(const char *name, const char *what, const char *no, const char *yes,
                             const sal_variable_dim *dim)
{
  sal_variable v = column_of(name, what, "flag", SAL_DATATYPE_FLAG, dim);

  v.n_flag = 2;
  v.flag[0] = no;
  v.flag[1] = yes;
  return v;
}

static sal_err put_along(const frame *f, sal_variable v, const void *data)
{
  v.coordinates = f->coordinates;
  return sal_variable_create(f->file, &v, data);
}

static sal_err put_states(const frame *f)
{
  const sal_trajectory_table *table = f->table;
  const sal_model *m = f->setup->model;

  SAL_TRY(put_scale(f, &f->time, "time", table->t));
  for (int i = 0; i < m->n_state; ++i) {
    sal_variable v = sal_variable_of_field(&m->state[i], m->state[i].name, 1, &f->time);
    v.kind = "real";
    v.missing = true;
    sal_datatype_pack(v.type, (int64_t)f->time.size, table->state + i, m->n_state, f->column);
    SAL_TRY(put_along(f, v, f->column));
  }
  if (!table->closed) return SAL_OK;
  return put_along(f, flags_of("mode", "is the contact closed?", "open", "closed", &f->time),
                   table->closed);
}

/* Writes the post-impact or the pre-impact states of each event. */
static sal_err put_event_states(const frame *f, const char *before, bool ahead)
{
  const sal_model *m = f->setup->model;
  const sal_event *event = f->table->event;

  for (int i = 0; i < m->n_state; ++i) {
    char name[160];
    snprintf(name, sizeof name, "%s_%s", before, m->state[i].name);
    sal_variable v = sal_variable_of_field(&m->state[i], name, 1, &f->event);
    v.kind = "real";
    for (int64_t k = 0; k < f->table->n_event; ++k)
      f->column[k] = ahead ? event[k].ahead[i] : event[k].y[i];
    SAL_TRY(put_along(f, v, f->column));
  }
  return SAL_OK;
}

/* Times, contacts and sides, closes or opens; a contact that rebounds is open again after its event. */
static sal_err put_events(const frame *f)
{
  const int64_t n = f->table->n_event;
  SAL_OWN const char **name = NULL;
  SAL_OWN int64_t *number = NULL;
  SAL_OWN int8_t *closes = NULL;
  sal_variable contact = column_of("event_contact", "number of the contact, from 0", "count",
                                   SAL_DATATYPE_WHOLE, &f->event);

  contact.unit = "1";
  SAL_TRY_ROOM(f->file, name, n);
  SAL_TRY_ROOM(f->file, number, n);
  SAL_TRY_ROOM(f->file, closes, n);
  for (int64_t i = 0; i < n; ++i) {
    const sal_event *event = &f->table->event[i];
    const sal_contact *of = sal_model_contact(f->setup->model, event->guard);
    f->column[i] = event->t;
    name[i] = event->closes ? of->closes : of->opens;
    number[i] = event->guard;
    closes[i] = event->closes ? 1 : 0;
  }
  SAL_TRY(put_scale(f, &f->event, "time of the event", f->column));
  SAL_TRY(put_along(
      f, column_of("event_name", "kind of the contact", "text", SAL_DATATYPE_TEXT, &f->event),
      name));
  SAL_TRY(put_along(f, contact, number));
  SAL_TRY(put_along(
      f, flags_of("event_closes", "does the contact close?", "opens", "closes", &f->event),
      closes));
  SAL_TRY(put_event_states(f, "event", false));
  return put_event_states(f, "ahead", true);
}

/* Which contacts are closed: a value of each, along another dimension where there is one. */
static sal_err put_closed(const frame *f, const char *name, const char *what,
                          const sal_variable_dim *along, const void *closed)
{
  enum { ROWS = 4096 };
  const sal_variable_dim dim[2] = {along ? *along : f->contact, f->contact};
  sal_variable v = flags_of(name, what, "open", "closed", dim);

  if (along) v.n_dim = 2;
  if (along) v.packed = along->size > ROWS ? ROWS : (int64_t)along->size;
  return closed ? sal_variable_create(f->file, &v, closed) : SAL_OK;
}

/* Names of the closing of each contact. */
static sal_err put_contact_names(const frame *f)
{
  const int n = f->table->n_guard;
  const sal_variable v =
      column_of("contact_closes", "name of its closing", "text", SAL_DATATYPE_TEXT, &f->contact);
  SAL_OWN const char **name = NULL;

  SAL_TRY_ROOM(f->file, name, n);
  for (int k = 0; k < n; ++k) {
    const char *closes = sal_model_contact(f->setup->model, k)->closes;
    name[k] = closes ? closes : "";
  }
  return sal_variable_create(f->file, &v, name);
}

static sal_err put_modes(const frame *f)
{
  const sal_trajectory_table *table = f->table;

  if (table->n_guard < 1 || (!table->start_closed && !table->sides)) return SAL_OK;
  SAL_TRY(
      sal_variable_create_numbers(f->file, &f->contact, 0, NULL, "number of the contact, from 0"));
  SAL_TRY(put_contact_names(f));
  SAL_TRY(put_closed(f, "start_closed", "is it closed ahead of the first event?", NULL,
                     table->start_closed));
  SAL_TRY(put_closed(f, "event_closed", "is it closed after the event?", &f->event,
                     table->start_closed ? table->event_closed : NULL));
  return put_closed(f, "closed", "is it closed?", &f->time, table->sides);
}

/* All coordinates at the rows of states [n][n_state], each from where the last one was. */
static sal_err put_positions(const frame *f, const char *name, const sal_variable_dim dim[2],
                             const double *(*state_at)(const frame *f, int64_t j))
{
  const sal_model *m = f->setup->model;
  const int64_t n = (int64_t)dim[0].size;
  SAL_OWN double *q = sal_alloc((size_t)(n * m->n_coordinate), sizeof *q);
  SAL_OWN double *memory = sal_alloc((size_t)m->n_memory + 1, sizeof *memory);
  sal_variable v = column_of(name, "coordinates of all bodies", "real", SAL_DATATYPE_REAL, dim);

  v.missing = true;
  v.n_dim = 2;
  if (!q || !memory) return sal_h5_full(f->file);
  for (int64_t j = 0; j < n; ++j)
    (void)m->coordinates(m->inner, f->param, state_at(f, j), memory, q + j * m->n_coordinate);
  return sal_variable_create(f->file, &v, q);
}

static const double *state_of_row(const frame *f, int64_t j)
{
  return f->table->state + j * f->setup->model->n_state;
}

static const double *state_of_event(const frame *f, int64_t j) { return f->table->event[j].y; }

static sal_err put_coordinates(const frame *f)
{
  const sal_model *m = f->setup->model;
  const sal_variable_dim all = {"body_coordinate", (hsize_t)m->n_coordinate};
  SAL_OWN const char **name = NULL;

  if (m->n_coordinate == 0) return SAL_OK;
  SAL_TRY_ROOM(f->file, name, m->n_coordinate);
  for (int i = 0; i < m->n_coordinate; ++i) name[i] = m->coordinate[i].name;
  SAL_TRY(sal_variable_create_scale(f->file, &all, SAL_DATATYPE_TEXT, NULL, "coordinate of a body",
                                    name));
  SAL_TRY(put_positions(f, "body_position", (sal_variable_dim[]){f->time, all}, state_of_row));
  return put_positions(f, "event_body_position", (sal_variable_dim[]){f->event, all},
                       state_of_event);
}

/* Multipliers of a periodic orbit. */
static sal_err put_multipliers(const frame *f)
{
  const sal_trajectory_table *table = f->table;
  const sal_variable_dim dim = {"multiplier", (hsize_t)table->n_multiplier};

  if (table->n_multiplier < 1) return SAL_OK;
  SAL_TRY(sal_h5_put(f->file, f->file->id, "period", H5T_NATIVE_DOUBLE, 0, &table->period));
  SAL_TRY(sal_variable_create_numbers(f->file, &dim, 1, NULL, "number"));
  sal_variable v = column_of("multiplier_re", "real parts of the Floquet multipliers", "real",
                             SAL_DATATYPE_REAL, &dim);
  v.unit = "1";
  SAL_TRY(sal_variable_create(f->file, &v, table->re));
  v.name = "multiplier_im";
  v.what = "imaginary parts";
  return sal_variable_create(f->file, &v, table->im);
}

/* The setup and how a run ended, as attributes of the root group. */
static sal_err put_attributes(const frame *f)
{
  const sal_setup *s = f->setup;
  const sal_trajectory_table *table = f->table;
  const sal_table_attribute attribute[] = {{"solver", s->method->name, 0},
                                           {"strategy", s->strategy->name, 0},
                                           {"rtol", NULL, s->rtol},
                                           {"atol", NULL, s->atol},
                                           {"t_end", NULL, s->t_end},
                                           {"max_step", NULL, s->max_step},
                                           {"fixed_step", NULL, s->fixed_step},
                                           {"outcome", table->outcome, 0},
                                           {"t_reached", NULL, table->t_reached},
                                           {"ending", table->ending, 0}};
  enum { OF_SETUP = 7, ALL = sizeof attribute / sizeof *attribute };

  return sal_table_attributes_write(
      f->file, !table->outcome ? OF_SETUP : ALL - (table->ending ? 0 : 1), attribute);
}

static sal_err fill_file(const frame *f)
{
  if (!f->coordinates || !f->column) return sal_h5_full(f->file);
  SAL_TRY(sal_provenance_of_build(f->file, SAL_PROVENANCE_TRAJECTORY, f->setup->model->title,
                                  f->setup->model));
  SAL_TRY(put_attributes(f));
  SAL_TRY(sal_table_parameters_write(f->file,
                                     &(sal_table){.model = f->setup->model, .param = f->param}));
  SAL_TRY(put_states(f));
  SAL_TRY(put_events(f));
  SAL_TRY(put_modes(f));
  SAL_TRY(put_coordinates(f));
  if (f->table->model_text)
    SAL_TRY(sal_h5_text_put(f->file, f->file->id, "model_text", f->table->model_text));
  return put_multipliers(f);
}

sal_err sal_trajectory_write(const char *path, const sal_setup *setup, const double param[],
                             const sal_trajectory_table *table)
{
  const int64_t n = table->n, n_event = table->n_event;
  SAL_OWN double *column = sal_alloc((size_t)(n > n_event ? n : n_event), sizeof *column);
  SAL_OWN char *coordinates = sal_variable_coordinates(NULL, setup->model, false);
  sal_h5 file;

  sal_h5_quiet();
  SAL_TRY(sal_h5_create(path, &file));
  frame f = {.file = &file,
             .setup = setup,
             .param = param,
             .table = table,
             .contact = {"contact", (hsize_t)table->n_guard},
             .time = {"t", (hsize_t)n},
             .event = {"event_t", (hsize_t)n_event},
             .column = column,
             .coordinates = coordinates};

  return sal_h5_finish(&file, fill_file(&f));
}
