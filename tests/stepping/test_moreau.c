/** Time stepping against closed forms: its orders, friction, and contacts at rest. */
#include "energy_text.h"
#include "integrate.h"
#include "memory.h"
#include "model_file.h"
#include "provider.h"
#include "registry.h"

extern const sal_provider sal_moreau_provider;

typedef struct {
  double y[SAL_MAX_STATE];
  sal_record record;
} run_end;

/* The preset run of a model; its parts that are NULL are left out. */
static run_end run_setup(const sal_setup *setup, const sal_score *score, sal_samples *samples)
{
  const sal_model *m = setup->model;
  double param[SAL_MAX_PARAM], y[SAL_MAX_STATE];
  run_end out = {0};
  const sal_job job = {
      .param = param, .initial = y, .end = out.y, .score = score, .samples = samples};
  void *work = sal_alloc(sal_integrate_bytes(setup, 1), 1);

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_option; ++i) param[m->n_param + i] = 0;
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
  sal_integrate(setup, 1, 1, &job, &out.record, work);
  sal_free(work);
  return out;
}

/* In steps of h; y [n_mesh + 1] of `watched`, where it is not NULL. */
static run_end run(const sal_model *m, double h, double end, double *watched, int64_t n_mesh)
{
  const sal_setup setup = {.model = m,
                           .method = sal_moreau_provider.methods[0],
                           .strategy = sal_registry_strategy("capture"),
                           .rtol = h,
                           .atol = h,
                           .t_end = end,
                           .max_attempts = 1000000};
  const sal_score score = {.n_mesh = n_mesh, .reference = watched};

  return run_setup(&setup, watched ? &score : NULL, NULL);
}

static run_end run_text(const char *text, double h, double end, double *watched, int64_t n_mesh)
{
  sal_equation_model *e = parse(text);
  const run_end out = run(sal_equation_model_get(e), h, end, watched, n_mesh);

  sal_equation_model_free(e);
  return out;
}

static int ended(const run_end *r) { return (int)r->record.value[SAL_METRIC_OUTCOME]; }

