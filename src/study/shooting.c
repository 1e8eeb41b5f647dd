/** @file src/study/shooting.c
 *  F(u) = 0 with u the unknowns at the start of each piece, and F how far the end of each piece is from
 *  the start of the next.
 */
#include "shooting.h"
#include "cycle_checks.h"
#include "memory.h"
#include <float.h>
#include <math.h>
#include <petscsnes.h>
#include <string.h>

enum { MOST_PIECES = 64 };

/** From one surface to the next. */
typedef struct {
  sal_return_map *map; /* ends at the next surface; its unknowns are all states that do not drift */
  double          y[SAL_MAX_STATE], end[SAL_MAX_STATE]; /* at its start, by the last iterate */
  bool           *closed, *end_closed;                  /* [n_guard] */
  double         *dp;                                   /* [map->n_unknown]^2 */
  double          time;
  int             first, n; /* its part of u, in which the start may differ in .. */
  int             unknown[SAL_MAX_STATE];
  double          size[SAL_MAX_STATE];
} piece;

/** What SNES is told. */
typedef struct {
  const sal_return_map *map;
  const double         *param;
  int                   n_piece, n; /* pieces; length of u */
  piece                *at;         /* [n_piece] */
  sal_return_end        why;        /* of the last piece that was run */
  sal_err               err;
} shooting;

/* ---- PETSc itself --------------------------------------------------------------------------- */

static bool started;

sal_err sal_shooting_start(void)
{
  PetscBool runs = PETSC_FALSE;

  if (PetscInitialized(&runs) == 0 && runs) return SAL_OK;
  if (PetscOptionsSetValue(NULL, "-no_signal_handler", NULL) ||
      PetscOptionsSetValue(NULL, "-skip_petscrc", NULL) || PetscInitializeNoArguments())
    return sal_fail(SAL_ERR_COMM, "PETSc could not be started");
  started = true;
  return PetscPushErrorHandler(PetscReturnErrorHandler, NULL) == 0
             ? SAL_OK
             : sal_fail(SAL_ERR_COMM, "PETSc could not be started");
}

void sal_shooting_end(void)
{
  if (started) (void)PetscFinalize();
  started = false;
}

static sal_err fail_petsc(PetscErrorCode code)
{
  const char *text = NULL;

  (void)PetscErrorMessage(code, &text, NULL);
  return sal_fail(SAL_ERR_MEMORY, "PETSc failed: %s", text ? text : "unknown error");
}

/* ---- residual and Jacobian ------------------------------------------------------------------ */

static void place_starts(shooting *s, const PetscScalar u[])
{
  for (int i = 0; i < s->n_piece; ++i) {
    piece *p = &s->at[i];
    for (int j = 0; j < p->n; ++j) p->y[p->unknown[j]] = u[p->first + j] * p->size[j];
  }
}

/* Runs all pieces, with derivatives if asked; false when one does not reach its end. */
static bool run_pieces(shooting *s, bool derivatives)
{
  for (int i = 0; i < s->n_piece && s->err == SAL_OK; ++i) {
    piece     *p = &s->at[i];
    sal_return r = {.param      = s->param,
                    .start      = p->y,
                    .closed     = p->closed,
                    .end        = p->end,
                    .end_closed = p->end_closed,
                    .dp         = derivatives ? p->dp : NULL};
    s->err       = sal_return_map_run(p->map, 1, &r);
    s->why       = r.why;
    p->time      = r.time;
    if (s->err != SAL_OK || r.why != SAL_RETURN_MADE) return false;
  }
  return s->err == SAL_OK;
}

/* Where a piece does not arrive the residual is one that no line search takes. */
static void write_residual(const shooting *s, bool arrived, PetscScalar f[])
{
  for (int i = 0; i < s->n_piece; ++i) {
    const piece *p = &s->at[i], *q = &s->at[(i + 1) % s->n_piece];
    for (int j = 0; j < q->n; ++j) {
      const int k     = q->unknown[j];
      f[q->first + j] = arrived ? (p->end[k] - q->y[k]) / q->size[j] : 1e10;
    }
  }
}

static PetscErrorCode residual(SNES snes, Vec u, Vec f, void *context)
{
  shooting          *s = context;
  const PetscScalar *from;
  PetscScalar       *to;

  (void)snes;
  PetscCall(VecGetArrayRead(u, &from));
  place_starts(s, from);
  PetscCall(VecRestoreArrayRead(u, &from));
  const bool arrived = run_pieces(s, false);
  PetscCall(VecGetArray(f, &to));
  write_residual(s, arrived, to);
  PetscCall(VecRestoreArray(f, &to));
  return s->err == SAL_OK ? 0 : PETSC_ERR_MEM;
}

