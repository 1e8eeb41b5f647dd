/** The implicit midpoint rule against its own closed form, exact solutions, and explicit time stepping. */
#include "energy_text.h"
#include "integrate.h"
#include "memory.h"
#include "provider.h"
#include "registry.h"

extern const sal_provider sal_moreau_provider;

typedef struct {
  double y[SAL_MAX_STATE];
  sal_record record;
} run_end;

static run_end run_text(const char *text, bool implicit, double h, double end)
{
  sal_equation_model *e = parse(text);
  const sal_model *m = sal_equation_model_get(e);
  const sal_setup setup = {.model = m,
                           .method = sal_moreau_provider.methods[implicit],
                           .strategy = sal_registry_strategy("capture"),
                           .rtol = h,
                           .atol = h,
                           .t_end = end,
                           .max_attempts = 1000000};
  double param[SAL_MAX_PARAM] = {0}, start[SAL_MAX_STATE];
  run_end out = {0};
  const sal_job job = {.param = param, .initial = start, .end = out.y};
  void *work = sal_alloc(sal_integrate_bytes(&setup, 1), 1);

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) start[i] = m->state[i].preset;
  sal_integrate(&setup, 1, 1, &job, &out.record, work);
  sal_free(work);
  sal_equation_model_free(e);
  return out;
}

static bool done(const run_end *r) { return r->record.value[SAL_METRIC_OUTCOME] == SAL_OUT_DONE; }

#define CONTACT(gap)                                                                               \
  "contacts: {c: {names: [a, b], gap: " gap ", law: {rigid: {restitution: 0}}}}\n"

/* x'' = -1e6 x in steps of ten radians: each turns the phase by 2 atan(w h / 2), and the energy stays. */
static void test_a_stiff_spring(void)
{
  static const char text[] =
      "equations: 1\nname: stiff\ncoordinates: {x: {preset: 1, rate: v}}\nkinetic: v^2 / 2\n"
      "potential: 5e5 * x^2\n" CONTACT("x + 9");
  const double w = 1e3, h = 1e-2, turn = 2 * atan(w * h / 2);

  for (int n = 1; n <= 100; n += 33) {
    const run_end out = run_text(text, true, h, n * h);
    CU_ASSERT(done(&out));
    CU_ASSERT_EQUAL(out.record.value[SAL_METRIC_STEPS], n);
    CU_ASSERT_DOUBLE_EQUAL(out.y[0], cos(n * turn), 1e-5 * n);
    CU_ASSERT_DOUBLE_EQUAL(out.y[1] / w, -sin(n * turn), 1e-5 * n);
  }
  const run_end other = run_text(text, false, h, 0.3);
  CU_ASSERT(!done(&other) || fabs(other.y[0]) > 1e6);
}

/* Two springs with damping and a gyroscopic force: order 2 against ten times finer steps. */
static void test_order(void)
{
  static const char text[] =
      "equations: 1\nname: turning\ncoordinates:\n  x: {preset: 1, rate: vx}\n  y: {preset: 0.5, "
      "rate: vy}\nkinetic: (vx^2 + 2 * vy^2) / 2\npotential: (4 * x^2 + y^2 + x * y) / 2 + x^4 / "
      "4\n"
      "forces: {x: 3 * vy - 0.2 * vx, y: -3 * vx - 0.1 * (vy - vx)}\n" CONTACT("x + 9");
  const run_end exact = run_text(text, false, 1e-4, 2);
  double error[2];

  for (int k = 0; k < 2; ++k) {
    const run_end out = run_text(text, true, k ? 0.005 : 0.01, 2);
    CU_ASSERT(done(&out));
    error[k] = hypot(out.y[0] - exact.y[0], out.y[1] - exact.y[1]);
  }
  CU_ASSERT(error[0] < 1e-2 && error[1] > 1e-7);
  CU_ASSERT(error[0] / error[1] > 3.6 && error[0] / error[1] < 4.4);
}