/* A damped oscillator, x'' = -x - 0.2 x': order 2 without contacts. */
static void test_order_without_contacts(void)
{
  static const char text[] =
      "equations: 1\nname: spring\ncoordinates: {x: {preset: 1, rate: v}}\n"
      "kinetic: v^2 / 2\npotential: x^2 / 2\nforces: {x: -0.2 * v}\n"
      "contacts: {c: {names: [a, b], gap: x + 9, law: {rigid: {restitution: "
      "0}}}, d: {names: [a2, b2], gap: x + 8, law: {rigid: {restitution: 0}}}}\n";
  const double w = sqrt(0.99), end = 5;
  const double exact = exp(-0.1 * end) * (cos(w * end) + 0.1 / w * sin(w * end));
  double error[2];

  for (int k = 0; k < 2; ++k) {
    const run_end out = run_text(text, k ? 0.005 : 0.01, end, NULL, 0);
    CU_ASSERT_EQUAL(ended(&out), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(out.record.value[SAL_METRIC_STEPS], k ? 1000 : 500);
    CU_ASSERT_EQUAL(out.record.value[SAL_METRIC_RHS], k ? 2000 : 1000);
    error[k] = fabs(out.y[0] - exact);
  }
  CU_ASSERT(error[0] < 1e-4 && error[1] > 1e-8);
  CU_ASSERT(error[0] / error[1] > 3.8 && error[0] / error[1] < 4.2);
}

enum { MESH = 2000 };

/* A ball that falls from 1 with g = 10 onto a floor with e: its height at t. */
static double height_of_ball(double t, double e)
{
  double at = sqrt(0.2), speed = 10 * at;

  if (t < at) return 1 - 5 * t * t;
  while (true) {
    speed *= e;
    if (t < at + speed / 5) return speed * (t - at) - 5 * (t - at) * (t - at);
    at += speed / 5;
  }
}

static const char ball[] =
    "equations: 1\nname: ball\nwatch: %s\ncoordinates: {z: {preset: 1, rate: v}}\nkinetic: v^2 / "
    "2\n"
    "potential: 10 * z\ncontacts: {floor: {names: [impact, lift], gap: z, law: {rigid: "
    "{restitution: 0.7}}}}\n";

/* Order 1 with impacts, in the mean over time. */
static void test_order_with_impacts(void)
{
  static double exact[MESH + 8];
  double error[2];
  char text[1024];

  snprintf(text, sizeof text, ball, "z");
  for (int i = 0; i <= MESH; ++i) exact[i] = height_of_ball(2. * i / MESH, 0.7);
  for (int k = 0; k < 2; ++k) {
    const run_end out = run_text(text, k ? 1e-4 : 1e-3, 2, exact, MESH);
    CU_ASSERT_EQUAL(ended(&out), SAL_OUT_DONE);
    CU_ASSERT(out.record.value[SAL_METRIC_EVENTS] >= 3);
    CU_ASSERT(out.record.value[SAL_METRIC_CONTACT_ROWS] >= out.record.value[SAL_METRIC_EVENTS]);
    CU_ASSERT(out.record.value[SAL_METRIC_PENETRATION] > 0);
    CU_ASSERT(out.record.value[SAL_METRIC_PENETRATION] < (k ? 1e-3 : 1e-2));
    CU_ASSERT(isfinite(out.record.value[SAL_METRIC_MAX_ERROR]));
    error[k] = out.record.value[SAL_METRIC_IAE] / 2;
  }
  CU_ASSERT(error[0] < 5e-3 && error[1] > 1e-6);
  CU_ASSERT(error[0] / error[1] > 5 && error[0] / error[1] < 20);
}

/* The largest error of a velocity does not converge and is missing; its mean does. */
static void test_error_of_a_velocity(void)
{
  static double exact[MESH + 8];
  char text[1024];

  snprintf(text, sizeof text, ball, "v");
  const run_end out = run_text(text, 1e-3, 2, exact, MESH);
  CU_ASSERT(isnan(out.record.value[SAL_METRIC_MAX_ERROR]));
  CU_ASSERT(isfinite(out.record.value[SAL_METRIC_IAE]));
  /* in flight the velocity is that of either end up to the middle: off by g h / 4 in the mean */
  for (int i = 0; i <= MESH; ++i) exact[i] = -10 * (0.4 * i / MESH);
  const run_end flight = run_text(text, 1e-2, 0.4, exact, MESH);
  CU_ASSERT_DOUBLE_EQUAL(flight.record.value[SAL_METRIC_IAE] / 0.4, 0.025, 0.001);
}

/* Coulomb: a box slides v^2 / (2 mu g) and stays; order 2 while it slides. */
static void test_a_box_slides_and_stops(void)
{
  static const char box[] =
      "equations: 1\nname: box\ncoordinates:\n  x: {preset: 0, rate: {name: vx, preset: 2}}\n"
      "  z: {preset: 0, rate: vz}\n  th: {preset: 0, rate: w}\nkinetic: (vx^2 + vz^2) / 2 + w^2 / "
      "6\n"
      "potential: 10 * z\ncontacts:\n"
      "  l: {names: [a, b], gap: z - sin(th), law: {rigid: {restitution: 0}}, friction: {names: "
      "[c, d], along: x - cos(th), mu: 0.25}}\n"
      "  r: {names: [e, f], gap: z + sin(th), law: {rigid: {restitution: 0}}, friction: {names: "
      "[g, "
      "h], along: x + cos(th), mu: 0.25}}\n";

  for (int k = 0; k < 2; ++k) {
    const double h = k ? 1e-3 : 1e-2;
    const run_end out = run_text(box, h, 2, NULL, 0);
    CU_ASSERT_EQUAL(ended(&out), SAL_OUT_DONE);
    CU_ASSERT_DOUBLE_EQUAL(out.y[0], 0.8, 2 * h);
    CU_ASSERT(fabs(out.y[3]) < 1e-10 && fabs(out.y[4]) < 1e-10 && fabs(out.y[5]) < 1e-10);
    CU_ASSERT(fabs(out.y[1]) < 20.001 * h * h);
  }
}

/* Bodies: a bar on eight feet falls flat and stays, whatever the order of the lines. */
static void test_a_table_of_bodies_rests(void)
{
  static const int order[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {7, 2, 5, 0, 1, 6, 3, 4}};
  char text[4096];
  double z[2];

  for (int k = 0; k < 2; ++k) {
    sal_model_file *file;
    int at =
        snprintf(text, sizeof text,
                 "name: table\ngravity: [0, -9.81]\nbodies:\n  - {name: top, kind: planar, mass: "
                 "1, inertia: 0.33, position: [0, 0.7]}\ncontacts:\n");
    for (int i = 0; i < 8; ++i)
      at +=
          snprintf(text + at, sizeof text - (size_t)at,
                   "  - {name: foot%d, bodies: [ground, top], normal: [0, 1], P_j: [%.17g, -0.5], "
                   "law: {rigid: {restitution: 0}}, friction: {mu: 0.5}}\n",
                   order[k][i], -1 + 2. * order[k][i] / 7);
    CU_ASSERT_EQUAL_FATAL(sal_model_file_parse("table.yaml", text, &file), SAL_OK);
    const run_end out = run(sal_model_file_model(file), 1e-3, 2, NULL, 0);
    CU_ASSERT_EQUAL(ended(&out), SAL_OUT_DONE);
    CU_ASSERT_DOUBLE_EQUAL(out.y[1], 0.5, 3e-3);
    for (int i = 3; i < 6; ++i) CU_ASSERT(fabs(out.y[i]) < 1e-10);
    CU_ASSERT(fabs(out.y[2]) < 1e-10);
    z[k] = out.y[1];
    sal_model_file_free(file);
  }
  CU_ASSERT_DOUBLE_EQUAL(z[0], z[1], 1e-13);
}

/* A force that acts while a contact is closed: after a fall from 0.05 at rest, x'' = 1. */
static void test_forces_depend_on_contacts(void)
{
  static const char cart[] =
      "equations: 1\nname: cart\ncoordinates:\n  x: {preset: 0, rate: vx}\n  z: {preset: 0.05, "
      "rate: vz}\n"
      "kinetic: (vx^2 + vz^2) / 2\npotential: 10 * z\nforces: {x: 1 if floor else 0}\ncontacts:\n"
      "  floor: {names: [a, b], gap: z, law: {rigid: {restitution: 0}}}\n"
      "  roof: {names: [c, d], gap: 9 - z, law: {rigid: {restitution: 0}}}\n";
  const run_end out = run_text(cart, 1e-3, 2.1, NULL, 0);

  CU_ASSERT_EQUAL(ended(&out), SAL_OUT_DONE);
  CU_ASSERT_DOUBLE_EQUAL(out.y[0], 2, 5e-3);
}

/* A contact without a law changes states at its time: no time stepping. */
static void test_contacts_without_laws_are_left_out(void)
{
  static const char text[] = "equations: 1\nname: mark\ncoordinates:\n  x: {preset: 0, rate: "
                             "{name: v, preset: 1}}\nkinetic: v^2 "
                             "/ 2\npotential: 0 * x\ncontacts:\n  a: {names: [a1, a2], gap: 2 - x, "
                             "law: {rigid: {restitution: "
                             "0}}}\n  b: {names: [b1, b2], gap: 1 - x, kind: surface}\n";
  sal_equation_model *e = parse(text);

  CU_ASSERT_PTR_NULL(sal_equation_model_get(e)->motion);
  sal_equation_model_free(e);
}

/* Bodies with forces of one side beside a rigid contact: no time stepping, whose forces would leave these out. */
static void test_bodies_with_compliance_are_left_out(void)
{
  static const char *const others[] = {
      "",
      "  - {name: soft, bodies: [ground, b], normal: [0, 1], law: {compliant: {k: 1e3, c: 1}}}\n",
      "springs:\n  - {name: s, type: line, bodies: [ground, b], P_i: [1, 2], k: 10, l0: 1, "
      "only: pull}\n"};

  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    char text[1024];
    sal_model_file *file;
    snprintf(text, sizeof text,
             "name: ball\ngravity: [0, -10]\nbodies:\n  - {name: b, kind: planar, mass: 1, "
             "inertia: 1, position: [0, 1]}\ncontacts:\n  - {name: c, bodies: [ground, b], "
             "normal: [0, 1], law: {rigid: {restitution: 0}}}\n%s",
             others[i]);
    CU_ASSERT_EQUAL_FATAL(sal_model_file_parse("ball.yaml", text, &file), SAL_OK);
    CU_ASSERT_EQUAL(sal_model_file_model(file)->motion != NULL, i == 0);
    sal_model_file_free(file);
  }
}