/* Entry of a piece's derivative: state `row` at its end by state `column` at its start. */
static double derivative(const piece *p, int row, int column)
{
  const sal_return_map *m = p->map;
  int                   a = 0, b = 0;

  while (m->unknown[a] != row) ++a;
  while (m->unknown[b] != column) ++b;
  return p->dp[a * m->n_unknown + b];
}

static PetscErrorCode jacobian(SNES snes, Vec u, Mat J, Mat P, void *context)
{
  shooting          *s = context;
  const PetscScalar *from;

  (void)snes, (void)P;
  PetscCall(VecGetArrayRead(u, &from));
  place_starts(s, from);
  PetscCall(VecRestoreArrayRead(u, &from));
  if (!run_pieces(s, true)) return s->err == SAL_OK ? PETSC_ERR_NOT_CONVERGED : PETSC_ERR_MEM;
  PetscCall(MatZeroEntries(J));
  for (int i = 0; i < s->n_piece; ++i) {
    const piece *p = &s->at[i], *q = &s->at[(i + 1) % s->n_piece];
    for (int a = 0; a < q->n; ++a) {
      for (int b = 0; b < p->n; ++b)
        PetscCall(MatSetValue(J, q->first + a, p->first + b,
                              derivative(p, q->unknown[a], p->unknown[b]) * p->size[b] / q->size[a],
                              ADD_VALUES));
      PetscCall(MatSetValue(J, q->first + a, q->first + a, -1, ADD_VALUES));
    }
  }
  PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  return 0;
}

/* ---- one solve ------------------------------------------------------------------------------ */

static const char *words_for(SNESConvergedReason reason, double norm, double accept)
{
  static const struct {
    SNESConvergedReason reason;
    const char         *words;
  } row[] = {
      {SNES_CONVERGED_FNORM_ABS, "the residual is rounding"},
      {SNES_CONVERGED_SNORM_RELATIVE, "the steps are rounding"},
      {SNES_DIVERGED_LINE_SEARCH, "no shorter step makes the residual smaller"},
      {SNES_DIVERGED_MAX_IT, "too many iterations"},
      {SNES_DIVERGED_LINEAR_SOLVE, "the Jacobian is singular"},
      {SNES_DIVERGED_FNORM_NAN, "the residual is no number"},
  };

  if (norm <= accept && reason == SNES_DIVERGED_LINE_SEARCH) return "rounding stops it";
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i)
    if (row[i].reason == reason) return row[i].words;
  return SNESConvergedReasons[reason];
}

/** What a solve needs of PETSc. */
typedef struct {
  SNES snes;
  Vec  u, f;
  Mat  J;
} solver;

static PetscErrorCode make_solver(shooting *s, const sal_cycle_setup *setup, solver *v)
{
  KSP ksp;
  PC  pc;

  PetscCall(VecCreateSeq(PETSC_COMM_SELF, s->n, &v->u));
  PetscCall(VecDuplicate(v->u, &v->f));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, s->n, s->n, NULL, &v->J));
  PetscCall(SNESCreate(PETSC_COMM_SELF, &v->snes));
  PetscCall(SNESSetType(v->snes, SNESNEWTONLS));
  PetscCall(SNESSetFunction(v->snes, v->f, residual, s));
  PetscCall(SNESSetJacobian(v->snes, v->J, v->J, jacobian, s));
  PetscCall(SNESSetTolerances(v->snes, 1e-15, 1e-50, 4 * DBL_EPSILON,
                              setup->max_iterations > 0 ? setup->max_iterations : 40, 10000));
  PetscCall(SNESGetKSP(v->snes, &ksp));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCLU));
  return 0;
}

static PetscErrorCode free_solver(solver *v)
{
  PetscCall(SNESDestroy(&v->snes));
  PetscCall(MatDestroy(&v->J));
  PetscCall(VecDestroy(&v->f));
  PetscCall(VecDestroy(&v->u));
  return 0;
}

static PetscErrorCode run_solver(shooting *s, solver *v, SNESConvergedReason *reason,
                                 sal_shooting_report *report)
{
  PetscScalar       *u;
  const PetscScalar *at;
  PetscInt           iterations;
  PetscReal          norm;

  PetscCall(VecGetArray(v->u, &u));
  for (int i = 0; i < s->n_piece; ++i)
    for (int j = 0; j < s->at[i].n; ++j)
      u[s->at[i].first + j] = s->at[i].y[s->at[i].unknown[j]] / s->at[i].size[j];
  PetscCall(VecRestoreArray(v->u, &u));
  PetscCall(SNESSolve(v->snes, NULL, v->u));
  PetscCall(SNESGetConvergedReason(v->snes, reason));
  PetscCall(SNESGetIterationNumber(v->snes, &iterations));
  PetscCall(SNESGetFunctionNorm(v->snes, &norm));
  PetscCall(VecGetArrayRead(v->u, &at));
  place_starts(s, at);
  PetscCall(VecRestoreArrayRead(v->u, &at));
  report->iterations = iterations;
  report->norm       = norm;
  return 0;
}