/* A mass on a stiff foot falls onto a rigid floor and stays: forces, contact and mass are one problem. */
static void test_a_stiff_foot_lands(void)
{
  static const char text[] =
      "equations: 1\nname: foot\ncoordinates:\n  z: {preset: 1.2, rate: vz}\n  f: {preset: 0.2, "
      "rate: vf}\nkinetic: (vz^2 + 0.1 * vf^2) / 2\npotential: 10 * z + f + 5e6 * (z - f - 1)^2\n"
      "forces: {z: 1e3 * (vf - vz), f: 1e3 * (vz - vf)}\n" CONTACT("f");
  const run_end out = run_text(text, true, 1e-3, 1);

  CU_ASSERT(done(&out));
  CU_ASSERT_DOUBLE_EQUAL(out.y[0] - out.y[1], 1 - 1e-6, 1e-7);
  CU_ASSERT(fabs(out.y[1]) < 5e-3 && fabs(out.y[2]) < 1e-6 && fabs(out.y[3]) < 1e-6);
  CU_ASSERT(out.record.value[SAL_METRIC_PENETRATION] > 0);
}

/* A row of oscillators with stops by a flow of its own and by energies: the same steps. */
static void test_a_flow_of_its_own(void)
{
  static const char energies[] =
      "equations: 1\nname: row\ncounts: {n: {preset: 3, range: [1, 9]}}\ncoordinates:\n  x: {for: "
      "i "
      "in 1..n, preset: 0.5 - 0.1 * i, rate: v}\nkinetic: sum(i in 1..n, v(i)^2) / 2\npotential: "
      "sum(i in 1..n, x(i)^2) / 2 + 0.1 * sum(i in 1..n - 1, (x(i + 1) - x(i))^2)\nforces: {x: "
      "{for: "
      "i in 1..n, is: 2 * cos(2 * t + i) - 0.1 * v(i)}}\ncontacts:\n  stop: {for: i in 1..n, "
      "names: "
      "[a, b], gap: x(i) + 0.1 + 0.02 * sin(t), law: {rigid: {restitution: 0.7}}}\n";
  static const char flow[] = "equations: 1\nname: row\ncounts: {n: {preset: 3, range: [1, "
                             "9]}}\nparameters: {e: {preset: 0.7, "
                             "range: [0, 1]}}\nstates:\n  x: {for: i in 1..n, preset: 0.5 - 0.1 * "
                             "i}\n  v: {for: i in 1..n, "
                             "preset: 0, rate_of: x(i)}\nlet:\n  left(1): 0\n  left: {for: i in "
                             "2..n, is: x(i - 1) - x(i)}\n  "
                             "right: {for: i in 1..n - 1, is: x(i + 1) - x(i)}\n  right(n): 0\n  "
                             "force: {for: i in 1..n, is: "
                             "\"2 * cos(2 * t + i) - 0.1 * v(i) - x(i) + 0.2 * (left(i) + "
                             "right(i))\"}\ncontacts:\n  stop: "
                             "{for: i in 1..n, names: [a, b], gap: x(i) + 0.1 + 0.02 * sin(t), "
                             "restitution: e, closes: {v(i): "
                             "-e * v(i)}}\nflow:\n  x: {for: i in 1..n, is: v(i)}\n  v: {for: i in "
                             "1..n, is: 0 if stop(i) else "
                             "force(i)}\n";

  for (int implicit = 0; implicit < 2; ++implicit) {
    const run_end one = run_text(energies, implicit, 1e-2, 5);
    const run_end other = run_text(flow, implicit, 1e-2, 5);
    CU_ASSERT(done(&one) && done(&other));
    CU_ASSERT(one.record.value[SAL_METRIC_EVENTS] > 3);
    CU_ASSERT_EQUAL(one.record.value[SAL_METRIC_EVENTS], other.record.value[SAL_METRIC_EVENTS]);
    for (int i = 0; i < 6; ++i)
      CU_ASSERT_DOUBLE_EQUAL(one.y[i], other.y[i], implicit ? 1e-6 : 1e-11);
  }
}

static void test_refused_restitutions(void)
{
  static const char *const texts[] = {"states: {x: {preset: 1}, v: {preset: 0, rate_of: "
                                      "x}}\ncontacts:\n  a: {names: [a1, a2], gap: x, "
                                      "restitution: 0.5, closes: {v: -0.5 * v}}\n  b: {names: [b1, "
                                      "b2], gap: 2 - x, closes: {v: -v}}\n",
                                      "states: {v: {preset: 0, rate_of: x}, x: {preset: "
                                      "1}}\ncontacts:\n  a: {names: [a1, a2], gap: x, "
                                      "restitution: 0.5, closes: {v: -0.5 * v}}\n"};
  static const char *const sentences[] = {"1 of 2 contacts have it", "all positions, and"};

  for (int i = 0; i < 2; ++i) {
    char text[1024];
    sal_equation_model *e = NULL;
    snprintf(text, sizeof text, "equations: 1\nname: m\n%sflow: {x: v, v: -1}\n", texts[i]);
    CU_ASSERT_EQUAL(sal_equation_model_parse("m.yaml", text, &e), SAL_ERR_INPUT);
    CU_ASSERT(strstr(sal_err_message(), sentences[i]) != NULL);
    sal_err_clear();
  }
}