/* Built-in models beside their own runs by `event`: order 1. */
static void test_built_in_models(void)
{
  static const char *const names[] = {"bouncing-ball", "shaking-table", "vibro-impact"};
  static double state[2 * (MESH + 1)], exact[MESH + 8];

  for (int i = 0; i < 3; ++i) {
    const sal_model *m = sal_registry_model(names[i]);
    const sal_setup setup = {.model = m,
                             .method = sal_registry_method("dop853"),
                             .strategy = sal_registry_strategy("event"),
                             .rtol = 1e-11,
                             .atol = 1e-11,
                             .t_end = 3,
                             .max_attempts = 1000000};
    sal_samples samples = {.n_mesh = MESH, .span = 3, .state = state};
    const run_end reference = run_setup(&setup, NULL, &samples);
    double error[2];
    CU_ASSERT_EQUAL(ended(&reference), SAL_OUT_DONE);
    CU_ASSERT(reference.record.value[SAL_METRIC_EVENTS] >= 1);
    for (int j = 0; j <= MESH; ++j) exact[j] = state[j * m->n_state + m->watch];
    for (int k = 0; k < 2; ++k) {
      const run_end out = run(m, k ? 1e-4 : 1e-3, 3, exact, MESH);
      CU_ASSERT_EQUAL(ended(&out), SAL_OUT_DONE);
      error[k] = out.record.value[SAL_METRIC_IAE] / 3;
    }
    CU_ASSERT(error[0] < 5e-3 && error[1] > 1e-7);
    CU_ASSERT(error[0] / error[1] > 4 && error[0] / error[1] < 25);
  }
}

