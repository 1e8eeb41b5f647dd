/** Findings in texts that are right: names without use, units that do not fit, kinks. */
#include "equation_findings.h"
#include "sal_test.h"
#include "si_unit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 4000, MOST = 40 };

typedef struct {
  int n;
  char question[MOST][16], text[MOST][512];
  sal_equation_finding_kind kind[MOST];
} findings;

static void take(void *with, const char *question, sal_equation_finding_kind kind, const char *text)
{
  findings *f = with;

  if (f->n == MOST) return;
  snprintf(f->question[f->n], sizeof f->question[0], "%s", question);
  snprintf(f->text[f->n], sizeof f->text[0], "%s", text);
  f->kind[f->n++] = kind;
}

/* A mass between springs and a stop, with another flow of v, more names and keys of the contact. */
static findings find_in(const char *flow, const char *more, const char *contact)
{
  char text[TEXT];
  findings f = {.n = 0};

  snprintf(text, sizeof text,
           "equations: 1\nname: e\ntime: s\n"
           "parameters:\n"
           "  m: {unit: kg, preset: 2}\n"
           "  k: {unit: N/m, preset: 30}\n"
           "  om: {unit: rad/s, preset: 3}\n"
           "  n: {preset: 1.5}\n"
           "  al: {unit: deg, preset: 30}\n"
           "  s: {unit: mm, preset: 3}\n"
           "options: {law: {words: [soft, hard]}}\n"
           "states:\n"
           "  x: {unit: m, preset: 0.5}\n"
           "  v: {unit: m/s, preset: 0.25, rate_of: x}\n"
           "contacts: {stop: {names: [lands, leaves], gap: x%s}}\n"
           "%sflow:\n  x: v\n  v: %s\n",
           contact, more, flow);
  CU_ASSERT_EQUAL(sal_equation_findings("e.yaml", text, take, &f), SAL_OK);
  return f;
}

/* The finding of that kind and question; "" where there is none. */
static const char *found(const findings *f, const char *question, sal_equation_finding_kind kind)
{
  for (int i = 0; i < f->n; ++i)
    if (strcmp(f->question[i], question) == 0 && f->kind[i] == kind) return f->text[i];
  return "";
}

static void expect(const char *flow, sal_equation_finding_kind kind, const char *question,
                   const char *words)
{
  const findings f = find_in(flow, "", "");
  const char *text = found(&f, question, kind);

  if (!strstr(text, words)) fprintf(stderr, "%s: '%s', not '%s'\n", flow, text, words);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, words));
}

static void test_units_that_fit(void)
{
  static const char *const flows[] = {
      "-k / m * x",
      "-k * x / m - om^2 * x",
      "sin(om * t) * k * x / m",
      "om * v * cos(al * pi / 180)",
      "k / m * (x - s / 1000)",
      "k * hypot(x, x) / m + 0",
      "sqrt(k / m) * v",
      "sign(v) * om * v + min(x, 2 * x) * om^2",
      "(0 if stop else k * x) / m",
      "k / m * x * abs(v / (om * x))^n",
      "k / m * x if law == soft else 0",
      "n * x", /* n is unknown, and fits any */
      "om * om * x * exp(-om * t)",
      "v^2 / x * atan2(v, om * x)",
  };

  for (size_t i = 0; i < sizeof flows / sizeof *flows; ++i)
    expect(flows[i], SAL_EQUATION_FINE, "units", "agree; unknown");
}

