/** Joints as lists of primitives. */
#include "base.h"
#include "reading.h"
#include "value.h"

enum { MAX_EQUATION = 5 };

/* A primitive of a joint: a_i and a_j by their keys. */
typedef struct {
  sal_constraint_kind kind;
  const char *a, *j;
  int axis;
} equation;

#define POINT(x)                                                                                   \
  {                                                                                                \
    SAL_CONSTRAINT_POINT, NULL, NULL, x                                                            \
  }
#define DOT1(a_i, b_j)                                                                             \
  {                                                                                                \
    SAL_CONSTRAINT_DOT1, a_i, b_j, 0                                                               \
  }
#define DOT2(a_i)                                                                                  \
  {                                                                                                \
    SAL_CONSTRAINT_DOT2, a_i, NULL, 0                                                              \
  }

static const struct {
  const char *name;
  equation equation[MAX_EQUATION + 1];
} joints[] = {
    {"revolute", {POINT(0), POINT(1), POINT(2), DOT1("f_i", "h_j"), DOT1("g_i", "h_j")}},
    {"spherical", {POINT(0), POINT(1), POINT(2)}},
    {"universal", {POINT(0), POINT(1), POINT(2), DOT1("f_i", "h_j")}},
    {"translational",
     {DOT1("f_i", "h_j"), DOT1("g_i", "h_j"), DOT2("f_i"), DOT2("g_i"), DOT1("g_i", "f_j")}},
    {"distance", {{SAL_CONSTRAINT_DISTANCE, NULL, NULL, 0}}},
    {"lock", {DOT2("a_i")}},
    {"pin", {POINT(0), POINT(1)}},
    {"slider", {DOT1("f_i", "h_j"), DOT2("f_i")}},
    {"level", {POINT(2)}},
};
enum { N_KIND = sizeof joints / sizeof *joints };

static const char *const joint_keys[] = {"name", "type", "bodies", "P_i", "P_j",    "f_i",
                                         "g_i",  "h_j",  "f_j",    "a_i", "length", NULL};

/* How many equations a joint has: entries after the last one are all 0, as POINT(0) is, which only
 * ever comes first. */
static int count_equations(int kind)
{
  int n = 1;

  while (n < MAX_EQUATION) {
    const equation *e = &joints[kind].equation[n];
    if (e->kind == SAL_CONSTRAINT_POINT && e->axis == 0) break;
    ++n;
  }
  return n;
}

static sal_err read_vector(sal_reading *r, int mapping, const char *what, const char *key, int body,
                           sal_arm *arm)
{
  SAL_TRY(sal_reading_arm(r, mapping, what, key, body, false, arm));
  const double *x = r->system->value + arm->s;
  if (x[0] != 0 || x[1] != 0 || x[2] != 0) return SAL_OK;
  return sal_document_fail(r->document, sal_document_child(r->document, mapping, key),
                           "%s: %s has no direction", what, key);
}

static sal_err read_equation(sal_reading *r, int mapping, const char *what, const equation *e,
                             const sal_constraint *joint, sal_constraint *c)
{
  *c = *joint;
  c->kind = e->kind;
  c->axis = e->axis;
  if (e->a) SAL_TRY(read_vector(r, mapping, what, e->a, joint->i.body, &c->a));
  if (e->j) SAL_TRY(read_vector(r, mapping, what, e->j, joint->j.body, &c->j));
  return SAL_OK;
}

static sal_err read_length(sal_reading *r, int mapping, const char *what, int *at)
{
  SAL_TRY(sal_reading_entry(r, mapping, what, "length", NAN, at));
  if (r->system->value[*at] > 0) return SAL_OK;
  return sal_document_fail(r->document, sal_document_child(r->document, mapping, "length"),
                           "%s: length = %g; allowed: greater than 0", what, r->system->value[*at]);
}

static sal_err read_joint(sal_reading *r, int mapping, int number)
{
  sal_system *s = r->system;
  char *what = s->joint[number];
  const char *names[N_KIND + 1] = {NULL};
  sal_constraint joint = {.joint = number};
  int node, kind, i, j;

  SAL_TRY(sal_value_keys(r->document, mapping, "a joint", joint_keys));
  SAL_TRY(sal_reading_name(r, mapping, "a joint", false, what));
  SAL_TRY(sal_value_need(r->document, mapping, what, "type", &node));
  for (int k = 0; k < N_KIND; ++k) names[k] = joints[k].name;
  SAL_TRY(sal_value_rank(r->document, node, "", "type of joint", names, &kind));
  SAL_TRY(sal_reading_pair(r, mapping, what, &i, &j));
  sal_system_columns(s, i, j, joint.column);
  SAL_TRY(sal_reading_arm(r, mapping, what, "P_i", i, true, &joint.i));
  SAL_TRY(sal_reading_arm(r, mapping, what, "P_j", j, true, &joint.j));
  if (joints[kind].equation[0].kind == SAL_CONSTRAINT_DISTANCE)
    SAL_TRY(read_length(r, mapping, what, &joint.length));
  for (int e = 0; e < count_equations(kind); ++e)
    SAL_TRY(read_equation(r, mapping, what, &joints[kind].equation[e], &joint,
                          &s->constraint[s->n_constraint++]));
  return SAL_OK;
}

sal_err sal_reading_joints(sal_reading *r)
{
  sal_system *s = r->system;
  const int list = sal_document_find(r->document, "joints");
  const int n = sal_document_count(r->document, list);

  if (list && n == 0) return sal_value_wrong_kind(r->document, list, "joints", "a list of joints");
  s->joint = sal_alloc((size_t)n, sizeof *s->joint);
  if (!s->joint) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document->path);
  for (int k = 0; k < n; ++k) {
    ++s->n_joint;
    SAL_TRY(read_joint(r, sal_document_item(r->document, list, k), k));
  }
  sal_reading_norms(r);
  return SAL_OK;
}