/* A column of blocks as bodies, whose mass has blocks, and as energies. */
static void test_columns_of_bodies_and_energies(void)
{
  enum { BLOCKS = 6 };
  char bodies[4096], energies[4096], potential[512] = "0", kinetic[512] = "0";
  sal_model_file *file;
  int b = snprintf(bodies, sizeof bodies, "name: column\ngravity: [0, 0, -10]\nbodies:\n");
  int e = snprintf(energies, sizeof energies,
                   "equations: 1\nname: column\ncapture_unit: 0.1\ncoordinates:\n");

  for (int i = 0; i < BLOCKS; ++i) {
    const double z = 0.5 + 0.1 * i;
    b += snprintf(bodies + b, sizeof bodies - (size_t)b,
                  "  - {name: x%d, kind: particle, mass: 1, position: %.17g, velocity: 0}\n", i, z);
    e += snprintf(energies + e, sizeof energies - (size_t)e, "  x%d: {preset: %.17g, rate: v%d}\n",
                  i, z, i);
    snprintf(kinetic + strlen(kinetic), sizeof kinetic - strlen(kinetic), " + v%d^2 / 2", i);
    snprintf(potential + strlen(potential), sizeof potential - strlen(potential), " + 10 * x%d", i);
  }
  b += snprintf(bodies + b, sizeof bodies - (size_t)b, "contacts:\n");
  e += snprintf(energies + e, sizeof energies - (size_t)e,
                "kinetic: %s\npotential: %s\ncontacts:\n", kinetic, potential);
  for (int i = 0; i < BLOCKS; ++i) {
    char below[16], less[16] = "";
    snprintf(below, sizeof below, i ? "x%d" : "ground", i - 1);
    if (i) snprintf(less, sizeof less, " - x%d", i - 1);
    b += snprintf(bodies + b, sizeof bodies - (size_t)b,
                  "  - {name: c%d, bodies: [%s, x%d], normal: [0, 0, 1], law: {rigid: "
                  "{restitution: 0.5}}}\n",
                  i, below, i);
    e += snprintf(energies + e, sizeof energies - (size_t)e,
                  "  c%d: {names: [a%d, b%d], gap: x%d%s, law: {rigid: {restitution: 0.5}}}\n", i,
                  i, i, i, less);
  }
  CU_ASSERT_EQUAL_FATAL(sal_model_file_parse("column.yaml", bodies, &file), SAL_OK);
  const run_end one = run(sal_model_file_model(file), 1e-3, 1, NULL, 0);
  const run_end other = run_text(energies, 1e-2, 1, NULL, 0);
  CU_ASSERT(ended(&one) == SAL_OUT_DONE && ended(&other) == SAL_OUT_DONE);
  CU_ASSERT_EQUAL(one.record.value[SAL_METRIC_STEPS], 1000);
  CU_ASSERT_EQUAL(other.record.value[SAL_METRIC_STEPS], 1000);
  CU_ASSERT(one.record.value[SAL_METRIC_EVENTS] > BLOCKS);
  for (int i = 0; i < 2 * BLOCKS; ++i) CU_ASSERT_DOUBLE_EQUAL(one.y[i], other.y[i], 1e-10);
  /* all lie on one another in the end: each contact carries what is above it */
  const run_end still = run(sal_model_file_model(file), 1e-3, 3, NULL, 0);
  for (int i = 0; i < 2 * BLOCKS; ++i) CU_ASSERT(fabs(still.y[i]) < 5e-3);
  CU_ASSERT(fabs(still.y[BLOCKS - 1]) > 1e-9);
  sal_model_file_free(file);
}