static void test_units_that_clash(void)
{
  static const struct {
    const char *flow, *words;
  } cases[] = {
      {"-k * x / m + v", "e.yaml:18: flow: v: a sum of m/s^2 and m/s"},
      {"om * v * cos(x)", "flow: v: cos of m; it is that of a number"},
      {"om * v * sin(al)", "flow: v: sin of deg"},
      {"k / m * (x - s)", "a difference of m and mm"},
      {"k * x", "the rate has the unit m/s^2, and here stands kg m/s^2"},
      {"om * v if x < v else 0", "a comparison of m and m/s"},
      {"om * (v if stop else x)", "if .. else of m/s and m"},
      {"om * max(v, x)", "max of m/s and m"},
      {"om * v * atan2(x, v)", "atan2 of m and m/s"},
      {"om * v * exp(t)", "exp of s"},
      {"om * v * hypot(x, v) / x", "a sum of m^2 and m^2/s^2"},
      {"om^2 * x * n^x", "exponent of m"},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    expect(cases[i].flow, SAL_EQUATION_WRONG, "units", cases[i].words);
  expect("om * om * (x - 1)", SAL_EQUATION_NOTE, "units", "a difference of m and a number, 1");
}

static void test_units_of_jumps_and_names(void)
{
  const findings jump = find_in("-k * x / m", "", ", closes: {v: -n * v, x: v}"),
                 let = find_in("push / m", "let:\n  push: -k * x\n  odd: x + t\n", ""),
                 step = find_in("-k * x / m", "longest_step: 1 / om\n", ""),
                 wide = find_in("-k * x / m", "longest_step: x\n", "");

  CU_ASSERT_PTR_NOT_NULL(
      strstr(found(&jump, "units", SAL_EQUATION_WRONG),
             "e.yaml:15: stop: closes: x: the state has the unit m, and here stands m/s"));
  CU_ASSERT_PTR_NOT_NULL(
      strstr(found(&let, "units", SAL_EQUATION_WRONG), "e.yaml:18: odd: a sum of m and s"));
  CU_ASSERT_STRING_EQUAL(found(&step, "units", SAL_EQUATION_WRONG), "");
  CU_ASSERT_PTR_NOT_NULL(strstr(found(&wide, "units", SAL_EQUATION_WRONG), "longest_step: it"));
}

static void test_units_of_energies(void)
{
  static const char text[] =
      "equations: 1\nname: e\ntime: s\nparameters: {m: {unit: kg, preset: 1}, g: {unit: m/s^2, "
      "preset: 9.81}, "
      "c: {unit: N*s/m, preset: 1}}\ncoordinates: {z: {unit: m, preset: 1, rate: vz}}\n"
      "kinetic: m / 2 * vz^2\npotential: %s\nforces: {z: %s}\n";
  static const char *const cases[][3] = {{"m * g * z", "-c * vz", ""},
                                         {"m * z", "-c * vz", "potential: it, as kinetic,"},
                                         {"m * g * z", "-c * z", "forces: z: that force"}};

  for (int i = 0; i < 3; ++i) {
    char whole[TEXT];
    findings f = {.n = 0};
    snprintf(whole, sizeof whole, text, cases[i][0], cases[i][1]);
    CU_ASSERT_EQUAL(sal_equation_findings("e.yaml", whole, take, &f), SAL_OK);
    CU_ASSERT_PTR_NOT_NULL(strstr(found(&f, "units", SAL_EQUATION_WRONG), cases[i][2]));
    CU_ASSERT_EQUAL(found(&f, "units", SAL_EQUATION_WRONG)[0] == '\0', i == 0);
  }
}

static void test_kinks(void)
{
  static const char *const met[] = {"om^2 * abs(x)",
                                    "k / m * x if x < 0 else 0",
                                    "k / m * x if 0 < x else 0",
                                    "om * v if stop else 0",
                                    "om^2 * max(x, 0)",
                                    "om * v if n < 1 and law == hard else 0",
                                    "om * v if t > 1 else 0",
                                    "om * v * floor(om * t) + om * v * (t % 2)",
                                    "om^2 * sign(x) * x"};
  static const char *const unmet[][2] = {
      {"om * abs(v)", "e.yaml:18: flow: v: abs changes where no contact"},
      {"om^2 * x if x < 1 else 0", "if or sign"},
      {"om * v if t * t > 1 else 0", "if or sign"},
      {"om * floor(x)", "floor or % changes where no contact"},
      {"om * v if stop and v > 0 else 0", "if or sign"},
      {"om * sign(v) * v", "if or sign"},
      {"om * min(v, om * x)", "min"}};

  for (size_t i = 0; i < sizeof met / sizeof *met; ++i)
    expect(met[i], SAL_EQUATION_FINE, "kinks", "and nowhere else");
  for (size_t i = 0; i < sizeof unmet / sizeof *unmet; ++i)
    expect(unmet[i][0], SAL_EQUATION_NOTE, "kinks", unmet[i][1]);
}

static void test_kinks_of_tables(void)
{
  const char *const kinds[] = {"linear", "cubic"};

  for (int i = 0; i < 2; ++i) {
    char more[200];
    snprintf(more, sizeof more, "tables: {push: {rows: [[0, 0], [1, 2], [2, 1]], kind: %s}}\n",
             kinds[i]);
    const findings f = find_in("push(v) * om^2 * x", more, "");
    const char *text = found(&f, "kinks", SAL_EQUATION_NOTE);
    CU_ASSERT_EQUAL(strstr(text, "a linear table changes") != NULL, i == 0);
  }
}

static void test_names_without_use(void)
{
  const findings f = find_in("-k * x / m", "let: {idle: 2 * k}\n", ""),
                 all = find_in("(-k * x + odd) / m + cos(al * pi / 180) * om^2 * s / 1000",
                               "let: {odd: n * (k * x if law == soft else 0)}\n", "");
  int n = 0;

  for (int i = 0; i < f.n; ++i) n += strcmp(f.question[i], "names") == 0;
  CU_ASSERT_EQUAL(n, 6); /* om, n, al, s, law, idle */
  CU_ASSERT_PTR_NOT_NULL(
      strstr(found(&f, "names", SAL_EQUATION_NOTE), "e.yaml:7: parameter om is not used"));
  CU_ASSERT_PTR_NOT_NULL(strstr(found(&all, "names", SAL_EQUATION_FINE), "each of them used"));
}

/* Units of sliding along a contact, of the numbers of its law, and of physical parameters. */
static void test_units_of_laws_and_quantities(void)
{
  static const char text[] =
      "equations: 1\nname: e\ntime: s\nparameters: {m: {unit: kg, preset: 1}, g: {unit: m/s^2, "
      "preset: 9}, b: {unit: '1', preset: 0.2}}\n"
      "coordinates: {z: {unit: m, preset: 1, rate: vz}, x: {unit: m, preset: 0, rate: vx}}\n"
      "kinetic: m / 2 * (vz^2 + vx^2)\npotential: m * g * z\n"
      "contacts:\n  floor: {names: [a, b], gap: z, law: {rigid: {restitution: %s}}, friction: "
      "{names: [c, d], mu: %s, along: %s}}\n"
      "physical:\n  quantities: {l: {unit: {m: 1, cm: 0.01}, what: l}, k: {unit: N/m, what: k}, "
      "M: {unit: kg, what: m}}\n  second: %s\n  b: %s\n";
  static const char *const cases[][6] = {
      {"b", "b", "x", "sqrt(M / k)", "l / (l + l)", ""},
      {"b", "b", "m * x", "sqrt(M / k)", "1",
       ":9: floor: along: the sliding coordinate, as the gap, has"},
      {"b", "g", "x", "sqrt(M / k)", "1", ":9: floor: mu: it has the unit 1"},
      {"m", "b", "x", "sqrt(M / k)", "1", ":9: floor: restitution: it has the unit 1"},
      {"b", "b", "x", "M / k", "1",
       ":12: physical: second: it has the unit s, and here stands s^2"},
      {"b", "b", "x", "sqrt(M / k)", "l", ":13: physical: b: it has the unit 1, and here stands m"},
      {"b", "b", "x", "sqrt(M / k)", "l / (l + k)", ":13: physical: b: a sum of m and kg/s^2"},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char all[TEXT];
    findings f = {.n = 0};
    snprintf(all, sizeof all, text, cases[i][0], cases[i][1], cases[i][2], cases[i][3],
             cases[i][4]);
    CU_ASSERT_EQUAL_FATAL(sal_equation_findings("e.yaml", all, take, &f), SAL_OK);
    const char *wrong = found(&f, "units", SAL_EQUATION_WRONG);
    CU_ASSERT_PTR_NOT_NULL(strstr(wrong, cases[i][5]));
    CU_ASSERT_EQUAL(wrong[0] == '\0', i == 0);
  }
}

static void test_words_of_units(void)
{
  static const struct {
    const char *a, *b;
    double size;
  } same[] = {{"N", "kg*m/s^2", 1},     {"kN/m", "1/s^2 kg", 1e3}, {"J/(kg K)", "m2/s2/K", 1},
              {"rad/s", "Hz", 1},       {"W", "N*m/s", 1},         {"mm^2", "m^2", 1e-6},
              {"km/h", "m/s", 1 / 3.6}, {"min", "s", 60},          {"deg", "1", acos(-1) / 180}};
  static const char *const wrong[] = {"furlong", "m^",   "m//s",   "(m", "m)",
                                      "",        "m^99", "m s^-x", "*m"};

  for (size_t i = 0; i < sizeof same / sizeof *same; ++i) {
    sal_si_unit a = sal_si_unit_read(same[i].a), b = sal_si_unit_read(same[i].b);
    CU_ASSERT_EQUAL(a.kind, SAL_SI_UNIT_KNOWN);
    CU_ASSERT_DOUBLE_EQUAL(a.size / b.size, same[i].size, 1e-12 * same[i].size);
    CU_ASSERT_EQUAL(sal_si_unit_fits(a, b), same[i].size == 1);
    b.size = a.size;
    CU_ASSERT(sal_si_unit_fits(a, b));
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    CU_ASSERT_EQUAL(sal_si_unit_read(wrong[i]).kind, SAL_SI_UNIT_UNKNOWN);
}

SAL_TEST_MAIN("findings of equations", NULL, {"units that fit", test_units_that_fit},
              {"units that clash", test_units_that_clash},
              {"units of jumps and names", test_units_of_jumps_and_names},
              {"units of energies", test_units_of_energies},
              {"units of laws and quantities", test_units_of_laws_and_quantities},
              {"kinks", test_kinks}, {"kinks of tables", test_kinks_of_tables},
              {"names without use", test_names_without_use}, {"words", test_words_of_units})
