/** Models from texts: the descriptor, and the messages about wrong texts. */
#include "equation_text.h"
#include "text.h"

/* A ball on a plate that shakes, in lines that can be replaced one by one. */
static const char *const lines[] = {
    "equations: 1",
    "name: ball",
    ("parameters: {g: {unit: m/s^2, preset: 9.81, range: [1, 20], allowed: [0, 100]}, e: {preset: "
     "0.5}}"),
    ("states: {y: {unit: m, preset: 1, range: [0, 2], allowed: [-5, 5]}, v: {preset: 0, rate_of: "
     "y}}"),
    "discrete: {side: {preset: 1, values: [-1, 1]}, hits: {preset: 0, whole: true, drifts: true}}",
    "let: {plate: 0.1 * sin(3 * t), speed: 0.3 * cos(3 * t)}",
    "contacts:",
    "  plate_contact: {names: [lands, leaves], gap: y - plate, release: g - 0.9 * sin(3 * t),",
    "    closes: {y: plate, v: speed - e * (v - speed), hits: hits + 1}, stays: e == 0 or rests}",
    "  top: {names: [hits-top, leaves-top], gap: 3 - y, ends: true}",
    "flow: {y: speed if plate_contact else v, v: -0.9 * sin(3 * t) if plate_contact else -g}",
    "longest_step: 0.2",
    "section: {contact: plate_contact, event: closes}",
    "energy: g * y + v^2 / 2",
    "equilibrium: {y: e / 2, v: 0, side: 1, hits: 0}",
    "flaws: {g = 0 lets nothing fall: g <= 0}",
    ("physical: {quantities: {R: {unit: m}, h: {unit: {s: 1, ms: 1e-3}, preset: 2}}, metre: R, g: "
     "R * h^2}"),
    "watch: y",
};
enum { N_LINE = sizeof lines / sizeof *lines };

static sal_equation_model *parse(const char *text)
{
  sal_equation_model *e;

  sal_err_clear();
  const sal_err err = sal_equation_model_parse("b.yaml", text, &e);
  CU_ASSERT_EQUAL(err == SAL_OK, e != NULL);
  return e;
}

/* The text with line `at` (from 1; 0: none) replaced; NULL where that is refused. */
static sal_equation_model *parse_with(int at, const char *instead)
{
  sal_text text = {0};

  for (int i = 0; i < N_LINE; ++i) sal_text_add(&text, "%s\n", i + 1 == at ? instead : lines[i]);
  SAL_OWN char *whole = sal_text_take(&text);
  return parse(whole);
}

static void the_descriptor_says_what_the_text_says(void)
{
  sal_equation_model *e = parse_with(0, NULL);

  if (!e) fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL_FATAL(e);
  const sal_model *m = sal_equation_model_get(e);
  CU_ASSERT(m->n_state == 4 && m->n_discrete == 2 && m->n_param == 2 && m->n_guard == 2);
  CU_ASSERT_STRING_EQUAL(m->name, "ball");
  CU_ASSERT_STRING_EQUAL(m->param[0].unit, "m/s^2");
  CU_ASSERT(m->param[0].lo == 1 && m->param[0].hi == 20 && m->param[0].most == 100);
  CU_ASSERT(m->velocity[0] == 2 && m->velocity[1] == 0);
  CU_ASSERT(m->state[2].least == -1 && m->state[2].most == 1 && m->state[3].drifts);
  CU_ASSERT(m->resets && !m->autonomous && m->watch == 0);
  CU_ASSERT(!m->contact[0].ends && m->contact[1].ends);
  CU_ASSERT_STRING_EQUAL(m->section.name, "lands");
  CU_ASSERT_PTR_NULL(sal_model_flow_flaw(m));
  CU_ASSERT_STRING_EQUAL(sal_equation_model_text(e) + strlen(sal_equation_model_text(e)) - 9,
                         "watch: y\n");
  sal_equation_model_free(e);
}

