/** Robots: accelerations of the imported ones are MuJoCo's, and descriptions that are wrong are refused. */
#include "../multibody/model_text.h"
#include "import.h"
#include "model_point.h"
#include "plain_file.h"
#include "text.h"

enum { MOST = 16, ROWS = 100 };

static char *read_data(const char *name)
{
  char path[512], *text;

  snprintf(path, sizeof path, "%s/robots/%s", SAL_TEST_DATA, name);
  CU_ASSERT_EQUAL_FATAL(sal_text_file_read(path, "a robot", &text), SAL_OK);
  return text;
}

static sal_model_file *read_robot(const char *name)
{
  char *xml = read_data(name), *text, *notes;

  CU_ASSERT_EQUAL_FATAL(sal_import_robot(name, xml, &text, &notes), SAL_OK);
  sal_model_file *file = parse_model(text);
  sal_free_all(xml, text, notes);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  return file;
}

static int find_state(const sal_model *m, const char *name)
{
  int i = 0;

  while (i < m->n_state && strcmp(m->state[i].name, name) != 0) ++i;
  CU_ASSERT_FATAL(i < m->n_state);
  return i;
}

/* The places of coordinates in the states, by the first line of a table; those in space have capitals there. */
static const char *read_head(const char *at, const sal_model *m, int place[], int *n)
{
  char name[64];
  int length;

  for (*n = 0; sscanf(at, "%63[^,\n]%n", name, &length) == 1; ++*n) {
    char *last = strrchr(name, '_') + 1;
    if (strchr("XYZ", *last)) *last = (char)(*last - 'A' + 'a');
    place[*n] = find_state(m, name);
    at += length;
    if (*at++ == '\n') return ++*n, at;
  }
  return at;
}

/* The largest difference of accelerations from those of a table of MuJoCo, over the largest of them at that state. */
static double compare(const char *robot, const char *table)
{
  sal_model_file *file = read_robot(robot);
  const sal_model *m = sal_model_file_model(file);
  char *text = read_data(table);
  double param[SAL_MAX_P], y[SAL_MAX_STATE], dy[SAL_MAX_STATE], worst = 0, moved = 0;
  bool open[SAL_MAX_GUARD] = {false};
  int place[MOST], n, rows = 0;

  preset(m, param, y);
  const char *at = read_head(text, m, place, &n);
  CU_ASSERT_EQUAL_FATAL(2 * n, m->n_state - m->n_discrete);
  for (char *end; *at; ++rows, ++at) {
    double want[MOST], most = 0;
    for (int k = 0; k < n; ++k) {
      y[place[k]] = strtod(at, &end);
      y[n + place[k]] = strtod(end + 1, &end);
      want[k] = strtod(end + 1, &end);
      at = end + (k < n - 1);
      most = fmax(most, fabs(want[k]));
    }
    sal_model_field(m, param, open, 0, y, dy);
    for (int k = 0; k < n; ++k) {
      const double off = fabs(dy[n + place[k]] - want[k]) / most;
      if (!(off <= worst)) worst = off;
    }
    moved = fmax(moved, most);
  }
  CU_ASSERT_EQUAL(rows, ROWS);
  CU_ASSERT(moved > 10);
  sal_free(text);
  sal_model_file_free(file);
  return worst;
}

static void test_accelerations_are_those_of_mujoco(void)
{
  static const char *const robots[][2] = {
      {"hopper.urdf", "hopper.csv"}, {"biped.xml", "biped.csv"}, {"arm.xml", "arm.csv"}};

  for (int i = 0; i < 3; ++i) {
    const double off = compare(robots[i][0], robots[i][1]);
    CU_ASSERT(off < 1e-10);
  }
}

