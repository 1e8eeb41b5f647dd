/** Checks of the words, and the continuation made of them. */
#include "continue_request.h"
#include "argument.h"
#include "base.h"
#include "value.h"

static const struct {
  const char *name;
  sal_branch_type at; /* the type of point that such a curve goes through */
} curves[] = {[SAL_FIXED_PLAIN] = {"branch", SAL_BRANCH_REGULAR},
              [SAL_FIXED_LIMIT] = {"lp", SAL_BRANCH_LIMIT},
              [SAL_FIXED_DOUBLING] = {"pd", SAL_BRANCH_DOUBLING},
              [SAL_FIXED_ADMISSIBLE] = {"ad", SAL_BRANCH_ADMISSIBLE},
              [SAL_FIXED_TORUS] = {"tr", SAL_BRANCH_TORUS},
              [SAL_FIXED_GRAZING] = {"gr", SAL_BRANCH_GRAZING}};

/* Points at which --switch leaves a branch. */
static const sal_branch_type left_at[] = {SAL_BRANCH_DOUBLING, SAL_BRANCH_CROSSING,
                                          SAL_BRANCH_GRAZING};

sal_err sal_continue_request_check(const sal_continue_words *w)
{
  if (!sal_cli_ends(w->out, ".h5"))
    return sal_fail(SAL_ERR_USAGE, "-o %s: the name must end with .h5", w->out);
  if (w->guess && (w->run.initial || w->restart))
    return sal_fail(
        SAL_ERR_USAGE,
        "--guess, --initial or --restart, not two of them: each gives the start of the branch");
  if (w->switches && (!w->restart || w->curve != SAL_FIXED_PLAIN))
    return sal_fail(SAL_ERR_USAGE,
                    "--switch leaves a stored branch: add --restart FILE:LABEL, and no --curve");
  if ((w->curve != SAL_FIXED_PLAIN) != (w->in[1] != NULL))
    return sal_fail(SAL_ERR_USAGE, "--curve lp, pd, ad, tr or gr and --and NAME go together");
  if (w->curve != SAL_FIXED_PLAIN && !w->restart)
    return sal_fail(
        SAL_ERR_USAGE,
        "--curve %s begins at such a point of a stored branch: add --restart FILE:LABEL",
        curves[w->curve].name);
  if (!(w->ds_min <= w->ds && w->ds <= w->ds_max))
    return sal_fail(SAL_ERR_USAGE, "--ds %g must lie between --ds-min %g and --ds-max %g", w->ds,
                    w->ds_min, w->ds_max);
  return SAL_OK;
}

static sal_err find_parameter(const char *where, const sal_model *m, const char *name, int *out)
{
  const char *names[SAL_MAX_PARAM + 1] = {NULL};

  for (int i = 0; i < m->n_param; ++i) {
    names[i] = m->param[i].name;
    *out = i;
    if (strcmp(name, m->param[i].name) == 0) {
      if (!m->param[i].whole) return SAL_OK;
      return sal_fail(SAL_ERR_USAGE,
                      "%s %s: takes whole values only, between which nothing can be followed",
                      where, name);
    }
  }
  return sal_text_unknown(SAL_ERR_USAGE, where, "parameter", name, names);
}

static sal_err set_range(const sal_continue_words *w, int k, sal_continue_request *r)
{
  const sal_model *m = r->start.run.setup.model;
  const sal_field *f = &m->param[r->free_param[k]];
  const char *from = k ? "--and-from" : "--from", *to = k ? "--and-to" : "--to";
  const double a = isnan(w->from[k]) ? f->lo : w->from[k], b = isnan(w->to[k]) ? f->hi : w->to[k];
  double *value = &r->start.run.param[r->free_param[k]];

  if (!(a != b))
    return sal_fail(SAL_ERR_USAGE, "parameter %s has no range, from %g to %g: give %s and %s",
                    f->name, a, b, from, to);
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, from, f->name, a, f->least, f->most));
  SAL_TRY(sal_value_range(SAL_ERR_USAGE, to, f->name, b, f->least, f->most));
  r->c.walk.from[k] = fmin(a, b);
  r->c.walk.to[k] = fmax(a, b);
  if (*value >= fmin(a, b) && *value <= fmax(a, b)) return SAL_OK;
  if (r->start.given[r->free_param[k]] || w->restart)
    return sal_fail(SAL_ERR_USAGE, "the start, %s = %.10g, lies outside the range from %g to %g",
                    f->name, *value, a, b);
  *value = a;
  return SAL_OK;
}

