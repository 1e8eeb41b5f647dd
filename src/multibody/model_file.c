/** From a text to a descriptor that everything else can use. */
#include "model_file.h"
#include "base.h"
#include "count_field.h"
#include "impact.h"
#include "members.h"
#include "reading.h"
#include "state_space.h"
#include "value.h"
#include "watched.h"

struct sal_model_file {
  char *path, *text, *note, *way;
  sal_document document; /* names are its texts */
  sal_system system;
  sal_model model;
  sal_state_space space;
  sal_scalar_functions functions;
  sal_coordinates coordinates;
  char label[SAL_MAX_STATE][2 * SAL_LABEL];
};

static const char *const keys[] = {
    "name",         "title",     "source",      "gravity",   "span",       "longest_step",
    "watch",        "reference", "independent", "partition", "parameters", "bodies",
    "joints",       "springs",   "tires",       "contacts",  "road",       "section",
    "capture_unit", "counts",    "impacts",     "scale",     NULL};
static const char *const param_keys[] = {"unit", "what", "preset", "range", "allowed", NULL};

static sal_err read_range(const sal_reading *r, int mapping, const char *key, double *lo,
                          double *hi)
{
  const int node = sal_document_child(r->document, mapping, key);

  if (!node) return SAL_OK;
  if (sal_document_count(r->document, node) != 2)
    return sal_document_fail(r->document, node, "%s: two numbers are expected, [lo, hi]", key);
  SAL_TRY(sal_value_number(r->document, sal_document_item(r->document, node, 0), key, lo));
  return sal_value_number(r->document, sal_document_item(r->document, node, 1), key, hi);
}

static sal_err read_param(sal_reading *r, const yaml_node_pair_t *pair, sal_field *f)
{
  int preset;

  SAL_TRY(sal_value_name(r->document, pair->key, "parameter", 40, &f->name));
  SAL_TRY(sal_value_keys(r->document, pair->value, f->name, param_keys));
  SAL_TRY(sal_value_need(r->document, pair->value, f->name, "preset", &preset));
  SAL_TRY(sal_value_number(r->document, preset, f->name, &f->preset));
  f->unit = sal_value_line(r->document, pair->value, "unit", "1");
  f->what = sal_value_line(r->document, pair->value, "what", "parameter of the model's file");
  f->least = -1e30;
  f->most = 1e30;
  SAL_TRY(read_range(r, pair->value, "allowed", &f->least, &f->most));
  f->lo = f->hi = f->preset;
  SAL_TRY(read_range(r, pair->value, "range", &f->lo, &f->hi));
  if (f->least <= f->lo && f->lo <= f->preset && f->preset <= f->hi && f->hi <= f->most)
    return SAL_OK;
  return sal_document_fail(r->document, pair->value,
                           "parameter %s: preset %g must lie in its range [%g, %g], and that in "
                           "what is allowed, [%g, %g]",
                           f->name, f->preset, f->lo, f->hi, f->least, f->most);
}

