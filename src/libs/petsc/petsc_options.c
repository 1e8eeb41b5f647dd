/** @file src/libs/petsc/petsc_options.c
 *  A method from an options string.
 */
#include "memory.h"
#include "petsc_engine.h"
#include "petsc_methods.h"
#include "petsc_start.h"
#include "petsc_trial.h"
#include "text.h"
#include <string.h>

/* ---- what there is -------------------------------------------------------------------------- */

static const char *const rk_types[]   = {TSRK1FE, TSRK2A,  TSRK2B,  TSRK3,   TSRK3BS, TSRK4, TSRK5F,
                                         TSRK5DP, TSRK5BS, TSRK6VR, TSRK7VR, TSRK8VR, NULL};
static const char *const rosw_types[] = {TSROSW2M,
                                         TSROSW2P,
                                         TSROSWRA3PW,
                                         TSROSWRA34PW2,
                                         TSROSWRODAS3,
                                         TSROSWSANDU3,
                                         TSROSWASSP3P3S1C,
                                         TSROSWLASSP3P4S2C,
                                         TSROSWLLSSP3P4S2C,
                                         TSROSWARK3,
                                         TSROSWTHETA1,
                                         TSROSWTHETA2,
                                         TSROSWGRK4T,
                                         TSROSWSHAMP4,
                                         TSROSWVELDD4,
                                         TSROSW4L,
                                         NULL};
static const char *const arkimex_types[] = {
    TSARKIMEX1BEE, TSARKIMEXA2,   TSARKIMEXL2,     TSARKIMEXARS122,
    TSARKIMEX2C,   TSARKIMEX2D,   TSARKIMEX2E,     TSARKIMEXPRSSP2,
    TSARKIMEX3,    TSARKIMEXBPR3, TSARKIMEXARS443, TSARKIMEX4,
    TSARKIMEX5,    NULL};

static const struct {
  const char        *option, *what;
  const char *const *types;
} subtypes[] = {{"-ts_rk_type", "type of TSRK", rk_types},
                {"-ts_rosw_type", "type of TSROSW", rosw_types},
                {"-ts_arkimex_type", "type of TSARKIMEX", arkimex_types}};

/* What a misspelt option may have meant. */
static const char *const common[] = {"-ts_type",
                                     "-ts_rk_type",
                                     "-ts_rosw_type",
                                     "-ts_rosw_recompute_jacobian",
                                     "-ts_arkimex_type",
                                     "-ts_arkimex_fully_implicit",
                                     "-ts_bdf_order",
                                     "-ts_theta_theta",
                                     "-ts_theta_endpoint",
                                     "-ts_theta_adapt",
                                     "-ts_alpha_radius",
                                     "-ts_ssp_type",
                                     "-ts_ssp_nstages",
                                     "-ts_dt",
                                     "-ts_adapt_type",
                                     "-ts_adapt_safety",
                                     "-ts_adapt_reject_safety",
                                     "-ts_adapt_clip",
                                     "-ts_adapt_dsp_filter",
                                     "-ts_adapt_dt_min",
                                     "-ts_adapt_dt_max",
                                     "-ts_adapt_wnormtype",
                                     "-ts_adapt_scale_solve_failed",
                                     "-ts_max_reject",
                                     "-ts_max_snes_failures",
                                     "-ts_event_tol",
                                     "-ts_event_post_eventinterval_step",
                                     "-ts_event_post_event_step",
                                     "-ts_event_dt_min",
                                     "-snes_type",
                                     "-snes_rtol",
                                     "-snes_atol",
                                     "-snes_stol",
                                     "-snes_max_it",
                                     "-snes_lag_jacobian",
                                     "-snes_lag_preconditioner",
                                     "-snes_linesearch_type",
                                     "-ksp_type",
                                     "-ksp_rtol",
                                     "-pc_type",
                                     NULL};

/* Those that would be lost, since each run sets what they set. */
static const struct {
  const char *option, *key;
} taken[] = {
    {"-ts_rtol", "tolerances"},  {"-ts_atol", "tolerances"},        {"-ts_max_time", "t_end"},
    {"-ts_init_time", "t_end"},  {"-ts_max_steps", "t_end"},        {"-ts_time_span", "t_end"},
    {"-ts_final_time", "t_end"}, {"-ts_exact_final_time", "t_end"}, {"-ts_time_step", "max_step"}};

/* Those that do not solve y' = f(t, y) as it stands; discgrad crashes where it is asked to. */
static const struct {
  const char *type, *why;
} unfit[] = {{TSPSEUDO, "looks for a steady state"},
             {TSALPHA2, "wants the second derivative"},
             {TSBASICSYMPLECTIC, "wants f in two parts"},
             {TSMPRK, "wants f in a slow and a fast part"},
             {TSMIMEX, "wants the parts of a discretised conservation law"},
             {TSDISCGRAD, "wants the gradient of an energy"}};

/* ---- checks --------------------------------------------------------------------------------- */

