/** Words of a text in programs: whatever they are, they end no string, no comment and no line. */
#include "equation_model.h"
#include "export.h"
#include "given_method.h"
#include "memory.h"
#include "registry.h"
#include "sal_test.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVIL_C "__attribute__((constructor)) static void evil(void) { system(\"touch PWNED\"); }"
#define EVIL_PY "import os; os.system('touch PWNED')"

static const char *const hostile[] = {"a\n" EVIL_C "\n//",
                                      "a\r" EVIL_C "\r//",
                                      "a\"}; " EVIL_C " static const char *const b[] = {\"",
                                      "*/ " EVIL_C " /*",
                                      "a\\",
                                      "a\\\n" EVIL_C "\n//",
                                      "a?"
                                      "?/\n" EVIL_C "\n//",
                                      "a?"
                                      "?/",
                                      "\"\"\"\n" EVIL_PY "\n\"\"\"",
                                      "\"]; " EVIL_PY " #",
                                      "a\n" EVIL_PY "\n#",
                                      "'''\n" EVIL_PY,
                                      "a\nsystem('touch PWNED');\n%",
                                      "a\n%{\n",
                                      "%}\nsystem('touch PWNED');",
                                      "\"}; system('touch PWNED'); %",
                                      "$(touch PWNED) `touch PWNED` %n%s%d",
                                      "a\xe2\x80\xa8" EVIL_PY "\xe2\x80\xa9",
                                      "\x1b]0;a\x07\x1b[31m\x7f\xc2\x85",
                                      "a\v\f" EVIL_PY};
enum { N_HOSTILE = sizeof hostile / sizeof *hostile };

static const char text[] =
    "equations: 1\nname: e\n"
    "parameters: {a: {preset: 1}, b: {preset: 1}, c: {preset: 1}, d: {preset: 1}, e1: {preset: "
    "1},\n"
    "  f1: {preset: 1}, g: {preset: 1}, h: {preset: 1}, i: {preset: 1}, j: {preset: 1}}\n"
    "states: {x: {preset: 0.5}, v: {preset: 0.25, rate_of: x}}\n"
    "contacts: {floor: {names: [lands, leaves], gap: x}, roof: {names: [hits, drops], gap: 1 - "
    "x}}\n"
    "flow: {x: v, v: -a - b - c - d - e1 - f1 - g - h - i - j}\n";

/* For time stepping. */
static const char energies[] =
    "equations: 1\nname: e\nparameters: {m: {preset: 1}}\n"
    "coordinates: {x: {preset: 0.5, rate: {name: v, preset: 0.25}}}\n"
    "kinetic: m * v^2 / 2\npotential: m * x\n"
    "contacts:\n  floor: {names: [lands, leaves], gap: x, law: {rigid: {restitution: 0.5}}}\n"
    "  roof: {names: [hits, drops], gap: 1 - x, law: {rigid: {restitution: 0.5}}}\n";

/** Where a word may stand: at *place[0], *place[1], .. */
typedef struct {
  sal_model model;
  sal_method solver;
  const char **place[64];
  int n_place;
} run_texts;

static void add_field(run_texts *r, sal_field *field)
{
  r->place[r->n_place++] = &field->name;
  r->place[r->n_place++] = &field->unit;
  r->place[r->n_place++] = &field->what;
}

/* A solver with a tableau of its own, whose name is its author's. */
static void find_places(run_texts *r, const sal_model *model)
{
  int i = 0;

  while (strcmp(sal_registry_methods[i]->name, "ode45") != 0) ++i;
  *r = (run_texts){.model = *model, .solver = *sal_registry_methods[i]};
  const char **const single[] = {&r->model.name,   &r->solver.title, &r->model.title,
                                 &r->model.source, &r->model.time,   &r->solver.source};
  for (size_t j = 0; j < sizeof single / sizeof *single; ++j) r->place[r->n_place++] = single[j];
  for (int k = 0; k < 2; ++k) {
    r->place[r->n_place++] = &r->model.contact[k].closes;
    r->place[r->n_place++] = &r->model.contact[k].opens;
    add_field(r, &r->model.state[k]);
  }
  for (int j = 0; j < model->n_param; ++j) add_field(r, &r->model.param[j]);
}

