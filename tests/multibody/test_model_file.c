/** Models from texts: parameters, and what is said of texts that are wrong. */
#include "model_text.h"

/* A pendulum in the plane whose lines can be replaced one by one. */
static const char *const lines[] = {
    "name: pendulum",
    "gravity: [0, -10]",
    "parameters: {stiffness: {preset: 3, range: [1, 5], allowed: [0, 10]}}",
    "bodies:",
    "  - {name: rod, kind: planar, mass: 2, inertia: 0.5, position: [0, -1], angle: 0}",
    "joints:",
    "  - {name: hinge, type: pin, bodies: [ground, rod], P_i: [0, 0], P_j: [0, 1]}",
    "springs:",
    "  - {name: spring, type: angle, bodies: [ground, rod], k: 2 * stiffness}",
    "road: {type: flat}",
    "independent: [rod_theta]"};
enum { N_LINE = sizeof lines / sizeof *lines };

/* The text with line `at` (from 1; 0: none) replaced, read; *file NULL where that failed. */
static sal_model_file *parse_with(int at, const char *instead)
{
  char text[4096] = "";
  size_t n = 0;
  sal_model_file *file;

  for (int i = 0; i < N_LINE; ++i)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", i + 1 == at ? instead : lines[i]);
  sal_err_clear();
  const sal_err err = sal_model_file_parse("p.yaml", text, &file);
  CU_ASSERT_EQUAL(err == SAL_OK, file != NULL);
  return file;
}

static void parameters_go_where_they_are_named(void)
{
  sal_model_file *file = parse_with(0, NULL);

  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  const sal_model *m = sal_model_file_model(file);
  const sal_system *s = sal_model_file_system(file);
  CU_ASSERT_EQUAL(m->n_state, 2);
  CU_ASSERT_STRING_EQUAL(m->state[0].name, "rod_theta");
  CU_ASSERT_STRING_EQUAL(m->state[1].name, "rod_vtheta");
  CU_ASSERT(m->velocity[0] == 2 && m->velocity[1] == 0);
  CU_ASSERT_EQUAL(m->n_guard, 0);
  const double v[1] = {0.1}, vd[1] = {0};
  for (int i = 0; i < 2; ++i) {
    double *memory = sal_alloc(sal_reduced_words(s), sizeof *memory);
    const double param[1] = {3 + i};
    sal_reduced *r = sal_reduced_open(s, memory, param);
    CU_ASSERT(sal_reduced_move(r, v, vd));
    CU_ASSERT(sal_reduced_accelerate(r));
    CU_ASSERT_DOUBLE_EQUAL(r->vdd[0], -(2 * param[0] * 0.1 + 20 * sin(0.1)) / 2.5, 1e-12);
    sal_free(memory);
  }
  sal_model_file_free(file);
}

