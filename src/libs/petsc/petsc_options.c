/** A method from an options string. */
#include "base.h"
#include "petsc_engine.h"
#include "petsc_start.h"

/* Types that do not solve y' = f(t, y) as it stands; discgrad crashes on it. */
static const struct {
  const char *type, *why;
} unfit[] = {{TSPSEUDO, "looks for a steady state"},
             {TSALPHA2, "wants the second derivative"},
             {TSBASICSYMPLECTIC, "wants f in two parts"},
             {TSMPRK, "wants f in a slow and a fast part"},
             {TSMIMEX, "wants the parts of a discretised conservation law"},
             {TSDISCGRAD, "wants the gradient of an energy"}};

/* The value of an option into value [room]; "" where it is not given. */
static void value_of(PetscOptions o, const char *option, char value[], size_t room)
{
  PetscBool given = PETSC_FALSE;

  value[0] = '\0';
  if (PetscOptionsGetString(o, NULL, option, value, room, &given) || !given) value[0] = '\0';
}

static sal_err check_type(const char *where, const char *type)
{
  if (!type[0])
    return sal_fail(SAL_ERR_INPUT, "%s: no -ts_type among PETSc's options, such as rosw", where);
  for (size_t i = 0; i < sizeof unfit / sizeof *unfit; ++i)
    if (strcmp(type, unfit[i].type) == 0)
      return sal_fail(SAL_ERR_INPUT, "%s: PETSc's %s does not solve y' = f(t, y): it %s", where,
                      type, unfit[i].why);
  return SAL_OK;
}

static bool has(PetscOptions o, const char *option)
{
  PetscBool given = PETSC_FALSE;

  return PetscOptionsHasName(o, NULL, option, &given) == 0 && given;
}

/* Which of the options in `own` the trial has not asked for. */
static sal_err check_unused(const char *where, PetscOptions used, PetscOptions own)
{
  char **names, **values;
  PetscInt n;
  SAL_OWN_BY(sal_text_free) sal_text text = {0};

  if (PetscOptionsLeftGet(used, &n, &names, &values))
    return sal_fail(SAL_ERR_MEMORY, "%s: no memory for PETSc's options", where);
  for (PetscInt i = 0; i < n; ++i) {
    char name[64];
    (void)PetscSNPrintf(name, sizeof name, "-%s", names[i]);
    if (!has(own, name)) continue;
    sal_text_add(&text, "%s%s", text.length ? ", " : "", name);
  }
  (void)PetscOptionsLeftRestore(used, &n, &names, &values);
  if (!text.length) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: PETSc does not use %s with these options", where,
                  text.string);
}

static void drop_options(PetscOptions *o)
{
  if (*o) (void)PetscOptionsDestroy(o);
}

static sal_err try_options(const char *where, const sal_petsc_kind *kind, PetscOptions own,
                           sal_petsc_trial *trial)
{
  SAL_OWN_BY(drop_options) PetscOptions all = NULL;

  if (sal_petsc_options(kind, false, &all))
    return sal_fail(SAL_ERR_MEMORY, "%s: no memory for PETSc's options", where);
  *trial = sal_petsc_trial_run(kind, all, 1e-3);
  if (trial->code || trial->reason < 0)
    return sal_fail(
        SAL_ERR_INPUT, "%s: PETSc cannot solve y' = -y with '%s': %s", where, kind->options,
        trial->code ? sal_petsc_message(trial->code) : TSConvergedReasons[trial->reason]);
  SAL_TRY(check_unused(where, all, own));
  if (has(own, "-ts_dt") || sal_petsc_trial_run(kind, all, 1e-12).steps != trial->steps)
    return SAL_OK;
  return sal_fail(SAL_ERR_INPUT,
                  "%s: '%s' takes the same steps at any tolerance: add -ts_adapt_type basic, or "
                  "-ts_dt STEP where the type has no error estimate",
                  where, kind->options);
}

/** A method with all that it points at. */
typedef struct {
  sal_method method;
  sal_engine engine;
  sal_petsc_kind kind;
  char *name, *title, *type, *select, *options;
} made;

static void drop_made(made **own)
{
  made *const m = *own;

  if (!m) return;
  sal_free_all(m->name, m->title, m->type, m->select, m->options, m);
}

void sal_petsc_free(sal_method *method) { drop_made(&(made *){(made *)method}); }

static char *describe_type(PetscOptions own, const char *type)
{
  char option[64], value[64];
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
  m->title = sal_text_take(&title);
  m->select = sal_text_take(&select);
  m->engine = (sal_engine){.library = "PETSc",
                           .version = sal_petsc_version,
                           .kernels = sal_petsc_kernels,
                           .type = m->type,
                           .select = m->select,
                           .settings = &m->kind,
                           .one_thread = true,
                           .open = sal_petsc_open,
                           .run = sal_petsc_run,
                           .close = sal_petsc_close};
  m->method = (sal_method){.name = m->name,
                           .title = m->title,
                           .source = "PETSc 3.18, TS: doi:10.48550/arXiv.1806.01437",
                           .order = trial->order,
                           .min_order = trial->order,
                           .dense_order = trial->curved ? 0 : 2,
                           .implicit = m->kind.implicit,
                           .engine = &m->engine,
                           SAL_ENGINE_OPS};
  return m->type && m->title && m->select;
}

static sal_err check(const char *where, made *m, PetscOptions own)
{
  char type[64];
  sal_petsc_trial trial = {0};

  value_of(own, "-ts_type", type, sizeof type);
  SAL_TRY(check_type(where, type));
  m->kind = (sal_petsc_kind){m->options, !sal_petsc_is_explicit(type)};
  SAL_TRY(try_options(where, &m->kind, own, &trial));
  return describe(m, own, type, &trial)
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "%s: no memory for a method of PETSc", where);
}

sal_err sal_petsc_make(const char *where, const char *name, const char *options, sal_method **out)
{
  SAL_OWN_BY(drop_options) PetscOptions own = NULL;
  SAL_OWN_BY(drop_made) made *m = NULL;

  *out = NULL;
  SAL_TRY(sal_petsc_start());
  sal_petsc_forget();
  m = sal_alloc(1, sizeof *m);
  if (!m) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for a method of PETSc", where);
  m->name = sal_text_copy(name);
  m->options = sal_text_copy(options);
  if (!m->name || !m->options || PetscOptionsCreate(&own))
    return sal_fail(SAL_ERR_MEMORY, "%s: no memory for a method of PETSc", where);
  SAL_TRY(sal_petsc_allowed_set(where, options, own));
  SAL_TRY(check(where, m, own));
  *out = &m->method;
  m = NULL;
  return SAL_OK;
}