/* 512 blocks over a ground of height 1: those above the first impacts fall freely, which the midpoint rule has exactly. */
static void test_a_column_of_many(void)
{
  enum { BLOCKS = 512 };
  static char text[BLOCKS * 256];
  sal_model_file *file;
  int at = snprintf(text, sizeof text, "name: column\ngravity: [0, 0, -10]\nbodies:\n");

  for (int i = 0; i < BLOCKS; ++i)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  - {name: x%d, kind: particle, mass: 1, position: %.17g, velocity: 0}\n", i,
                   1.5 + 0.1 * i);
  at += snprintf(text + at, sizeof text - (size_t)at, "contacts:\n");
  for (int i = 0; i < BLOCKS; ++i) {
    char below[16];
    snprintf(below, sizeof below, i ? "x%d" : "ground", i - 1);
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  - {name: c%d, bodies: [%s, x%d], P_i: [0, 0, %d], normal: [0, 0, 1], "
                   "law: {rigid: {restitution: 0.5}}}\n",
                   i, below, i, i == 0);
  }
  CU_ASSERT_EQUAL_FATAL(sal_model_file_parse("column.yaml", text, &file), SAL_OK);
  const run_end out = run(sal_model_file_model(file), 1e-3, 0.5, NULL, 0);
  CU_ASSERT_EQUAL(ended(&out), SAL_OUT_DONE);
  CU_ASSERT(out.record.value[SAL_METRIC_EVENTS] > 5);
  CU_ASSERT(out.record.value[SAL_METRIC_PENETRATION] < 1e-2);
  CU_ASSERT(out.y[0] > 0.99 && out.y[0] < 1.1);
  for (int i = BLOCKS / 2; i < BLOCKS; ++i)
    CU_ASSERT_DOUBLE_EQUAL(out.y[i], 1.5 + 0.1 * i - 5 * 0.25, 1e-10);
  sal_model_file_free(file);
}