/* Each line that is wrong, and what must be said of it. */
static const struct {
  int at;
  const char *line, *says;
} faults[] = {
    {1, "name: a b", "p.yaml:1: name 'a b': allowed are 31 letters"},
    {1, "nam: pendulum", "p.yaml:1: unknown key of the model 'nam'"},
    {2, "gravity: [0]", "p.yaml:2: gravity: a list of 2 numbers is expected, not of 1"},
    {3, "parameters: {stiffness: {preset: 3, range: [4, 5]}}",
     "p.yaml:3: parameter stiffness: preset 3"},
    {5, "  - {name: rod, kind: planer, mass: 2, inertia: 1}", "did you mean 'planar'?"},
    {5, "  - {name: rod, kind: planar, mass: 0, inertia: 1}",
     "p.yaml:5: mass = 0; allowed: greater than 0"},
    {5, "  - {name: rod, kind: planar, mass: 2, inertia: 0}",
     "p.yaml:5: inertia = 0; allowed: greater than 0"},
    {5, "  - {name: rod, mass: 1, inertia: [0, 1, 1], position: [0, 0, 0]}",
     "p.yaml:5: inertia of rod: the matrix"},
    {5, "  - {name: rod, kind: planar, mass: x, inertia: 1}",
     "p.yaml:5: mass: unknown number or parameter 'x'; allowed: stiffness"},
    {5, "  - {name: rod, mass: 1, inertia: [1, 1, 1, 3, 0, 0], position: [0, 0, 0]}",
     "p.yaml:5: inertia of rod: the matrix"},
    {5, "  - {name: rod, mass: 1, inertia: [1, 1, 1], euler: [1, 1, 0, 0]}",
     "p.yaml:5: euler parameters of rod: their squares add up to 2, not to 1"},
    {5, "  - {name: rod, kind: planar, mass: 2, inertia: 0.5, position: [0, -1.1]}",
     "p.yaml:7: joint 'hinge': the initial positions miss one of its equations by -0.1"},
    {7, "  - {name: hinge, type: pin, bodies: [ground, rot]}",
     "p.yaml:7: hinge: unknown body 'rot'; allowed: rod, ground; did you mean 'rod'?"},
    {7, "  - {name: hinge, type: pin, bodies: [rod, rod]}",
     "p.yaml:7: hinge: it ties a body to itself"},
    {7, "  - {name: hinge, type: pinn, bodies: [ground, rod]}", "did you mean 'pin'?"},
    {7, "  - {name: hinge, type: slider, bodies: [ground, rod], f_i: [0, 0], h_j: [0, 1]}",
     "p.yaml:7: hinge: f_i has no direction"},
    {7, "  - {name: hinge, type: distance, bodies: [ground, rod], P_j: [0, 1]}",
     "p.yaml:7: hinge: required key 'length' is missing"},
    {7,
     "  - {name: hinge, type: pin, bodies: [ground, rod], P_j: [0, 1]}\n"
     "  - {name: again, type: level, bodies: [ground, rod], P_j: [0, 1]}",
     "redundant"},
    {9, "  - {name: spring, type: angle, bodies: [ground, rod], k: 2 * stifness}",
     "p.yaml:9: k: unknown number or parameter 'stifness'; allowed: stiffness; did you mean "
     "'stiffness'?"},
    {10, "road: {type: points, points: [[0, 0], [1, 0.1], [0.5, 0]]}",
     "p.yaml:10: road: x = 0.5 does not lie after the point before, at 1"},
    {10, "road: {type: points, points: [[0, 0, 1], [1, 0]]}",
     "p.yaml:10: a point of the road: a list of 2"},
    {10, "road: {type: points, points: [[0, 0]]}",
     "p.yaml:10: road: points: at least two are expected"},
    {10, "road: {type: points, points: [[0, 0], [1, high]]}", "p.yaml:10: "},
    {10, "road: {type: cylinder, radius: -1, disc: 0.5, x: 0}", "p.yaml:10: road: radius = -1"},
    {10, "road: {type: hill}",
     "p.yaml:10: unknown type of road 'hill'; allowed: flat, cylinder, points"},
    {11, "independent: [rod_y]", "p.yaml:11: the positions of the other coordinates do not follow"},
    {11, "independent: [rod_phi]", "p.yaml:11: independent: 'rod_phi' is not a coordinate"},
    {11, "independent: [rod_x, rod_y]",
     "p.yaml:11: independent: 2 coordinates; 3 coordinates less 2"},
    {11, "section: {contact: tip, event: opens}",
     "p.yaml:11: section: there are neither contacts nor tires"},
    {11, "watch: rod_omega", "p.yaml:11: unknown watch: state 'rod_omega'"},
    {11, "independent: [rod_theta]\nwatch: rod_vx",
     "p.yaml:12: watch: rod_vx follows from other coordinates and is not a state: name rod_x in "
     "the list 'independent'"},
    {11, "independent: [rod_theta]\nwatch: rod_y", "name rod_y in the list 'independent'"},
    {11, "span: 0", "p.yaml:11: span = 0; allowed: greater than 0"},
};

/* The rod of mass 2 and inertia 0.5 hangs 1 below its hinge, so that vx = vtheta: what is said stays
 * where it can; else an impact at the hinge leaves (2 vx + 0.5 vtheta) / 2.5 of both. */