/* The line of a body in the text of a description. */
static void body_line(const char *xml, char line[512])
{
  char *text, *notes;

  CU_ASSERT_EQUAL_FATAL(sal_import_robot("r.xml", xml, &text, &notes), SAL_OK);
  const char *at = strstr(text, "inertia: [");
  CU_ASSERT_PTR_NOT_NULL_FATAL(at);
  if (!at) return;
  snprintf(line, 512, "%.*s", (int)strcspn(at, "]"), at + strlen("inertia: ["));
  sal_free_all(text, notes);
}

#define IN_SPACE(inertial)                                                                         \
  "<mujoco><worldbody><body name='b'><freejoint/>" inertial "</body></worldbody></mujoco>"

/* A tensor is that of its principal axes turned: by the angle of the triangle 3, 4, 5; parts add up by Steiner's theorem. */
static void test_tensors(void)
{
  static const char *const same[][2] = {
      {IN_SPACE("<inertial mass='2' pos='0 0 0' fullinertia='1.64 1.36 3 -0.48 0 0'/>"),
       IN_SPACE("<inertial mass='2' pos='0 0 0' diaginertia='1 2 3' "
                "quat='0.8944271909999159 0 0 0.4472135954999579'/>")},
      {IN_SPACE("<geom type='box' size='1 1 1' mass='4'/>"),
       IN_SPACE("<geom type='box' size='0.5 1 1' pos='0.5 0 0' mass='2'/>"
                "<geom type='box' size='0.5 1 1' pos='-0.5 0 0' mass='2'/>")},
      {IN_SPACE("<geom type='cylinder' fromto='0 0 0 0 2 0' size='0.1' mass='3'/>"),
       IN_SPACE("<geom type='cylinder' pos='0 1 0' euler='90 0 0' size='0.1 1' mass='3'/>")}};
  char line[2][512];

  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 2; ++k) body_line(same[i][k], line[k]);
    const char *a = line[0], *b = line[1];
    for (int j = 0; j < 6; ++j) {
      char *end[2];
      const double x = strtod(a, &end[0]), y = strtod(b, &end[1]);
      CU_ASSERT(fabs(x - y) < 1e-12);
      CU_ASSERT(j > 2 || x > 0.01);
      a = end[0] + 1, b = end[1] + 1;
    }
  }
}

#define LINKS                                                                                      \
  "<robot name='r'><link name='w'/>\n<link name='a'><inertial><mass value='1'/>"                   \
  "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
#define ENDS "<parent link='w'/><child link='a'/>"