/* Memory of bodies is kept within a run: the next one has parameters of its own. */
static void test_runs_in_sequence(void)
{
  static const char text[] =
      "name: ball\ngravity: [0, 0, -10]\nparameters: {e: {preset: 0.5, range: [0, 1]}}\nbodies:\n"
      "  - {name: b, kind: particle, mass: 1, position: 1, velocity: 0}\ncontacts:\n"
      "  - {name: c, bodies: [ground, b], normal: [0, 0, 1], law: {rigid: {restitution: e}}}\n";
  double e[2] = {0, 0.9}, y[2] = {1, 0}, end[2][2];
  sal_record record[2];
  sal_model_file *file;

  CU_ASSERT_EQUAL_FATAL(sal_model_file_parse("ball.yaml", text, &file), SAL_OK);
  const sal_setup setup = {.model = sal_model_file_model(file),
                           .method = sal_moreau_provider.methods[0],
                           .strategy = sal_registry_strategy("capture"),
                           .rtol = 1e-3,
                           .atol = 1e-3,
                           .t_end = 0.8};
  const sal_job job[2] = {{.param = &e[0], .initial = y, .end = end[0]},
                          {.param = &e[1], .initial = y, .end = end[1]}};
  void *work = sal_alloc(sal_integrate_bytes(&setup, 1), 1);
  sal_integrate(&setup, 1, 2, job, record, work);
  CU_ASSERT_DOUBLE_EQUAL(end[0][0], 0, 1e-2);
  CU_ASSERT_DOUBLE_EQUAL(end[1][0], height_of_ball(0.8, 0.9), 1e-2);
  CU_ASSERT(end[1][0] > 0.5);
  /* an affine motion is implicit in no run, the first one included */
  sal_setup implicit = setup;
  implicit.method = sal_moreau_provider.methods[1];
  sal_free(work);
  work = sal_alloc(sal_integrate_bytes(&implicit, 1), 1);
  sal_integrate(&implicit, 1, 2, job, record, work);
  for (int i = 0; i < 2; ++i)
    CU_ASSERT_EQUAL(record[i].value[SAL_METRIC_RHS], record[i].value[SAL_METRIC_STEPS]);
  sal_free(work);
  sal_model_file_free(file);
}

/* More steps than 1e7 are refused before the first one. */
static void test_too_many_steps(void)
{
  char text[1024];

  snprintf(text, sizeof text, ball, "z");
  const run_end out = run_text(text, 1e-8, 2, NULL, 0);
  CU_ASSERT_EQUAL(ended(&out), SAL_OUT_STEP_CAP);
  CU_ASSERT_EQUAL(out.record.value[SAL_METRIC_STEPS], 0);
}

/* Where a step comes to a mass that is none, its forces have no accelerations. */
static void test_a_mass_below_zero(void)
{
  static const char text[] =
      "equations: 1\nname: husk\ncoordinates:\n  x: {preset: 0.9, rate: {name: vx, preset: 1}}\n"
      "  z: {preset: 1, rate: vz}\nkinetic: (1 - x) * vx^2 / 2 + vz^2 / 2\npotential: 10 * z\n"
      "contacts: {floor: {names: [a, b], gap: z, law: {rigid: {restitution: 0}}}}\n";
  const run_end out = run_text(text, 0.5, 1, NULL, 0);

  CU_ASSERT_EQUAL(ended(&out), SAL_OUT_UNSOLVED);
  CU_ASSERT_EQUAL(out.record.value[SAL_METRIC_STEPS], 0);
}

SAL_TEST_MAIN("time stepping", NULL, {"order without contacts", test_order_without_contacts},
              {"order with impacts", test_order_with_impacts},
              {"error of a velocity", test_error_of_a_velocity},
              {"a box slides", test_a_box_slides_and_stops},
              {"a table of bodies rests", test_a_table_of_bodies_rests},
              {"forces by contacts", test_forces_depend_on_contacts},
              {"contacts without laws", test_contacts_without_laws_are_left_out},
              {"bodies with compliance", test_bodies_with_compliance_are_left_out},
              {"runs in sequence", test_runs_in_sequence},
              {"a column of many", test_a_column_of_many},
              {"columns", test_columns_of_bodies_and_energies},
              {"built-in models", test_built_in_models}, {"too many steps", test_too_many_steps},
              {"a mass below zero", test_a_mass_below_zero})