/* Leaves the solution, or the best there is, in the starts of the pieces. */
static sal_err solve(shooting *s, const sal_cycle_setup *setup, sal_cycle *c,
                     sal_shooting_report *report)
{
  const double accept = setup->accept > 0 ? setup->accept : fmax(1e3 * s->map->setup.rtol, 1e-10);
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  solver              v      = {0};

  report->pieces      = s->n_piece;
  PetscErrorCode code = make_solver(s, setup, &v);
  if (code == 0) code = run_solver(s, &v, &reason, report);
  const PetscErrorCode freed = free_solver(&v);
  if (s->err != SAL_OK) return s->err;
  if (code == PETSC_ERR_NOT_CONVERGED) {
    report->reason = "a piece did not reach its end";
    c->why         = sal_cycle_of_return(s->why);
    return SAL_OK;
  }
  if (code != 0 || freed != 0) return fail_petsc(code ? code : freed);
  report->reason = words_for(reason, report->norm, accept);
  c->why         = report->norm <= accept ? SAL_CYCLE_FOUND : SAL_CYCLE_DIVERGES;
  return SAL_OK;
}

/* ---- pieces --------------------------------------------------------------------------------- */

static sal_err fail_no_memory(void)
{
  return sal_fail(SAL_ERR_MEMORY, "no memory for the pieces of an orbit");
}

static void free_pieces(shooting *s)
{
  for (int i = 0; s->at && i < s->n_piece; ++i) {
    piece *p = &s->at[i];
    if (p->map) sal_return_map_free(p->map);
    sal_free(p->map);
    sal_free(p->closed);
    sal_free(p->end_closed);
    sal_free(p->dp);
  }
  sal_free(s->at);
  s->at = NULL;
}

/* A piece from (y, closed), where `from` is the section, to `to`. */
static sal_err make_piece(shooting *s, int i, const sal_section *from, const sal_section *to,
                          int returns, const double y[], const bool closed[])
{
  const sal_return_map *whole = s->map;
  sal_return_setup      setup = whole->setup;
  piece                *p     = &s->at[i];
  sal_model            *begins;

  p->map        = sal_alloc(1, sizeof *p->map);
  p->closed     = sal_alloc((size_t)whole->n_guard, sizeof *p->closed);
  p->end_closed = sal_alloc((size_t)whole->n_guard, sizeof *p->end_closed);
  begins        = sal_alloc(1, sizeof *begins);
  if (!p->map || !p->closed || !p->end_closed || !begins) {
    sal_free(begins);
    return fail_no_memory();
  }
  *begins         = whole->model;
  begins->section = *from;
  p->n            = sal_return_map_unknowns(begins, false, p->unknown);
  sal_free(begins);
  setup.section     = *to;
  setup.returns     = returns;
  setup.width       = 1;
  setup.every_state = true;
  SAL_TRY(sal_return_map_create(&setup, p->map));
  p->dp = sal_alloc((size_t)(p->map->n_unknown * p->map->n_unknown), sizeof *p->dp);
  if (!p->dp) return fail_no_memory();
  memcpy(p->y, y, (size_t)whole->model.n_state * sizeof *y);
  memcpy(p->closed, closed, (size_t)whole->n_guard * sizeof *closed);
  p->first = s->n;
  s->n += p->n;
  for (int j = 0; j < p->n; ++j) {
    const double least = 0.1 * sal_return_map_size(p->map, y, 0);
    p->size[j]         = fmax(fabs(y[p->unknown[j]]), least);
  }
  return SAL_OK;
}

static sal_err cut_single(shooting *s, const sal_cycle *c)
{
  const sal_section *x = &s->map->model.section;

  s->n_piece = 1;
  s->at      = sal_alloc(1, sizeof *s->at);
  if (!s->at) return fail_no_memory();
  return make_piece(s, 0, x, x, s->map->setup.returns, c->y, c->closed);
}

/* Why the return that the guess makes cannot be cut at its events; NULL: it can. */
static const char *uncut(const sal_return_map *map, const sal_return *guess, const sal_events *log)
{
  if (map->model.section.period) return "a driven orbit is not cut: its pieces would lose the time";
  if (guess->why != SAL_RETURN_MADE) return "the guess does not come back: there is nothing to cut";
  if (log->n < 2) return "there is no event on the way to cut it at";
  if (log->n > MOST_PIECES) return "there are too many events on the way";
  for (int64_t e = 1; e < log->n; ++e)
    if (log->event[e].t == log->event[e - 1].t) return "contacts change together on the way";
  return NULL;
}