static void the_functions_compute_what_the_text_says(void)
{
  sal_equation_model *e = parse_with(0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(e);
  const sal_model *m = sal_equation_model_get(e);
  const double y[] = {2, 3, 1, 0}, wrong[] = {0, 0.5}, value[] = {5, 2};
  double param[] = {9.81, 0.5}, at[4];
  const bool open[] = {false, false};
  sal_scales scales;

  CU_ASSERT_EQUAL(m->energy(m->inner, param, 0, y, open), 9.81 * 2 + 4.5);
  CU_ASSERT_EQUAL(m->longest_step(m->inner, param, y), 0.2);
  CU_ASSERT(m->equilibrium(m->inner, param, SAL_EQUILIBRIUM_TRUE, at) && at[0] == 0.25 &&
            at[2] == 1);
  CU_ASSERT_PTR_NULL(m->flaw(m->inner, param));
  CU_ASSERT_STRING_EQUAL(m->flaw(m->inner, wrong), "g = 0 lets nothing fall");
  CU_ASSERT_PTR_NOT_NULL_FATAL(m->physical);
  if (!m->physical) return; /* as the analyzer does not know */
  CU_ASSERT(m->physical->n_quantity == 2 && isnan(m->physical->quantity[0].preset));
  CU_ASSERT(m->physical->quantity[1].unit[1].factor == 1e-3);
  m->physical->from_physical(m->inner, value, param, &scales);
  CU_ASSERT(param[0] == 20 && param[1] == 0.5 && scales.metre == 5 && scales.second == 1);
  sal_equation_model_free(e);
}

static void jumps_see_the_values_before_them(void)
{
  sal_equation_model *e = parse_with(0, NULL);
  CU_ASSERT_PTR_NOT_NULL_FATAL(e);
  const sal_model *m = sal_equation_model_get(e);
  const double param[] = {9.81, 0.5};
  double y[] = {0.07, -2, 1, 4};
  bool closed[] = {true, false};

  sal_model_jump(m, param, 0, closed, 0, y);
  CU_ASSERT(y[0] == 0 && y[1] == 0.3 + 0.5 * 2.3 && y[2] == 1 && y[3] == 5);
  CU_ASSERT(!closed[0] && !closed[1]); /* it does not stay */
  sal_equation_model_free(e);
}

static const struct {
  int line;
  const char *instead, *says;
} wrong[] = {
    {1, "equations: 2", "b.yaml:1: equations: 2; this program reads 'equations: 1'"},
    {2, "name: monopod", "b.yaml:2: name 'monopod' is that of a model of the program"},
    {2, "nmae: ball", "b.yaml:2: unknown key of the model 'nmae'"},
    {2, "", "required key 'name' is missing"},
    {2, "name: my ball", "allowed are 40 letters"},
    {3, "parameters: {g: {preset: 9.81, allowed: [0, 5]}, e: {preset: 0.5}}",
     "preset 9.81 must lie in"},
    {3, "parameters: {g: {preset: 9.81, range: [10, 20]}, e: {preset: 0.5}}",
     "preset 9.81 must lie in"},
    {3, "parameters: {g: {preset: x}, e: {preset: 0.5}}",
     "b.yaml:3: parameter g: 'x' is not a number"},
    {3, "parameters: {g: {unit: m}, e: {preset: 0.5}}",
     "parameter g: required key 'preset' is missing"},
    {3, "parameters: {g: {preset: 1, rnage: [0, 2]}, e: {preset: 0.5}}",
     "unknown key of parameter g 'rnage'"},
    {3, "parameters: {g: {preset: 1}, e: {preset: 0.5}, g: {preset: 2}}", "duplicate key 'g'"},
    {3, "parameters: {g: {preset: 1}, e: {preset: 0.5}, y: {preset: 2}}",
     "state 'y': there is a parameter of that name"},
    {3, "parameters: {g: {preset: 1}, e: {preset: 0.5}, sin: {preset: 2}}",
     "that word belongs to the language"},
    {3, "parameters: {g: {preset: 1}, e: {preset: 0.5}, else: {preset: 2}}",
     "that word belongs to the language"},
    {3, "parameters: {g: {preset: 1}, e: {preset: 0.5}, t: {preset: 2}}",
     "there is a word of the language of that name"},
    {3, "parameters: {g: {preset: 1}, e: {preset: 0.5}, 2x: {preset: 2}}",
     "a name begins with a letter"},
    {4, "states: {y: {preset: 1}, v: {preset: 0, rate_of: z}}", "unknown state 'z'"},
    {4, "states: {y: {preset: 1}, v: {preset: 0, rate_of: v}}", "v is not a rate of itself"},
    {4, "states: {}", "states: a model has at least one"},
    {5, "discrete: {side: {preset: 0.5, values: [-1, 1]}, hits: {preset: 0}}",
     "preset 0.5 is none of its values"},
    {5, "discrete: {side: {preset: 1, values: []}, hits: {preset: 0}}", "a list of 0"},
    {6, "let: {plate: 0.1 * sn(t), speed: 1}", "unknown function 'sn'; did you mean 'sin'?"},
    {6, "let: {plate: 0.1, speed: 1, never: 2 *}", "never: it ends where"},
    {6, "let: {plate: speed, speed: plate}", "depends on itself"},
    {6, "let: {plate: 0.1, speed: 1, g: 2}", "let 'g': there is a parameter of that name"},
    {8, "  plate_contact: {gap: y - plate, release: g,", "required key 'names' is missing"},
    {8, "  plate_contact: {names: [lands], gap: y, release: g,", "a list of 1"},
    {8, "  plate_contact: {names: [lands, leaves], release: g,", "required key 'gap' is missing"},
    {8, "  plate_contact: {names: [lands, leaves], gap: y > 0, release: g,", "a condition"},
    {8, "  plate_contact: {names: [lands, leaves], gap: 1 if plate_contact else y, release: g,",
     "depends on itself"},
    {8, "  plate_contact: {names: [lands, leaves], gap: y / (y - 1), release: g,",
     "the gap of lands is"},
    {8, "  plate_contact: {names: [lands, leaves], gap: y, while: g, release: g,",
     "a number where a condition"},
    {8, "  plate_contact: {names: [lands, leaves], gap: y, kind: stop, release: g,",
     "unknown word 'stop'"},
    {8, "  plate_contact: {names: [lands, leaves], gap: y, sets: {topp: true}, release: g,",
     "'topp' is not another contact"},
    {9, "    closes: {y: 0, w: 1}}", "unknown state 'w'"},
    {9, "    closes: {y: 0}, stays: y}", "a number where a condition"},
    {11, "flow: {y: v}", "flow: that of state v is missing"},
    {11, "flow: {y: v, v: -g, side: 1}", "unknown state 'side'"},
    {11, "flow: {y: v, v: -g / (y - 1)}", "flow: v is -inf at the preset"},
    {11, "flow: {y: v, v: sqrt(-y)}", "at the preset and t = 0: b.yaml:11: flow: v: sqrt(-1)"},
    {11, "flow: {y: v, v: -g if rests else 0}", "must not depend on rests"},
    {11, "", "required key 'flow' is missing"},
    {12, "longest_step: t", "must not depend on t"},
    {13, "section: {contact: plat_contact, event: closes}", "unknown contact 'plat_contact'"},
    {13, "section: {contact: top, event: shuts}", "unknown word 'shuts'"},
    {13, "section: {contact: top, event: closes, period: 1}", "not of both"},
    {15, "equilibrium_published: {y: e / 2, v: 0, side: 1, hits: 0}",
     "it requires the key equilibrium"},
    {13, "section: {period: y}", "must not depend on states"},
    {15, "equilibrium: {y: 0, v: 0}", "equilibrium: state side is missing"},
    {15, "equilibrium: {y: v, v: 0, side: 1, hits: 0}", "must not depend on states"},
    {16, "flaws: {never: e > 0}", "flaws: the preset has one: never"},
    {17, "physical: {quantities: {R: {unit: m}}, q: R}", "'q' is not a parameter of the model"},
    {17, "physical: {quantities: {R: {unit: m}}, g: 2 * y}", "unknown name 'y'"},
    {17, "physical: {g: 2}", "required key 'quantities' is missing"},
    {18, "watch: side", "unknown state 'side'"},
    {18, "tabels: {quake: {file: q.csv}}", "unknown key of the model 'tabels'"},
    {18, "flow: [", "not valid YAML"},
};

static void what_is_wrong_is_said_with_its_line(void)
{
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    sal_equation_model *e = parse_with(wrong[i].line, wrong[i].instead);
    const bool said = strstr(sal_err_message(), wrong[i].says) != NULL;
    CU_ASSERT_PTR_NULL(e);
    CU_ASSERT(said && strncmp(sal_err_message(), "b.yaml:", 7) == 0);
    if (!said) fprintf(stderr, "%s: %s\n", wrong[i].instead, sal_err_message());
    sal_equation_model_free(e);
  }
}