static void test_refusals(void)
{
  static const char *const faults[][2] = {
      {"<robot>\n<link name='a'>\n</robot>", "r.xml:3: not well-formed XML"},
      {"<!DOCTYPE x [<!ENTITY a 'b'>]><robot/>", "document type and entities are not read"},
      {"<!DOCTYPE robot SYSTEM 'http://localhost/robot.dtd'><robot/>",
       "document type and entities are not read"},
      {"<robo/>",
       "r.xml:1: unknown outermost element 'robo'; allowed: robot, mujoco; did you mean 'robot'?"},
      {"<robot/>", "no link is the root"},
      {LINKS "</robot>", "r.xml:2: no joint leads to link 'a', nor to 'w'"},
      {LINKS "<joint type='revolut'>" ENDS "</joint></robot>",
       "r.xml:3: unknown type of joint 'revolut'"},
      {LINKS "<joint type='fixed'>" ENDS "</joint></robot>", "nothing moves"},
      {LINKS "<joint type='fixed'><parent link='w'/><child link='c'/></joint></robot>",
       "r.xml:3: child: link 'c' does not exist"},
      {LINKS "<joint type='floating'>" ENDS "</joint>\n<joint type='fixed'>" ENDS
             "</joint></robot>",
       "r.xml:4: link 'a' is the child of two joints"},
      {LINKS "<joint type='floating'>" ENDS "<origin xyz='1 2'/></joint></robot>",
       "r.xml:3: origin: xyz: '1 2': 3 numbers are expected"},
      {LINKS "<joint type='floating'>" ENDS "<origin xyz='1 2 nan'/></joint></robot>",
       "3 numbers are expected"},
      {LINKS "<joint type='continuous'>" ENDS "<axis xyz='0 0 0'/></joint></robot>",
       "axis: it has no direction"},
      {"<mujoco/>", "element worldbody is missing"},
      {IN_SPACE(""), "body 'b' moves and has mass 0"},
      {IN_SPACE("<geom type='mesh'/>"), "the mass of a mesh is unknown"},
      {IN_SPACE("<geom type='ball'/>"), "unknown type of geom 'ball'"},
      {IN_SPACE("<joint/><geom size='1'/>"), "has 2 joints"},
      {IN_SPACE("<geom size='0'/>"), "1 numbers above 0 are expected of a sphere"},
      {"<mujoco><compiler angle='grad'/><worldbody/></mujoco>", "angle: 'grad' is not read"},
      {IN_SPACE("<inertial mass='1' diaginertia='-1 1 1'/>"), "inertia: it is not positive"},
      {IN_SPACE("<inertial mass='1' fullinertia='1 1 1 5 0 0'/>"), "inertia: it is not positive"},
      {"<mujoco><worldbody><body><joint axis='0 1 0'/><inertial mass='1' diaginertia='1 0 1'/>"
       "</body></worldbody></mujoco>",
       "inertia: it is not positive about the normal"},
      {IN_SPACE("<geom size='1' mass='-1'/>"), "geom: mass: -1; allowed: from 0"},
      {IN_SPACE("<geom size='1' friction='-1'/>"), "friction: -1; allowed: from 0"},
      {IN_SPACE("<geom size='1' class='none'/>"), "geom: class: no default has 'none'"},
      {IN_SPACE("<geom size='1' euler='0 0 1' quat='1 0 0 0'/>"), "more than one of quat"},
      {IN_SPACE("<geom size='1'/><frame><geom size='2'/></frame>"),
       "frame in body: it is not read"},
      {"<mujoco><include file='a'/><worldbody/></mujoco>", "include in mujoco: it is not read"},
      {"<robot xmlns:xacro='x'><xacro:macro/></robot>", "run xacro"},
      {LINKS "<joint type='floating'>" ENDS
             "</joint><link name='b'><inertial><mass value='1'/><inertia ixx='1' "
             "iyy='1' izz='1' ixY='0'/></inertial></link>"
             "<joint type='fixed'><parent link='a'/><child link='b'/></joint></robot>",
       "inertia: attribute ixy is missing"}};

  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    char *text, *notes;
    sal_err_clear();
    CU_ASSERT_EQUAL(sal_import_robot("r.xml", faults[i][0], &text, &notes), SAL_ERR_INPUT);
    CU_ASSERT_PTR_NULL(text);
    const bool found = strstr(sal_err_message(), faults[i][1]) != NULL;
    if (!found) fprintf(stderr, "%s\n  not: %s\n", sal_err_message(), faults[i][1]);
    CU_ASSERT(found);
  }
}

static void test_notes(void)
{
  char *xml = read_data("hopper.urdf"), *text, *notes;

  CU_ASSERT_EQUAL_FATAL(sal_import_robot("hopper.urdf", xml, &text, &notes), SAL_OK);
  CU_ASSERT_PTR_NOT_NULL_FATAL(notes);
  if (!notes) return;
  CU_ASSERT_PTR_NOT_NULL(strstr(notes, "hopper.urdf:19: left out: collision of box torso"));
  CU_ASSERT_PTR_NOT_NULL(strstr(notes, "left out: dry friction 0.5 in joint leg"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "# hopper.urdf:19: left out: collision of box torso"));
  sal_free_all(xml, text, notes);
}