/* Steps of at most 0.2 sqrt(m / k) of the stiffest linear contact, wherever the run begins and whatever damps it. */
static void test_steps_beside_compliant_contacts(void)
{
  static const char text[] =
      "equations: 1\nname: pad\ncoordinates: {x: {preset: %s, rate: {name: v, preset: "
      "3}}}\nkinetic: 2 * v^2 / 2\n"
      "potential: 2 * 10 * x\ncontacts:\n"
      "  soft: {names: [a, b], gap: x + 1, law: {compliant: {k: 50}}}\n"
      "  pad: {names: [c, d], gap: x, law: {compliant: {k: 800, c: 30}}}\n"
      "  round: {names: [e, f], gap: x + 0.5, law: {compliant: {k: 1e9, exponent: 1.5}}}\n";

  for (int k = 0; k < 2; ++k) {
    char own[1024];
    snprintf(own, sizeof own, text, k ? "0" : "0.5");
    const run_end coarse = run_text(own, false, 0.0102, 1), fine = run_text(own, false, 0.00999, 1);
    CU_ASSERT_EQUAL(coarse.record.value[SAL_METRIC_OUTCOME], SAL_OUT_COARSE);
    CU_ASSERT_EQUAL(coarse.record.value[SAL_METRIC_STEPS], 0);
    CU_ASSERT(done(&fine));
    const run_end other = run_text(own, true, 0.0102, 1);
    CU_ASSERT(done(&other));
  }
}

/* A block on a spring slides on a floor that it rests on, up to its first stop, and a mass turns under a gyroscopic force: nothing
 * hits, so that both rules are of order 2. */
static void test_order_with_friction_and_gyroscopic_forces(void)
{
  static const char text[] =
      "equations: 1\nname: both\ncoordinates:\n  x: {preset: 2, rate: vx}\n  z: {preset: -1e-13, "
      "rate: "
      "vz}\n"
      "  a: {preset: 0, rate: {name: va, preset: 1}}\n  b: {preset: 0, rate: vb}\n"
      "kinetic: (vx^2 + vz^2 + va^2 + vb^2) / 2\npotential: 10 * z + x^2 / 2\nforces: {a: 2 * vb, "
      "b: -2 * va}\n"
      "contacts: {floor: {names: [on, off], gap: z, law: {rigid: {restitution: 0}},\n"
      "  friction: {names: [c, d], along: x, mu: 0.05}}}\n";
  const double end = 2, slides = 1.5 * cos(end) + 0.5, turns = sin(2 * end) / 2;

  for (int implicit = 0; implicit < 2; ++implicit) {
    double error[2][2];
    for (int k = 0; k < 2; ++k) {
      const run_end out = run_text(text, implicit, k ? 0.005 : 0.01, end);
      CU_ASSERT(done(&out));
      error[k][0] = fabs(out.y[0] - slides);
      error[k][1] = fabs(out.y[2] - turns);
    }
    for (int i = 0; i < 2; ++i) {
      CU_ASSERT(error[0][i] < 2e-4 && error[1][i] > 1e-8);
      CU_ASSERT(error[0][i] / error[1][i] > 3.8 && error[0][i] / error[1][i] < 4.2);
    }
  }
}

SAL_TEST_MAIN("implicit time stepping", NULL, {"a stiff spring", test_a_stiff_spring},
              {"order", test_order}, {"a stiff foot lands", test_a_stiff_foot_lands},
              {"a flow of its own", test_a_flow_of_its_own},
              {"refused restitutions", test_refused_restitutions},
              {"friction and gyroscopic forces", test_order_with_friction_and_gyroscopic_forces},
              {"compliant contacts", test_steps_beside_compliant_contacts})