/* A text with n states. */
static sal_equation_model *with_states(int n, int n_contact)
{
  sal_text text = {0};

  sal_text_add(&text, "equations: 1\nname: many\nstates:\n");
  for (int i = 0; i < n; ++i) sal_text_add(&text, "  x%d: {preset: 0}\n", i);
  sal_text_add(&text, "contacts:\n");
  for (int i = 0; i < n_contact; ++i)
    sal_text_add(&text, "  c%d: {names: [a%d, b%d], gap: x0 + %d}\n", i, i, i, i + 1);
  sal_text_add(&text, "flow:\n");
  for (int i = 0; i < n; ++i) sal_text_add(&text, "  x%d: -x%d * x%d\n", i, i, (i + 1) % n);
  SAL_OWN char *whole = sal_text_take(&text);
  return parse(whole);
}

static void there_are_bounds(void)
{
  sal_equation_model *e = with_states(250, 60);
  CU_ASSERT_PTR_NOT_NULL(e);
  sal_equation_model_free(e);
  for (int more = 0; more < 2; ++more) {
    char states[300];
    snprintf(states, sizeof states,
             "equations: 1\nname: many\nstates: {a: {for: i in 1..1000, preset: 0}, "
             "b: {for: i in 1..%d, preset: 0}}\nflow: {a: {for: i in 1..1000, is: -a(i)}, "
             "b: {for: i in 1..%d, is: -b(i)}}\n",
             24 + more, 24 + more);
    e = parse(states);
    CU_ASSERT_EQUAL(e == NULL, more);
    sal_equation_model_free(e);
  }
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "more than 1024 states"));
  CU_ASSERT_PTR_NULL(parse("equations: 1\nname: many\nstates: {x: {preset: 0}}\nflow: {x: -x}\n"
                           "contacts: {c: {for: i in 1..513, names: [a, b], gap: x + i}}\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "contacts: more than 512"));
  const size_t n = 1 << 20;
  char *text = malloc(n + 64), *end = stpcpy(text, "equations: 1\nname: long\n#");
  memset(end, 'x', n);
  end[n] = '\0';
  CU_ASSERT_PTR_NULL(parse(text));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "a text of 10486"));
  free(text);
}