static sal_err fail_petsc(const char *where, const char *options, PetscErrorCode code)
{
  return sal_fail(SAL_ERR_INPUT, "%s: PETSc cannot solve y' = -y with '%s': %s", where, options,
                  sal_petsc_message(code));
}

/* The value of an option into value [room]; "" where it is not given. */
static void value_of(PetscOptions o, const char *option, char value[], size_t room)
{
  PetscBool given = PETSC_FALSE;

  value[0] = '\0';
  if (PetscOptionsGetString(o, NULL, option, value, room, &given) || !given) value[0] = '\0';
}

static sal_err check_type(const char *where, const char *type)
{
  const char **names = NULL;
  int          n     = 0;
  bool         known = false;

  if (!type[0])
    return sal_fail(SAL_ERR_INPUT, "%s: no -ts_type among PETSc's options, such as rosw", where);
  if (TSInitializePackage() || PetscFunctionListGet(TSList, &names, &n) || !names)
    return sal_fail(SAL_ERR_MEMORY, "%s: no memory for PETSc's types", where);
  for (int i = 0; names[i]; ++i) known = known || strcmp(type, names[i]) == 0;
  const sal_err err =
      known ? SAL_OK : sal_text_unknown(SAL_ERR_INPUT, where, "type of PETSc's TS", type, names);
  (void)PetscFree(names);
  return err;
}

static sal_err check_fit(const char *where, const char *type)
{
  for (size_t i = 0; i < sizeof unfit / sizeof *unfit; ++i)
    if (strcmp(type, unfit[i].type) == 0)
      return sal_fail(SAL_ERR_INPUT, "%s: PETSc's %s does not solve y' = f(t, y): it %s", where,
                      type, unfit[i].why);
  return SAL_OK;
}

static sal_err check_subtypes(const char *where, PetscOptions o)
{
  char value[64];

  for (size_t i = 0; i < sizeof subtypes / sizeof *subtypes; ++i) {
    value_of(o, subtypes[i].option, value, sizeof value);
    bool known = !value[0];
    for (int j = 0; subtypes[i].types[j]; ++j)
      known = known || strcmp(value, subtypes[i].types[j]) == 0;
    if (!known)
      return sal_text_unknown(SAL_ERR_INPUT, where, subtypes[i].what, value, subtypes[i].types);
  }
  return SAL_OK;
}

static bool has(PetscOptions o, const char *option)
{
  PetscBool given = PETSC_FALSE;

  return PetscOptionsHasName(o, NULL, option, &given) == 0 && given;
}

static sal_err check_taken(const char *where, PetscOptions o)
{
  for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i)
    if (has(o, taken[i].option))
      return sal_fail(SAL_ERR_INPUT, "%s: %s: the sweep says so by its key `%s'", where,
                      taken[i].option, taken[i].key);
  return SAL_OK;
}

/* What prints would do it in each run. */
static sal_err check_silent(const char *where, const char *options)
{
  if (!strstr(options, "_view") && !strstr(options, "monitor")) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT,
                  "%s: '%s': what PETSc prints is asked for by the environment variable "
                  "PETSC_OPTIONS, not here",
                  where, options);
}

/* Which of the options in `own` the trial has not asked for. */
static sal_err check_unused(const char *where, PetscOptions used, PetscOptions own)
{
  char   **names, **values;
  PetscInt n;
  sal_text text      = {0};
  char     first[64] = "";

  if (PetscOptionsLeftGet(used, &n, &names, &values))
    return sal_fail(SAL_ERR_MEMORY, "%s: no memory for PETSc's options", where);
  for (PetscInt i = 0; i < n; ++i) {
    char name[64];
    (void)PetscSNPrintf(name, sizeof name, "-%s", names[i]);
    if (!has(own, name)) continue;
    sal_text_add(&text, "%s%s", text.length ? ", " : "", name);
    if (!first[0]) memcpy(first, name, sizeof first);
  }
  (void)PetscOptionsLeftRestore(used, &n, &names, &values);
  if (!text.length) return SAL_OK;
  const char   *nearest = sal_text_nearest(first, common);
  const bool    other   = nearest && strcmp(nearest, first) != 0;
  const sal_err err = sal_fail(SAL_ERR_INPUT, "%s: PETSc does not use %s with these options%s%s%s",
                               where, text.string, other ? "; did you mean '" : "",
                               other ? nearest : "", other ? "'?" : "");
  sal_text_free(&text);
  return err;
}

static sal_err try_options(const char *where, const sal_petsc_kind *kind, PetscOptions own,
                           sal_petsc_trial *trial)
{
  PetscOptions all = NULL;

  if (sal_petsc_options(kind, false, &all))
    return sal_fail(SAL_ERR_MEMORY, "%s: no memory for PETSc's options", where);
  *trial      = sal_petsc_trial_run(kind, all, 1e-3);
  sal_err err = SAL_OK;
  if (trial->code)
    err = fail_petsc(where, kind->options, trial->code);
  else if (trial->reason < 0)
    err = sal_fail(SAL_ERR_INPUT, "%s: PETSc cannot solve y' = -y with '%s': %s", where,
                   kind->options, TSConvergedReasons[trial->reason]);
  else
    err = check_unused(where, all, own);
  const bool given = has(own, "-ts_dt");
  if (err == SAL_OK && !given && sal_petsc_trial_run(kind, all, 1e-12).steps == trial->steps)
    err = sal_fail(SAL_ERR_INPUT,
                   "%s: '%s' takes the same steps at any tolerance: add -ts_adapt_type basic, or "
                   "-ts_dt STEP where the type has no error estimate",
                   where, kind->options);
  (void)PetscOptionsDestroy(&all);
  return err;
}