/* The words of --from and --to have to be known before an orbit is looked for, since it may have to
 * be looked for at the end of the range. */
static sal_err set_parameters(const sal_continue_words *w, sal_continue_request *r)
{
  const sal_model *m = r->start.run.setup.model;

  r->n_free = w->in[1] ? 2 : 1;
  for (int k = 0; k < r->n_free; ++k) {
    SAL_TRY(find_parameter(k ? "--and" : "--in", m, w->in[k], &r->free_param[k]));
    SAL_TRY(set_range(w, k, r));
  }
  for (int k = r->n_free; k < SAL_BRANCH_PARAMS; ++k) r->c.walk.to[k] = 1;
  if (r->n_free > 1 && r->free_param[0] == r->free_param[1])
    return sal_fail(SAL_ERR_USAGE, "--in %s and --and %s: a curve needs two parameters", w->in[0],
                    w->in[1]);
  return SAL_OK;
}

static sal_err add_users(const char *where, const char *text, bool stops, sal_continue_request *r)
{
  const sal_model *m = r->start.run.setup.model;
  const char *free_name[SAL_BRANCH_PARAMS + 1] = {NULL};
  sal_walk_setup *walk = &r->c.walk;

  for (int k = 0; k < r->n_free; ++k) free_name[k] = m->param[r->free_param[k]].name;
  while (text) {
    char name[SAL_MAX_ITEM] = "", value[SAL_MAX_ITEM] = "";
    sal_walk_user *user = &r->user[walk->n_user];
    if (walk->n_user == SAL_WALK_USERS)
      return sal_fail(SAL_ERR_USAGE, "%s: at most %d values", where, SAL_WALK_USERS);
    SAL_TRY(sal_argument_item(where, &text, name, value));
    SAL_TRY(sal_branch_quantity_find(where, m, &r->family.family.layout, free_name, name,
                                     &user->quantity));
    if (!sal_value_read(value, &user->value))
      return sal_fail(SAL_ERR_USAGE, "%s: %s: '%s' is not a number", where, name, value);
    snprintf(r->words[walk->n_user], sizeof r->words[0], "%s=%s", name, value);
    user->stops = stops;
    user->words = r->words[walk->n_user++];
  }
  return SAL_OK;
}

static sal_err check_type(const sal_continue_words *w, const sal_branch_start *s)
{
  const sal_branch_type wanted = curves[w->curve].at;
  const char *type = sal_branch_kinds[s->type].name;

  if (w->switches) {
    for (size_t i = 0; i < sizeof left_at / sizeof *left_at; ++i)
      if (s->type == left_at[i]) return SAL_OK;
    return sal_fail(
        SAL_ERR_USAGE,
        "--restart: label %d is of type %s; --switch begins at one of type PD, BP or GR", s->label,
        type);
  }
  if (wanted == SAL_BRANCH_REGULAR || s->type == wanted) return SAL_OK;
  return sal_fail(SAL_ERR_USAGE,
                  "--restart: label %d is of type %s; --curve %s begins at one of type %s",
                  s->label, type, curves[w->curve].name, sal_branch_kinds[wanted].name);
}

static sal_err make_start(const sal_continue_words *w, sal_continue_request *r)
{
  sal_cli_run_words words = w->run;

  if (w->restart) {
    SAL_TRY(sal_branch_start_read(w->restart, &words, &r->start));
    SAL_TRY(check_type(w, &r->start));
    return set_parameters(w, r);
  }
  SAL_TRY(sal_branch_start_prepare(&words, w->guess, &r->start));
  SAL_TRY(set_parameters(w, r));
  return sal_branch_start_find(w->guess, (int)w->returns, &r->start);
}

static sal_err make_family(const sal_continue_request *r, int returns, bool mutes,
                           sal_cycle_family *out)
{
  sal_return_setup setup = sal_return_setup_of(&r->start.run.setup, returns);

  setup.mutes = mutes;

  return sal_cycle_family_create(&setup, r->start.run.param, r->n_free, r->free_param,
                                 r->start.run.initial, out);
}

static sal_err leave_doubling(sal_continue_request *r)
{
  SAL_TRY(make_family(r, r->start.returns, false, &r->beside));
  SAL_TRY(sal_leave_doubling(&r->beside.family, r->x, r->c.walk.lambda, r->direction));
  r->c.leaves = true;
  r->start.returns *= 2;
  return SAL_OK;
}