#define SPHERE(attributes)                                                                         \
  "<mujoco><worldbody><geom type='plane' size='0 0 1' conaffinity='1'/><body name='b' pos='0 0 "   \
  "2'>"                                                                                            \
  "<joint type='slide' axis='1 0 0'/><joint type='slide'/><joint axis='0 1 0'/>"                   \
  "<geom size='1' " attributes "/></body></worldbody></mujoco>"
#define LONG "a-name-of-more-than-thirty-one-letters"

/* The edges of a text: bounds of its parameters, lengths of its names; sections add up; bits decide what touches. */
static void test_edges(void)
{
  static const char *const rows[][3] = {
      {SPHERE("friction='100'"), "preset: 100, range: [0.1, 100], allowed: [0, 100]", NULL},
      {SPHERE("friction='2.123456789'"), "preset: 2.123456789", NULL},
      {SPHERE("condim='3'"), "friction: {mu: mu}", NULL},
      {SPHERE("contype='2' conaffinity='2'"), "bodies:", "contacts:"},
      {SPHERE("contype='0'"), "contacts:", NULL},
      {SPHERE("contype='0' conaffinity='0'"), "bodies:", "contacts:"},
      {SPHERE("solref='1 1'"), "left out: attribute solref of geom", NULL},
      {SPHERE("pos='0 0 -1.5'"), "begins 0.5 m beneath a plane", NULL},
      {"<mujoco><worldbody><body><joint type='slide' name='s' stiffness='2'/><geom size='1'/>"
       "</body></worldbody></mujoco>",
       "the spring of slide s turns round where it is at -10 m", NULL},
      {"<mujoco><worldbody><body><joint type='slide' range='-1 1' stiffness='2'/>"
       "<geom size='1'/></body></worldbody></mujoco>",
       "l0: 10", "turns round"},
      {"<mujoco><option gravity='0 0 0'/><worldbody/><worldbody><body><joint type='ball' "
       "damping='1'/>"
       "<geom size='1'/></body></worldbody></mujoco>",
       "left out: damping", NULL},
      {"<mujoco><option gravity='0 0 -9810'/><worldbody><body name='" LONG "'><joint name='" LONG
       "' axis='0 1 0' range='-9 9' damping='1'/><geom name='" LONG
       "' pos='1 0 1' size='.1'/></body>"
       "<geom type='plane' size='0 0 1'/></worldbody></mujoco>",
       "allowed: [0, 9810]", NULL},
      {"<mujoco><default><geom mass='1' size='2'/></default><default><geom density='7'/></default>"
       "<worldbody><body name='b'><freejoint/><geom class='main'/></body></worldbody></mujoco>",
       "mass: 1,", NULL}};

  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    char *text, *notes;
    CU_ASSERT_EQUAL_FATAL(sal_import_robot("r.xml", rows[i][0], &text, &notes), SAL_OK);
    const bool found = strstr(text, rows[i][1]) && !(rows[i][2] && strstr(text, rows[i][2]));
    if (!found) fprintf(stderr, "%s\n  not: %s\n", text, rows[i][1]);
    CU_ASSERT(found);
    sal_model_file *file = parse_model(text);
    CU_ASSERT_PTR_NOT_NULL(file);
    sal_model_file_free(file);
    sal_free_all(text, notes);
  }
}

static void test_too_many_elements(void)
{
  sal_text xml = {0};
  char *text, *notes;

  sal_text_add(&xml, "<mujoco>");
  for (int i = 0; i < 1 << 14; ++i) sal_text_add(&xml, "<a/>");
  sal_text_add(&xml, "</mujoco>");
  CU_ASSERT_EQUAL(sal_import_robot("r.xml", xml.string, &text, &notes), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "more than 16384 elements"));
  sal_text_free(&xml);
}

SAL_TEST_MAIN("robots", NULL,
              {"accelerations are those of MuJoCo", test_accelerations_are_those_of_mujoco},
              {"tensors", test_tensors}, {"refusals", test_refusals},
              {"what is left out is noted", test_notes}, {"edges", test_edges},
              {"too many elements", test_too_many_elements})