static char *program_of(const char *program, const run_texts *r, const sal_equation_model *e)
{
  static const double one[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, start[] = {0.5, 0.25};
  const sal_export_run run = {.model = &r->model,
                              .flow = sal_equation_model_programs(e),
                              .param = one,
                              .initial = start,
                              .solver = &r->solver,
                              .t_end = 0.01,
                              .rtol = 1e-6,
                              .atol = 1e-6,
                              .events = true};
  sal_text out = {0};

  CU_ASSERT_EQUAL_FATAL(sal_export_write(program, &run, &out), SAL_OK);
  return sal_text_take(&out);
}

static sal_equation_model *open_model(const char *of, run_texts *r)
{
  sal_equation_model *e = NULL;

  CU_ASSERT_EQUAL_FATAL(sal_equation_model_parse("e.yaml", of, &e), SAL_OK);
  find_places(r, sal_equation_model_get(e));
  return e;
}

/* Bytes that a language could take for something else, one by one: as many as with harmless words. */
static void no_sign_of_a_word_reaches_a_program(void)
{
  run_texts r;

  for (int d = 0; sal_export_programs[d]; ++d) {
    const bool steps = strcmp(sal_export_programs[d], "siconos") == 0;
    sal_equation_model *e = open_model(steps ? energies : text, &r);
    r.solver.captures = steps;
    for (int i = 0; i < r.n_place; ++i) *r.place[i] = "harmless";
    SAL_OWN char *plain = program_of(sal_export_programs[d], &r, e);
    for (int w = 0; w < N_HOSTILE; ++w) {
      for (int i = 0; i < r.n_place; ++i) *r.place[i] = hostile[w];
      SAL_OWN char *program = program_of(sal_export_programs[d], &r, e);
      int more[256] = {0}, wrong = 0;
      for (const char *c = program; *c; ++c) ++more[(unsigned char)*c];
      for (const char *c = plain; *c; ++c) --more[(unsigned char)*c];
      for (int c = 1; c < 256; ++c)
        if (c < ' ' || c >= 127 || strchr("\"'\\%#{}/*?$`;=<>|&!~^@:", c)) wrong += more[c] != 0;
      CU_ASSERT_EQUAL(wrong, 0);
      CU_ASSERT_STRING_NOT_EQUAL(program, plain);
    }
    sal_equation_model_free(e);
  }
}

static void a_program_of_hostile_words_compiles_and_runs_as_it_should(void)
{
  char folder[] = "/tmp/saltus-words.XXXXXX", command[400];
  run_texts r;
  sal_equation_model *e = open_model(text, &r);

  CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
  CU_ASSERT(r.n_place >= 2 * N_HOSTILE);
  for (int i = 0; i < r.n_place; ++i) *r.place[i] = hostile[i % N_HOSTILE];
  r.solver.name = hostile[0];
  r.solver.inner = sal_tableau_of(sal_registry_methods[0]);
  for (int i = 0; !r.solver.inner && sal_registry_methods[i]; ++i)
    r.solver.inner = sal_tableau_of(sal_registry_methods[i]);
  r.solver.w1 = &sal_given_pair_w1;
  SAL_OWN char *program = program_of("c", &r, e);
  snprintf(command, sizeof command,
           "cd %s && cc -std=c11 -trigraphs -Wall -Werror=comment -x c - -o run -lm && "
           "./run >out && test ! -e PWNED && grep -q 'at t = 0.01:' out",
           folder);
  FILE *cc = popen(command, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(cc);
  fputs(program, cc);
  CU_ASSERT_EQUAL(pclose(cc), 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CU_ASSERT_EQUAL(system(command), 0);
  sal_equation_model_free(e);
}

SAL_TEST_MAIN("words of a text in programs", NULL,
              {"no sign of a word reaches a program", no_sign_of_a_word_reaches_a_program},
              {"a program of hostile words compiles and runs as it should",
               a_program_of_hostile_words_compiles_and_runs_as_it_should})