/* ---- the method ----------------------------------------------------------------------------- */

/** A method with all that it points at. */
typedef struct {
  sal_method     method;
  sal_engine     engine;
  sal_petsc_kind kind;
  char          *name, *title, *type, *select, *options;
} made;

static void free_made(made *m)
{
  if (!m) return;
  sal_free(m->name);
  sal_free(m->title);
  sal_free(m->type);
  sal_free(m->select);
  sal_free(m->options);
  sal_free(m);
}

void sal_petsc_free(sal_method *method) { free_made((made *)method); }

static char *describe_type(PetscOptions own, const char *type)
{
  char     option[64], value[64];
  sal_text text = {0};

  (void)PetscSNPrintf(option, sizeof option, "-ts_%s_type", type);
  value_of(own, option, value, sizeof value);
  sal_text_add(&text, "%s%s%s", type, value[0] ? " " : "", value);
  return sal_text_take(&text);
}

static bool describe(made *m, PetscOptions own, const char *type, const sal_petsc_trial *trial)
{
  sal_text title = {0}, select = {0};

  m->type = describe_type(own, type);
  sal_text_add(&title, "PETSc TS %s, by its options", m->type ? m->type : type);
  sal_text_add(&select, "%s",
               m->kind.implicit ? SAL_PETSC_IMPLICIT_FUNCTIONS : SAL_PETSC_EXPLICIT_FUNCTIONS);
  if (!has(own, "-ts_dt"))
    sal_text_add(&select, SAL_PETSC_FIRST_STEP("%d"), trial->order < 3 ? trial->order : 3);
  sal_text_add(&select, "%s -ts_rtol TOL -ts_atol TOL -ts_max_reject -1%s\n", m->options,
               m->kind.implicit ? " -ts_max_snes_failures -1 -ksp_type preonly -pc_type lu" : "");
  m->title  = sal_text_take(&title);
  m->select = sal_text_take(&select);
  m->engine = (sal_engine){.library    = "PETSc",
                           .version    = sal_petsc_version,
                           .type       = m->type,
                           .select     = m->select,
                           .settings   = &m->kind,
                           .one_thread = true,
                           .open       = sal_petsc_open,
                           .run        = sal_petsc_run,
                           .close      = sal_petsc_close};
  m->method = (sal_method){.name        = m->name,
                           .title       = m->title,
                           .source      = "PETSc 3.18, TS: doi:10.48550/arXiv.1806.01437",
                           .order       = trial->order,
                           .min_order   = trial->order,
                           .dense_order = trial->curved ? 0 : 2,
                           .implicit    = m->kind.implicit,
                           .engine      = &m->engine,
                           SAL_ENGINE_OPS};
  return m->type && m->title && m->select;
}

static sal_err check(const char *where, made *m, PetscOptions own)
{
  char            type[64];
  sal_petsc_trial trial = {0};

  value_of(own, "-ts_type", type, sizeof type);
  SAL_TRY(check_type(where, type));
  SAL_TRY(check_fit(where, type));
  SAL_TRY(check_subtypes(where, own));
  SAL_TRY(check_taken(where, own));
  SAL_TRY(check_silent(where, m->options));
  m->kind = (sal_petsc_kind){m->options, !sal_petsc_is_explicit(type)};
  SAL_TRY(try_options(where, &m->kind, own, &trial));
  return describe(m, own, type, &trial)
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "%s: no memory for a method of PETSc", where);
}

sal_err sal_petsc_make(const char *where, const char *name, const char *options, sal_method **out)
{
  PetscOptions own = NULL;

  *out = NULL;
  SAL_TRY(sal_petsc_start());
  sal_petsc_forget();
  made *m = sal_alloc(1, sizeof *m);
  if (!m) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for a method of PETSc", where);
  m->name     = sal_text_copy(name);
  m->options  = sal_text_copy(options);
  sal_err err = SAL_OK;
  if (!m->name || !m->options || PetscOptionsCreate(&own))
    err = sal_fail(SAL_ERR_MEMORY, "%s: no memory for a method of PETSc", where);
  else if (PetscOptionsInsertString(own, options))
    err = sal_fail(SAL_ERR_INPUT, "%s: no options of PETSc: '%s'", where, options);
  else
    err = check(where, m, own);
  if (own) (void)PetscOptionsDestroy(&own);
  if (err == SAL_OK)
    *out = &m->method;
  else
    free_made(m);
  return err;
}