/* The parameters below a key. */
static sal_err read_section_params(sal_reading *r, const char *key, sal_model *m)
{
  const int mapping = sal_document_find(r->document, key);
  int n;

  SAL_TRY(sal_value_pairs(r->document, mapping, key, &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(r->document, mapping, i);
    if (r->n_param == SAL_MAX_PARAM)
      return sal_document_fail(r->document, pair->key, "more than %d parameters", SAL_MAX_PARAM);
    SAL_TRY(read_param(r, pair, &m->param[r->n_param]));
    r->param[r->n_param] = m->param[r->n_param].name;
    r->preset[r->n_param] = m->param[r->n_param].preset;
    m->n_param = ++r->n_param;
  }
  return SAL_OK;
}

static sal_err read_params(sal_reading *r, const double count[], sal_model *m)
{
  SAL_TRY(read_section_params(r, "counts", m));
  m->n_count = m->n_param;
  for (int i = 0; i < m->n_count; ++i) {
    sal_field *f = &m->param[i];
    sal_count_field(f, count ? &count[i] : NULL);
    r->preset[i] = f->preset;
    SAL_TRY(
        sal_value_range(SAL_ERR_INPUT, r->document->path, f->name, f->preset, f->least, f->most));
  }
  return read_section_params(r, "parameters", m);
}

static sal_err read_system(sal_reading *r)
{
  static const char *const partitions[] = {"fixed", "adaptive", NULL};
  const int node = sal_document_find(r->document, "partition");
  int rank = 0;

  if (node) SAL_TRY(sal_value_rank(r->document, node, "", "partition", partitions, &rank));
  r->system->adapts = rank == 1;
  SAL_TRY(sal_reading_vector(r, sal_document_find(r->document, "gravity"), "gravity", 2, 3,
                             &r->system->gravity));
  SAL_TRY(sal_reading_road(r));
  SAL_TRY(sal_reading_bodies(r));
  SAL_TRY(sal_reading_joints(r));
  SAL_TRY(sal_reading_forces(r));
  return sal_settle_system(r);
}

/* The body that coordinate q belongs to; *c is its number there. */
static const sal_body *body_of(const sal_system *s, int q, int *c)
{
  int b = s->n_body - 1;

  while (s->body[b].first > q) --b;
  *c = q - s->body[b].first;
  return &s->body[b];
}

static void name_state(sal_model_file *file, int i, const char *unit, const char *what,
                       double preset)
{
  file->model.state[i] = (sal_field){.name = file->label[i],
                                     .unit = unit,
                                     .what = what,
                                     .preset = preset,
                                     .lo = preset,
                                     .hi = preset,
                                     .least = -1e9,
                                     .most = 1e9};
}

static void describe_motion(sal_model_file *file)
{
  const sal_system *s = &file->system;
  const int n_v = s->n_v;

  for (int j = 0; j < n_v; ++j) {
    int c, q = s->independent[j];
    const sal_body *b = body_of(s, q, &c);
    const char *name = sal_system_coordinate(b->kind, c);
    const bool turn = name[0] == 'e' || name[0] == 't', angle = name[0] == 't';
    snprintf(file->label[j], sizeof file->label[j], "%s_%s", b->name, name);
    snprintf(file->label[n_v + j], sizeof file->label[j], "%s_v%s", b->name, name);
    name_state(file, j, angle ? "rad" : turn ? "1" : "m", "independent coordinate", s->q0[q]);
    name_state(file, n_v + j, angle ? "rad/s" : turn ? "1/s" : "m/s", "its velocity", s->qd0[q]);
    file->model.velocity[j] = (uint16_t)(1 + n_v + j);
  }
}

/* The partition as discrete states. */
static sal_err describe_partition(sal_model_file *file, const sal_reading *r)
{
  const sal_system *s = &file->system;
  const int n_v = s->n_v, last = 3 * n_v;
  SAL_OWN double *memory = sal_alloc(sal_reduced_words(s), sizeof *memory);
  double v[SAL_MAX_FREEDOM];

  if (!memory) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", file->path);
  for (int j = 0; j < n_v; ++j) {
    snprintf(file->label[2 * n_v + j], sizeof file->label[j], "independent%d", j);
    name_state(file, 2 * n_v + j, "1", "number of an independent coordinate", s->independent[j]);
    v[j] = s->q0[s->independent[j]];
  }
  sal_reduced *solver = sal_reduced_open(s, memory, r->preset);
  if (sal_reduced_move(solver, v, v)) {
    snprintf(file->label[last], sizeof file->label[0], "condition");
    name_state(file, last, "1", "condition that the partition began with",
               sal_reduced_condition(solver));
  }
  return SAL_OK;
}

/* Which way friction slides, as discrete states. */
static void describe_senses(sal_model_file *file)
{
  const sal_system *s = &file->system;

  for (int k = 0; k < s->n_ground; ++k) {
    const sal_ground *g = &s->ground[k];
    const int i = file->model.n_state - s->n_grip + g->number;
    if (g->kind != SAL_GROUND_GRIP) continue;
    snprintf(file->label[i], sizeof file->label[i], "%s_sense", s->ground[g->partner].name);
    name_state(file, i, "1", "which way friction slides", sal_grip_start(s, g));
  }
}

static void add_contact(sal_model *m, const char *closes, const char *opens, sal_contact_kind kind)
{
  if (m->n_guard < SAL_MAX_CONTACT)
    m->contact[m->n_guard] = (sal_contact){closes, opens, .kind = kind};
  ++m->n_guard;
}

static void describe_contacts(sal_model_file *file, bool lands)
{
  const sal_system *s = &file->system;
  sal_model *m = &file->model;
  static const sal_contact_kind kinds[SAL_N_GROUND_KIND] = {
      [SAL_GROUND_LOCK] = SAL_CONTACT_RIGID,
      [SAL_GROUND_TIRE] = SAL_CONTACT_SURFACE, /* pressed from the start, maybe */
      [SAL_GROUND_RIGID] = SAL_CONTACT_RIGID,
      [SAL_GROUND_SOFT] = SAL_CONTACT_SURFACE,
      [SAL_GROUND_GRIP] = SAL_CONTACT_FRICTION,
  };

  for (int k = 0; k < s->n_ground; ++k)
    add_contact(m, s->ground[k].closes, s->ground[k].opens, kinds[s->ground[k].kind]);
  for (int k = 0; k < s->n_load; ++k) add_contact(m, "load", "unload", SAL_CONTACT_SURFACE);
  if (s->adapts) add_contact(m, "repartition", "settled", SAL_CONTACT_SURFACE);
  m->resets = s->n_lock > 0 || s->adapts;
  if (lands) m->section = (sal_section){s->ground[0].opens, 0, false, NULL};
}

/* Where periodic orbits begin, in place of the first point's release. */
static sal_err read_section(sal_model_file *file, const sal_reading *r)
{
  static const char *const keys_here[] = {"contact", "event", NULL};
  static const char *const events[] = {"closes", "opens", NULL};
  const sal_ground *ground = file->system.ground;
  const int node = sal_document_find(r->document, "section");
  int contact, event, k, opens;

  if (!node) return SAL_OK;
  SAL_TRY(sal_value_keys(r->document, node, "section", keys_here));
  SAL_TRY(sal_value_need(r->document, node, "section", "contact", &contact));
  SAL_TRY(sal_value_need(r->document, node, "section", "event", &event));
  SAL_TRY(sal_value_rank(r->document, event, "", "event of a section", events, &opens));
  if (file->system.n_ground == 0)
    return sal_document_fail(r->document, node, "section: there are neither contacts nor tires");
  SAL_OWN const char **names = sal_alloc((size_t)file->system.n_ground + 1, sizeof *names);
  if (!names) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", file->path);
  for (int i = 0; i < file->system.n_ground; ++i) names[i] = ground[i].name;
  SAL_TRY(sal_value_rank(r->document, contact, "", "contact of a section", names, &k));
  file->model.section =
      (sal_section){opens ? ground[k].opens : ground[k].closes, k, opens == 0, NULL};
  return SAL_OK;
}

static bool has_tires(const sal_system *s)
{
  for (int f = 0; f < s->n_force; ++f)
    if (s->force[f].kind == SAL_FORCE_TIRE) return true;
  return false;
}

static bool is_independent(const sal_system *s, int q)
{
  for (int j = 0; j < s->n_v; ++j)
    if (s->independent[j] == q) return true;
  return false;
}

static sal_err find_watched(const sal_reading *r, sal_model *m)
{
  const int node = sal_document_find(r->document, "watch");
  const char *names[SAL_MAX_STATE + 1];
  const int n = sal_model_continuous(m);
  int state[SAL_MAX_STATE], n_watched;
  const char *text = node ? sal_document_text(r->document, node) : NULL;

  if (!node) return SAL_OK;
  for (int i = 0; i < n; ++i) names[i] = m->state[i].name;
  names[n] = NULL;
  for (int velocity = 0; text && velocity < 2; ++velocity) {
    char name[2 * SAL_LABEL];
    const int q = sal_system_find(r->system, text, velocity == 1);
    if (q < 0 || is_independent(r->system, q)) continue;
    sal_system_name(r->system, q, false, name);
    return sal_document_fail(r->document, node,
                             "watch: %s follows from other coordinates and is not a state: name %s "
                             "in the list 'independent'",
                             text, name);
  }
  SAL_TRY(sal_members_ranks(r->document, node, "", "watch: state", names, state, &n_watched));
  sal_model_watch(m, text, n_watched, state);
  return SAL_OK;
}

static sal_err read_longest_step(sal_model_file *file, const sal_reading *r)
{
  SAL_TRY(sal_value_above_0(r->document, "longest_step", &file->space.longest));
  if (file->space.longest > 0 || !sal_passage_is_unknown(&file->system)) return SAL_OK;
  return sal_document_fail(
      r->document, sal_document_find(r->document, "road"),
      "road: no wheel moves along x initially, so that the time on a bump is not known and a "
      "step might leap over it: give the key longest_step, or the wheels a velocity");
}

static sal_err describe(sal_model_file *file, const sal_reading *r)
{
  const sal_system *s = &file->system;
  sal_model *m = &file->model;

  m->name = sal_value_line(r->document, 1, "name", NULL);
  m->title = sal_value_line(r->document, 1, "title", m->name);
  m->source = sal_value_line(r->document, 1, "source", "a model file");
  m->reference = sal_value_line(r->document, 1, "reference", "radau5");
  m->n_discrete = (s->adapts ? s->n_v + 1 : 0) + s->n_grip;
  m->n_state = 2 * s->n_v + m->n_discrete;
  m->span = 1;
  m->time = "s";
  m->autonomous = true;
  m->n_memory = (int)sal_reduced_words(s);
  file->space = (sal_state_space){s, -1, 0};
  if (has_tires(s)) {
    m->option[m->n_option++] = (sal_option){
        "tires", "may tires pull, or do they lose the ground?", {"bilateral", "unilateral"}};
    file->space.tires = m->n_param;
  }
  describe_motion(file);
  if (s->adapts) SAL_TRY(describe_partition(file, r));
  describe_senses(file);
  describe_contacts(
      file, sal_document_count(r->document, sal_document_find(r->document, "contacts")) > 0);
  SAL_TRY(read_section(file, r));
  SAL_TRY(sal_value_above_0(r->document, "span", &m->span));
  SAL_TRY(sal_value_above_0(r->document, "capture_unit", &m->capture_unit));
  SAL_TRY(read_longest_step(file, r));
  SAL_TRY(sal_reading_scales(r, m));
  return find_watched(r, m);
}

static sal_err read_file(sal_model_file *file, const double count[])
{
  sal_reading r = {.document = &file->document, .system = &file->system};
  char name[SAL_LABEL];

  SAL_TRY(sal_document_parse(file->path, file->text, &file->document));
  SAL_TRY(sal_members_expand(&file->document, count));
  SAL_TRY(sal_value_keys(r.document, 1, "the model", keys));
  SAL_TRY(sal_reading_name(&r, 1, "the model", true, name));
  SAL_TRY(read_params(&r, count, &file->model));
  SAL_TRY(read_system(&r));
  SAL_TRY(describe(file, &r));
  sal_state_space_functions(&file->space, &file->functions);
  SAL_TRY(sal_coordinates_describe(&file->system, &file->coordinates));
  file->model.n_coordinate = file->system.n_q;
  file->model.coordinate = file->coordinates.field;
  file->model.coordinates = sal_coordinates_at;
  file->model.inner = &file->functions;
  file->model.longest_step = sal_state_space_step;
  file->model.poisson = file->system.poisson;
  file->model.in_sequence = file->system.in_sequence;
  file->model.n_touch = sal_rigid_together_count(file->space.system);
  if (sal_rigid_together_may(&file->system)) file->model.jump_together = sal_rigid_together_jump;
  if (sal_rigid_together_moves(file->space.system)) file->model.motion = sal_rigid_together_motion;
  if (file->system.adapts) file->model.restate = sal_state_space_restate;
  for (int k = 0; k < file->system.n_ground; ++k)
    file->model.rubs_in_space |= file->system.ground[k].cone > 0;
  if (file->system.n_binding > 0) file->model.flaw = sal_contact_law_flaw;
  file->model.flaw_is_convex = true;
  file->model.w1 = &sal_scalar_flow_w1;
  return SAL_OK;
}

/* How accelerations are found, and why. */
static char *describe_way(const sal_system *s)
{
  const sal_chain_plan *p = s->chain;
  sal_text out = {0};
  int most = 0;

  for (int k = 0; p && k < p->n_block; ++k)
    if (p->block[k].n > most) most = p->block[k].n;
  if (p)
    sal_text_add(&out,
                 "accelerations by recursion along the joints: %d relative speeds, %d at once",
                 p->n_speed, most);
  else
    sal_text_add(&out, "accelerations from the %d equations of all joints at once: %s",
                 s->n_constraint, s->no_chain);
  return sal_text_take(&out);
}

/* Both notes, a line each; takes them. */
static char *join(char *a, char *b)
{
  sal_text out = {0};

  if (!a || !b) return a ? a : b;
  sal_text_add(&out, "%s\n%s", a, b);
  sal_free_all(a, b);
  return sal_text_take(&out);
}

#ifdef SAL_OTHERS_LAPACK
/* Where that is OpenBLAS; small matrices are slower by threads, and their bits must not depend on
 * how many there are. */
extern void openblas_set_num_threads(int n) __attribute__((weak));
#endif

sal_err sal_model_file_parse_counted(const char *path, const char *text, const double count[],
                                     sal_model_file **out)
{
  sal_model_file *file = sal_alloc(1, sizeof *file);

  *out = NULL;
#ifdef SAL_OTHERS_LAPACK
  if (openblas_set_num_threads) openblas_set_num_threads(1);
#endif
  if (!file) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  file->path = sal_text_copy(path);
  file->text = sal_text_copy(text);
  sal_err err = file->path && file->text ? read_file(file, count)
                                         : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  if (err == SAL_OK) file->way = describe_way(&file->system);
  if (err == SAL_OK && !file->way) err = sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  if (err == SAL_OK)
    file->note = join(sal_start_velocity_note(&file->system, path),
                      sal_contact_law_note(&file->system, path));
  if (err == SAL_OK)
    *out = file;
  else
    sal_model_file_free(file);
  return err;
}

void sal_model_file_free(sal_model_file *file)
{
  if (!file) return;
  sal_chain_plan_free(file->system.chain);
  sal_system_free(&file->system);
  sal_coordinates_free(&file->coordinates);
  sal_document_free(&file->document);
  sal_free_all(file->note, file->way, file->text, file->path, file);
}

const sal_model *sal_model_file_model(const sal_model_file *file) { return &file->model; }

const sal_system *sal_model_file_system(const sal_model_file *file) { return &file->system; }

const char *sal_model_file_text(const sal_model_file *file) { return file->text; }

const char *sal_model_file_note(const sal_model_file *file) { return file->note; }

const char *sal_model_file_way(const sal_model_file *file, bool *recurs)
{
  *recurs = file->system.chain != NULL;
  return file->way;
}