/* f_i = sum_j (i + 2 j) x_j^2: more derivatives at once than one program has registers. */
static void a_full_jacobian_may_be_large(void)
{
  enum { N = 92 };
  static double y[N], J[N * N];
  const double none[] = {0};
  sal_text text = {0};

  sal_text_add(&text, "equations: 1\nname: full\nstates:\n");
  for (int i = 0; i < N; ++i) sal_text_add(&text, "  x%d: {preset: 0}\n", i);
  sal_text_add(&text, "flow:\n");
  for (int i = 0; i < N; ++i) {
    sal_text_add(&text, "  x%d: 0", i);
    for (int j = 0; j < N; ++j) sal_text_add(&text, " + %d * x%d^2", i + 2 * j, j);
    sal_text_add(&text, "\n");
  }
  SAL_OWN char *whole = sal_text_take(&text);
  sal_equation_model *e = parse(whole);
  CU_ASSERT_PTR_NOT_NULL_FATAL(e);
  CU_ASSERT(sal_equation_model_programs(e)->n_jac > 1);
  for (int i = 0; i < N; ++i) y[i] = 1.0 / (i + 3);
  sal_model_jacobian(sal_equation_model_get(e), none, 0, y, false, J);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      CU_ASSERT(fabs(J[i * N + j] - 2 * (i + 2 * j) * y[j]) <= 1e-15 * fabs(J[i * N + j]));
  sal_equation_model_free(e);
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("models of equations", NULL,
              {"the descriptor agrees with the text", the_descriptor_says_what_the_text_says},
              {"the functions compute the formulas of the text",
               the_functions_compute_what_the_text_says},
              {"jumps see the values before them", jumps_see_the_values_before_them},
              {"what is wrong is said with its line", what_is_wrong_is_said_with_its_line},
              {"there are bounds", there_are_bounds},
              {"a full Jacobian may be large", a_full_jacobian_may_be_large},
              {"memory comes back", memory_comes_back})
