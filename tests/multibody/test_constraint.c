/** The primitives' derivatives to third order, against differences, between bodies of all kinds. */
#include "constraint.h"
#include "differences.h"
#include "model_text.h"

static const double step = 0.02;

/* Joints of all types between spatial and planar bodies, consistent but of no use. */
static const char joints_text[] =
    "name: joints\n"
    "bodies:\n"
    "  - {name: a, mass: 1, inertia: [1, 2, 2.5]}\n"
    "  - {name: b, mass: 2, inertia: [2, 2, 3, 0.1, 0.2, 0.3], position: [1, 0, 0]}\n"
    "  - {name: c, kind: planar, mass: 1, inertia: 1}\n"
    "  - {name: d, kind: planar, mass: 1, inertia: 1, position: [2, 0]}\n"
    "  - {name: e, kind: planar, mass: 1, inertia: 1, position: [2, 1]}\n"
    "joints:\n"
    "  - {name: u, type: universal, bodies: [a, b], P_i: [0.5, 0, 0], P_j: [-0.5, 0, 0],\n"
    "     f_i: [0, 1, 0.5], h_j: [1, 0.5, -1]}\n"
    "  - {name: s, type: slider, bodies: [c, d], P_j: [0, 0], f_i: [0, 1], h_j: [1, 0]}\n"
    "  - {name: l, type: distance, bodies: [d, e], P_i: [0, 0], P_j: [0, 0], length: 1}\n"
    "  - {name: g, type: lock, bodies: [ground, a], a_i: [1, 2, 3], P_j: [0, 0, 0]}\n";

/* All results of constraint.h for one constraint at q, along p. */
typedef struct {
  const sal_system *s;
  const sal_constraint *c;
  double q[SAL_MAX_Q], p[SAL_MAX_Q];
} spot;

static void local(const spot *at, const double x[], double out[SAL_PAIR])
{
  for (int l = 0; l < SAL_PAIR; ++l) out[l] = at->c->column[l] < 0 ? 0 : x[at->c->column[l]];
}

static double dot(const double a[SAL_PAIR], const double b[SAL_PAIR])
{
  double sum = 0;

  for (int l = 0; l < SAL_PAIR; ++l) sum += a[l] * b[l];
  return sum;
}

/* value, slope . p and bend at six points along coordinate l */
static void sample(const spot *at, int l, double value[6], double along[6], double bend[6])
{
  for (int i = 0; i < 6; ++i) {
    spot x = *at;
    sal_constraint_row row;
    sal_constraint_turn turn;
    double p[SAL_PAIR];
    x.q[at->c->column[l]] += sixth_order_at[i] * step;
    local(at, at->p, p);
    value[i] = sal_constraint_value(at->s, at->s->value, x.q, at->c);
    sal_constraint_slope(at->s, at->s->value, x.q, at->c, row);
    along[i] = dot(row, p);
    sal_constraint_along(at->s, at->s->value, x.q, at->p, at->c, &turn);
    bend[i] = turn.bend;
  }
}

/* Returns the largest entries of the four derivatives, so that none is 0 for want of anything. */
static void check(const spot *at, double most[4])
{
  const int n = at->s->n_q;
  double *S = sal_alloc((size_t)n * (size_t)n, sizeof *S);
  sal_constraint_row row;
  sal_constraint_turn turn;
  double p[SAL_PAIR];

  local(at, at->p, p);
  sal_constraint_slope(at->s, at->s->value, at->q, at->c, row);
  sal_constraint_along(at->s, at->s->value, at->q, at->p, at->c, &turn);
  sal_constraint_hessian(at->s, at->s->value, at->q, at->c, 1, S);
  CU_ASSERT_DOUBLE_EQUAL(dot(turn.along, p), turn.bend, 1e-12 * (1 + fabs(turn.bend)));
  for (int l = 0; l < SAL_PAIR; ++l) {
    double value[6], along[6], bend[6], Sp = 0;
    if (at->c->column[l] < 0) continue;
    for (int k = 0; k < n; ++k) Sp += S[at->c->column[l] * n + k] * at->p[k];
    sample(at, l, value, along, bend);
    CU_ASSERT_DOUBLE_EQUAL(row[l], sixth_order(value, step), 1e-10 * (1 + fabs(row[l])));
    CU_ASSERT_DOUBLE_EQUAL(turn.along[l], sixth_order(along, step), 1e-9 * (1 + fabs(Sp)));
    CU_ASSERT_DOUBLE_EQUAL(turn.along[l], Sp, 1e-12 * (1 + fabs(Sp)));
    CU_ASSERT_DOUBLE_EQUAL(turn.third[l], sixth_order(bend, step),
                           1e-8 * (1 + fabs(turn.third[l])));
    most[0] = fmax(most[0], fabs(row[l]));
    most[1] = fmax(most[1], fabs(turn.along[l]));
    most[2] = fmax(most[2], fabs(turn.third[l]));
  }
  most[3] = fmax(most[3], fabs(turn.bend));
  sal_free(S);
}

/* By kind of constraint: the largest entries seen; those of POINT in a particle are constant. */
static void check_all(const sal_system *s, double most[SAL_N_CONSTRAINT_KIND][4])
{
  unsigned seed = 7;
  spot at = {.s = s};

  for (int i = 0; i < s->n_q; ++i) {
    at.q[i] = s->q0[i] + 0.3 * draw(&seed);
    at.p[i] = draw(&seed);
  }
  for (int k = 0; k < s->n_constraint + s->n_lock; ++k) {
    at.c = &s->constraint[k];
    check(&at, most[at.c->kind]);
  }
}

static void derivatives_are_those_of_the_values(void)
{
  double most[SAL_N_CONSTRAINT_KIND][4] = {{0}};
  sal_model_file *file[] = {parse_model(joints_text), read_model("vehicle.yaml"),
                            read_model("double-pendulum.yaml"), read_model("hopping-leg-dae.yaml")};

  for (int i = 0; i < 4; ++i) {
    CU_ASSERT_PTR_NOT_NULL_FATAL(file[i]);
    check_all(sal_model_file_system(file[i]), most);
    sal_model_file_free(file[i]);
  }
  for (int kind = 0; kind < SAL_N_CONSTRAINT_KIND; ++kind)
    for (int d = 0; d < 4; ++d)
      CU_ASSERT(most[kind][d] > 0.1 || (kind == SAL_CONSTRAINT_NORM && d == 2));
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("constraint", NULL,
              {"derivatives are those of the values", derivatives_are_those_of_the_values})
