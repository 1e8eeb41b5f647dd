/** @file src/io/trajectory_write.c
 *  One trajectory as a file of its own.
 */
#include "atomic_file.h"
#include "h5.h"
#include "provenance.h"
#include "table_file.h"
#include "variable.h"

/* What the parts below share. */
typedef struct {
  const sal_h5 *file;
  const sal_setup *setup;
  const double *param;
  sal_variable_dim time, event;
  double *column; /* room for the longer dimension */
  char *coordinates;
} frame;

static sal_err put_scale(const frame *f, const sal_variable_dim *dim, const char *what,
                         const double *t)
{
  return sal_variable_create_scale(f->file, dim, SAL_DATATYPE_REAL,
                                   sal_units_of_time(f->setup->model), what, t);
}

/* The parameters and options, each a single value. */
static sal_err put_parameters(const frame *f)
{
  const sal_model *m = f->setup->model;

  for (int i = 0; i < m->n_param; ++i) {
    const sal_variable v = sal_variable_of_field(&m->param[i], m->param[i].name, 0, NULL);
    SAL_TRY(sal_variable_create(f->file, &v, &f->param[i]));
  }
  for (int i = 0; i < m->n_option; ++i) {
    const sal_variable v = sal_variable_of_option(&m->option[i], 0, NULL);
    const int8_t choice = (int8_t)f->param[m->n_param + i];
    SAL_TRY(sal_variable_create(f->file, &v, &choice));
  }
  return SAL_OK;
}

static sal_err put_states(const frame *f, const double t[], const double state[],
                          const uint8_t closed[])
{
  const sal_model *m = f->setup->model;
  sal_variable mode = {.name = "mode",
                       .what = "is the contact closed?",
                       .kind = "flag",
                       .type = SAL_DATATYPE_FLAG,
                       .n_dim = 1,
                       .dim = &f->time,
                       .coordinates = f->coordinates,
                       .n_flag = 2,
                       .flag = {"open", "closed"}};

  SAL_TRY(put_scale(f, &f->time, "time", t));
  for (int i = 0; i < m->n_state; ++i) {
    sal_variable v = sal_variable_of_field(&m->state[i], m->state[i].name, 1, &f->time);
    v.kind = "real";
    v.missing = true;
    v.coordinates = f->coordinates;
    sal_datatype_pack(v.type, (int64_t)f->time.size, state + i, m->n_state, f->column);
    SAL_TRY(sal_variable_create(f->file, &v, f->column));
  }
  return closed ? sal_variable_create(f->file, &mode, closed) : SAL_OK;
}

static sal_err put_event_names(const frame *f, int64_t n, const sal_event event[])
{
  const sal_model *m = f->setup->model;
  SAL_OWN const char **name = NULL;
  sal_variable v = {.what = "what the contact does",
                    .name = "event_name",
                    .kind = "text",
                    .type = SAL_DATATYPE_TEXT,
                    .n_dim = 1,
                    .dim = &f->event,
                    .coordinates = f->coordinates};

  SAL_TRY_ROOM(f->file, name, n);
  for (int64_t i = 0; i < n; ++i) {
    const sal_contact *contact = sal_model_contact(m, event[i].guard);
    name[i] = event[i].closes ? contact->closes : contact->opens;
  }
  return sal_variable_create(f->file, &v, name);
}

static sal_err put_contacts(const frame *f, int64_t n, const sal_event event[])
{
  const sal_variable v = {.name = "event_contact",
                          .unit = "1",
                          .what = "number of the contact, from 0",
                          .kind = "count",
                          .type = SAL_DATATYPE_WHOLE,
                          .n_dim = 1,
                          .dim = &f->event,
                          .coordinates = f->coordinates};
  SAL_OWN int64_t *contact = NULL;

  SAL_TRY_ROOM(f->file, contact, n);
  for (int64_t i = 0; i < n; ++i) contact[i] = event[i].guard;
  return sal_variable_create(f->file, &v, contact);
}

static sal_err put_events(const frame *f, int64_t n, const sal_event event[])
{
  const sal_model *m = f->setup->model;

  for (int64_t i = 0; i < n; ++i) f->column[i] = event[i].t;
  SAL_TRY(put_scale(f, &f->event, "time of the event", f->column));
  SAL_TRY(put_event_names(f, n, event));
  SAL_TRY(put_contacts(f, n, event));
  for (int i = 0; i < m->n_state; ++i) {
    char name[128];
    snprintf(name, sizeof name, "event_%s", m->state[i].name);
    sal_variable v = sal_variable_of_field(&m->state[i], name, 1, &f->event);
    v.kind = "real";
    v.coordinates = f->coordinates;
    for (int64_t k = 0; k < n; ++k) f->column[k] = event[k].y[i];
    SAL_TRY(sal_variable_create(f->file, &v, f->column));
  }
  return SAL_OK;
}

/* The setup as attributes of the root group. */
static sal_err put_setup(const frame *f)
{
  const sal_setup *s = f->setup;
  const struct {
    const char *name, *text;
  } text[] = {{"solver", s->method->name}, {"strategy", s->strategy->name}};
  const struct {
    const char *name;
    double value;
  } real[] = {{"rtol", s->rtol},
              {"atol", s->atol},
              {"t_end", s->t_end},
              {"max_step", s->max_step},
              {"fixed_step", s->fixed_step}};

  for (size_t i = 0; i < sizeof text / sizeof text[0]; ++i)
    SAL_TRY(sal_h5_text_put(f->file, f->file->id, text[i].name, text[i].text));
  for (size_t i = 0; i < sizeof real / sizeof real[0]; ++i)
    SAL_TRY(sal_h5_put(f->file, f->file->id, real[i].name, H5T_NATIVE_DOUBLE, 0, &real[i].value));
  return SAL_OK;
}

static sal_err fill_file(const frame *f, const double t[], const double state[],
                         const uint8_t closed[], const sal_event event[])
{
  if (!f->coordinates || !f->column) return sal_h5_full(f->file);
  SAL_TRY(sal_provenance_of_build(f->file, SAL_PROVENANCE_TRAJECTORY, f->setup->model->title,
                                  f->setup->model));
  SAL_TRY(put_setup(f));
  SAL_TRY(put_parameters(f));
  SAL_TRY(put_states(f, t, state, closed));
  return put_events(f, (int64_t)f->event.size, event);
}

sal_err sal_trajectory_write(const char *path, const sal_setup *setup, const double param[],
                             int64_t n, const double t[], const double state[],
                             const uint8_t closed[], int64_t n_event, const sal_event event[])
{
  SAL_OWN double *column = sal_alloc((size_t)(n > n_event ? n : n_event), sizeof *column);
  SAL_OWN char *coordinates = sal_variable_coordinates(setup->model, false);
  sal_h5 file;

  sal_h5_quiet();
  SAL_TRY(sal_h5_create(path, &file));
  frame f = {.file = &file,
             .setup = setup,
             .param = param,
             .time = {"t", (hsize_t)n},
             .event = {"event_t", (hsize_t)n_event},
             .column = column,
             .coordinates = coordinates};

  return sal_h5_finish(&file, fill_file(&f, t, state, closed, event));
}