static sal_err leave_crossing(sal_continue_request *r)
{
  const sal_walk_setup *s = &r->c.walk;
  const int n = r->family.family.n;
  double branch[SAL_MAX_STATE + SAL_BRANCH_PARAMS];

  sal_cycle_family_read(&r->family, r->start.along + r->start.n_param, branch);
  branch[n] = r->start.along[r->free_param[0]];
  return sal_leave_crossing(&r->family.family, r->x, s->lambda[0], s->to[0] - s->from[0], branch,
                            r->direction);
}

static sal_err leave_grazing(sal_continue_request *r)
{
  const int n = r->family.family.n;
  double z[SAL_MAX_STATE + 1];

  memcpy(z, r->x, sizeof r->x);
  z[n] = r->c.walk.lambda[0];
  SAL_TRY(sal_leave_grazing(&r->family.family, &r->beside, &r->c.walk, z, r->direction));
  memcpy(r->x, z, sizeof r->x);
  r->c.walk.lambda[0] = z[n];
  r->c.ahead = 0;
  r->c.leaves = true;
  return SAL_OK;
}

static sal_err leave(sal_continue_request *r)
{
  r->number = 2;
  r->c.direction = r->direction;
  r->c.ahead = r->c.walk.ds;
  return r->start.type == SAL_BRANCH_DOUBLING   ? leave_doubling(r)
         : r->start.type == SAL_BRANCH_CROSSING ? leave_crossing(r)
                                                : leave_grazing(r);
}

/* The curve begins at the grazing that the start is next to. */
static sal_err graze(sal_continue_request *r)
{
  const double *lambda = r->c.walk.lambda;
  bool found;

  SAL_TRY(sal_cycle_family_graze(
      &r->family, &(sal_family_start){.x = r->x, .lambda = {lambda[0], lambda[1]}}, &found));
  return found ? SAL_OK
               : sal_fail(SAL_ERR_INPUT, "--curve gr: the orbit at the start grazes no contact");
}

/* The maps of the branch itself, and beside them: of half the returns, or without the contact that is grazed. */
static sal_err make_families(const sal_continue_words *w, sal_continue_request *r)
{
  const bool grazes = w->curve == SAL_FIXED_GRAZING,
             halves = w->switches && r->start.type == SAL_BRANCH_DOUBLING;

  SAL_TRY(make_family(r, r->start.returns * (halves ? 2 : 1), grazes, &r->family));
  r->family.refuses_half = halves;
  if (w->curve != SAL_FIXED_PLAIN || halves) return SAL_OK;
  SAL_TRY(make_family(r, r->start.returns, true, &r->beside));
  r->c.muted = &r->beside;
  return SAL_OK;
}

sal_err sal_continue_request_create(const sal_continue_words *w, sal_continue_request *out)
{
  *out = (sal_continue_request){.number = 1};
  sal_walk_setup *s = &out->c.walk;

  SAL_TRY(make_start(w, out));
  SAL_TRY(make_families(w, out));
  sal_cycle_family_read(&out->family, out->start.run.initial, out->x);
  for (int k = 0; k < out->n_free; ++k) s->lambda[k] = out->start.run.param[out->free_param[k]];
  s->family = &out->family.family;
  s->holds = w->curve;
  s->ds = w->ds;
  s->ds_min = w->ds_min;
  s->ds_max = w->ds_max;
  s->user = out->user;
  out->c.x = out->x;
  out->c.way = w->way;
  out->c.n_most = (int)w->points;
  if (w->mark) SAL_TRY(add_users("--mark", w->mark, false, out));
  if (w->stop) SAL_TRY(add_users("--stop-at", w->stop, true, out));
  if (w->curve == SAL_FIXED_GRAZING) return graze(out);
  return w->switches ? leave(out) : SAL_OK;
}

void sal_continue_request_free(sal_continue_request *r)
{
  sal_cycle_family_free(&r->family);
  sal_cycle_family_free(&r->beside);
  sal_cli_run_free(&r->start.run);
}

sal_branch_record sal_continue_request_record(const sal_continue_request *r,
                                              const sal_branch *branch)
{
  return (sal_branch_record){.branch = branch,
                             .how = &r->c,
                             .setup = &r->start.run.setup,
                             .param = r->start.run.param,
                             .returns = r->start.returns,
                             .n_free = r->n_free,
                             .free_param = r->free_param,
                             .curve = curves[r->c.walk.holds].name,
                             .model_text = r->start.run.file ? r->start.run.file->text : NULL};
}