static sal_err cut_at_events(shooting *s, const sal_cycle *c, const sal_events *log)
{
  sal_section section = s->map->model.section, next = section;

  s->n_piece = (int)log->n;
  s->at      = sal_alloc((size_t)log->n, sizeof *s->at);
  if (!s->at) return fail_no_memory();
  for (int i = 0; i < s->n_piece; ++i) {
    const sal_event *before = i > 0 ? &log->event[i - 1] : NULL;
    next.contact            = log->event[i].guard;
    next.closes             = log->event[i].closes;
    SAL_TRY(make_piece(s, i, &section, &next, 1, before ? before->y : c->y,
                       before ? log->closed + (i - 1) * s->map->n_guard : c->closed));
    section = next;
  }
  return SAL_OK;
}

/* Cuts the return of the guess into its phases; *flaw says why that cannot be. */
static sal_err cut_multiple(shooting *s, const sal_cycle *c, const char **flaw)
{
  const size_t g = (size_t)s->map->n_guard;
  double       end[SAL_MAX_STATE];
  sal_events   log = {.event    = sal_alloc(MOST_PIECES, sizeof *log.event),
                      .capacity = MOST_PIECES,
                      .closed   = sal_alloc(MOST_PIECES * g, sizeof *log.closed)};
  sal_return   p   = {
          .param = c->param, .start = c->y, .closed = c->closed, .end = end, .events = &log};

  sal_err err = log.event && log.closed ? sal_return_map_run(s->map, 1, &p) : fail_no_memory();
  if (err == SAL_OK) *flaw = uncut(s->map, &p, &log);
  if (err == SAL_OK && !*flaw) err = cut_at_events(s, c, &log);
  sal_free(log.event);
  sal_free(log.closed);
  return err;
}

/* ---- an orbit ------------------------------------------------------------------------------- */

/* What is stored with the orbit whose point on the section the first piece holds. */
static sal_err complete(const sal_return_map *map, const sal_cycle_setup *setup, const piece *first,
                        sal_cycle *c)
{
  const int     m  = map->n_unknown;
  double *const dp = sal_alloc((size_t)(m * m), sizeof *dp);
  double        end[SAL_MAX_STATE];

  if (!dp) return fail_no_memory();
  memcpy(c->y, first->y, (size_t)map->model.n_state * sizeof *c->y);
  sal_return p   = {.param = c->param, .start = c->y, .closed = c->closed, .end = end, .dp = dp};
  sal_err    err = sal_return_map_run(map, 1, &p);
  if (err == SAL_OK) {
    const double *const of[] = {dp};
    c->period                = p.time;
    c->closure               = sal_cycle_residual(map, c->y, end);
    if (p.why != SAL_RETURN_MADE) c->why = sal_cycle_of_return(p.why);
    if (c->dp) memcpy(c->dp, dp, (size_t)(m * m) * sizeof *dp);
    err = sal_cycle_checks_run(map, setup, 1, of, c);
  }
  sal_free(dp);
  return err;
}

static sal_err try_way(const sal_return_map *map, const sal_cycle_setup *setup, bool multiple,
                       sal_cycle *c, sal_shooting_report *report)
{
  shooting    s    = {.map = map, .param = c->param};
  const char *flaw = NULL;

  sal_err err = multiple ? cut_multiple(&s, c, &flaw) : cut_single(&s, c);
  if (err == SAL_OK && flaw) {
    report->reason = flaw;
  } else if (err == SAL_OK && !run_pieces(&s, false)) {
    err            = s.err;
    c->why         = sal_cycle_of_return(s.why);
    report->reason = "the guess does not come back";
  } else if (err == SAL_OK) {
    err = solve(&s, setup, c, report);
    if (err == SAL_OK && c->why == SAL_CYCLE_FOUND) err = complete(map, setup, s.at, c);
  }
  c->iterations = report->iterations;
  free_pieces(&s);
  return err;
}

sal_err sal_shooting_find(const sal_return_map *map, const sal_cycle_setup *setup,
                          sal_shooting_way way, sal_cycle *c, sal_shooting_report *report)
{
  *report = (sal_shooting_report){.norm = NAN};
  c->why  = SAL_CYCLE_DIVERGES;
  SAL_TRY(sal_shooting_start());
  if (way != SAL_SHOOTING_MULTIPLE) SAL_TRY(try_way(map, setup, false, c, report));
  if (way == SAL_SHOOTING_MULTIPLE || (way == SAL_SHOOTING_EITHER && c->why == SAL_CYCLE_DIVERGES))
    SAL_TRY(try_way(map, setup, true, c, report));
  return SAL_OK;
}