static void velocities_are_put_on_the_joints(void)
{
  static const struct {
    const char *said, *note;
    double rate;
  } cases[] = {{"", NULL, 0},
               {", velocity: [2, 0], angle_rate: 2", NULL, 2},
               {", angle_rate: 2", NULL, 2},
               {", velocity: [3, 0]", NULL, 3},
               {", velocity: [3, 0], angle_rate: 1",
                "p.yaml: initial velocities were put on the joints: rod_vx = 2.6 in place of 3, "
                "rod_vtheta = 2.6 in place of 1",
                2.6},
               {", velocity: [0, 1]",
                "p.yaml: initial velocities were put on the joints: rod_vy = 0 in place of 1", 0}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char line[256];
    snprintf(line, sizeof line,
             "  - {name: rod, kind: planar, mass: 2, inertia: 0.5, position: [0, -1]%s}",
             cases[i].said);
    sal_model_file *file = parse_with(5, line);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    const sal_system *s = sal_model_file_system(file);
    const char *note = sal_model_file_note(file);
    CU_ASSERT_DOUBLE_EQUAL(sal_model_file_model(file)->state[1].preset, cases[i].rate, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(s->qd0[0], cases[i].rate, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(s->qd0[1], 0, 1e-14);
    CU_ASSERT(cases[i].note ? note && strcmp(note, cases[i].note) == 0 : !note);
    sal_model_file_free(file);
  }
}

/* A rod whose ends may land; where its periodic orbits begin, and what is said of other places. */
static const char rod[] = "name: rod\n"
                          "gravity: [0, -10]\n"
                          "bodies:\n"
                          "  - {name: rod, kind: planar, mass: 2, inertia: 0.5, position: [0, 1]}\n"
                          "contacts:\n"
                          "  - {name: left, body: rod, P: [-1, 0]}\n"
                          "  - {name: right, body: rod, P: [1, 0], closes: knock}\n";
static const struct {
  const char *section, *says; /* NULL: it is right */
} sections[] = {
    {"", NULL},
    {"section: {contact: right, event: closes}\n", NULL},
    {"section: {contact: wright, event: closes}\n",
     "unknown contact of a section 'wright'; allowed: left, right; did you mean 'right'?"},
    {"section: {contact: right, event: close}\n",
     "unknown event of a section 'close'; allowed: closes, opens; did you mean 'closes'?"},
    {"section: {contact: right}\n", "section: required key 'event' is missing"},
    {"section: {contacts: right, event: opens}\n", "did you mean 'contact'?"},
    {"section: right\n", "section: a single value; expected: a mapping"},
};

static void the_section_of_orbits_is_named(void)
{
  for (size_t i = 0; i < sizeof sections / sizeof *sections; ++i) {
    char text[1024];
    sal_model_file *file;
    snprintf(text, sizeof text, "%s%s", rod, sections[i].section);
    sal_err_clear();
    CU_ASSERT_EQUAL(sal_model_file_parse("p.yaml", text, &file) == SAL_OK, !sections[i].says);
    if (sections[i].says) {
      const bool told = strstr(sal_err_message(), sections[i].says) != NULL;
      if (!told) printf("\n    '%s'\n    said: %s\n", sections[i].says, sal_err_message());
      CU_ASSERT(told && !file);
      CU_ASSERT(strstr(sal_err_message(), "p.yaml:8") != NULL);
      continue;
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    const sal_section *s = &sal_model_file_model(file)->section;
    CU_ASSERT_STRING_EQUAL(s->name, i ? "knock" : "liftoff");
    CU_ASSERT(s->contact == (i ? 1 : 0) && s->closes == (i == 1));
    sal_model_file_free(file);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void what_is_wrong_is_told(void)
{
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    sal_model_file *file = parse_with(faults[i].at, faults[i].line);
    const bool told = strstr(sal_err_message(), faults[i].says) != NULL;
    CU_ASSERT_PTR_NULL(file);
    if (!told) printf("\n    '%s'\n    said: %s\n", faults[i].says, sal_err_message());
    CU_ASSERT(told);
    sal_model_file_free(file);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* A count is whole and at least 1, whatever its text allows. */
static void test_counts(void)
{
  static const char text[] =
      "name: row\ngravity: [0, 0, -10]\ncounts: {n: {preset: 2, range: [1, 4], allowed: [0, 9]}}\n"
      "bodies: [{for: i in 1..n, name: b, kind: particle, mass: 1, position: i, velocity: 0}]\n";
  sal_model_file *file;

  CU_ASSERT_EQUAL_FATAL(sal_model_file_parse("row.yaml", text, &file), SAL_OK);
  const sal_field *f = &sal_model_file_model(file)->param[0];
  CU_ASSERT(f->whole && f->least == 1 && f->most == 9 && f->preset == 2);
  sal_model_file_free(file);
}

SAL_TEST_MAIN("model file", NULL,
              {"parameters go where they are named", parameters_go_where_they_are_named},
              {"velocities are put on the joints", velocities_are_put_on_the_joints},
              {"the section of orbits is named", the_section_of_orbits_is_named},
              {"errors are reported", what_is_wrong_is_told}, {"counts", test_counts})
