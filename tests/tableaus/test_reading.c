/** Content of a solver's text, and the messages about wrong texts. */
#include "given_method.h"
#include "solver_text.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

static const char *const names[] = {"dormand-prince", "bogacki-shampine", "ros34pw2",
                                    "rosenbrock23"};
enum { N_NAME = sizeof names / sizeof *names };

static void the_descriptor_says_what_the_text_says(void)
{
  sal_tableau_text *solver = solver_named("dormand-prince");
  const sal_method *m = &solver->method;

  CU_ASSERT_STRING_EQUAL(m->name, "dormand-prince");
  CU_ASSERT(m->order == 5 && m->min_order == 5 && m->embedded == 4 && m->dense_order == 0);
  CU_ASSERT(!m->implicit && !m->restep && m->w1 && (m->w4 || SAL_WIDEST < 4));
  CU_ASSERT(strstr(solver->text, "tableau: 1") != NULL);
  sal_tableau_text_free(solver);

  solver = solver_named("ros34pw2");
  const sal_tableau_facts *f = &solver->facts;
  CU_ASSERT(solver->method.implicit);
  CU_ASSERT(f->w_order == 3 && fabs(f->at_infinity) < 1e-14);
  sal_tableau_text_free(solver);
}

/* ode23s needs a Jacobian that is right: order 1 with any other matrix, by its paper 2 with one of the
 * last step. */
static void orders_of_w_methods_are_told_from_those_with_the_jacobian(void)
{
  sal_tableau_text *solver = solver_named("rosenbrock23");
  const sal_tableau_facts *f = &solver->facts;

  CU_ASSERT(f->w_order == 2 && fabs(f->at_infinity) < 1e-14);
  sal_tableau_text_free(solver);
}

/* Without its dense output a method of order 5 has the cubic Hermite polynomial, which is of order 4. */
static void a_poor_dense_output_lets_events_repeat_their_step(void)
{
  SAL_OWN char *text = solver_text("dormand-prince");
  char *dense = strstr(text, "dense:");

  *dense = '\0';
  sal_tableau_text *solver = solver_of(text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(solver);
  CU_ASSERT_EQUAL(solver->method.dense_order, 4);
  CU_ASSERT(solver->method.restep);
  sal_tableau_text_free(solver);
}

static bool is_of_number(char c) { return isalnum((unsigned char)c) || c == '.' || c == '/'; }

/* Each number of A, Gamma, b, b_hat, c and dense by itself, wrong by 1e-9. */
static int perturb_all(const char *name)
{
  SAL_OWN char *text = solver_text(name);
  const char *at = strstr(text, "\nA:");
  int n = 0, passed = 0;

  while (*at) {
    size_t length = 0;
    const bool begins = is_of_number(at[0]) && !is_of_number(at[-1]) && strchr("[ -*(", at[-1]);
    const char *line = at;
    while (line > text && line[-1] != '\n') --line;
    if (!begins || strcspn(line, "[") > (size_t)(at - line) || strchr("#", *line)) {
      ++at;
      continue;
    }
    while (is_of_number(at[length]) || (length > 0 && at[length] == '-' && at[length - 1] == 'e') ||
           (length > 0 && at[length] == '+' && at[length - 1] == 'e'))
      ++length;
    sal_text wrong = {0};
    sal_text_add(&wrong, "(%.*s + 1e-9)", (int)length, at);
    sal_tableau_text *solver = solver_with(text, at, length, wrong.string);
    if (solver) {
      printf("    %s: passes with %s\n", name, wrong.string);
      ++passed;
    }
    sal_tableau_text_free(solver);
    sal_text_free(&wrong);
    at += length;
    ++n;
  }
  printf("    %s: %d numbers\n", name, n);
  CU_ASSERT(n > 10);
  return passed;
}

/* Except numbers without a condition, as in a stage of ode23s that its solution and estimate do not use. */
static void a_wrong_number_is_refused(void)
{
  for (int i = 0; i < N_NAME; ++i) CU_ASSERT_EQUAL(perturb_all(names[i]), 0);
}

/* A piece of a text, its replacement, and the message then. */
typedef struct {
  const char *name, *from, *to, *said;
} wrong_text;

static const wrong_text wrong[] = {
    {"bogacki-shampine", "[0, 3/4]", "[0, 3/4, 1/8]",
     "s.yaml:15: row 3 of A: a list of 3; allowed: 2"},
    {"bogacki-shampine", "[0, 3/4]", "[0, 3/4, 1/8, 0]",
     "s.yaml:15: row 3 of A: number 3 is 0.125; allowed: 0, as a stage is made of those before it"},
    {"bogacki-shampine", "[0, 3/4]", "[0, 0.7]",
     "s.yaml:15: row 3 of A sums to 0.7; allowed: c_3 = 0.75 (off by -0.05)"},
    {"bogacki-shampine", "  - [0, 3/4]\n", "", "s.yaml:15: row 3 of A: number 3 is 0.444444"},
    {"bogacki-shampine", "[0, 3/4]", "[0, NaN]", "unknown name 'NaN'"},
    {"bogacki-shampine", "[0, 3/4]", "[0, 3/0]", "'3/0': a division by 0 (character 4 of"},
    {"bogacki-shampine", "[0, 3/4]", "[0, sqrt(-1)]", "the root of a number below 0"},
    {"bogacki-shampine", "[0, 3/4]", "[0, 1e9]", "1e+09 is out of range"},
    {"bogacki-shampine", "[0, 3/4]", "[0, 1e99999999999]", "too large or too small"},
    {"bogacki-shampine", "[0, 3/4]", "[0, 3/(4]", "')' is expected"},
    {"bogacki-shampine", "[0, 3/4]", "[0, 3 4]",
     "'4' stands where the expression should end (character 3 of"},
    {"bogacki-shampine", "[0, 3/4]", "[0, [1]]", "row 3 of A: a list; expected: a number"},
    {"bogacki-shampine", "[0, 3/4]", "3/4", "row 3 of A: a single value; expected: a list"},
    {"bogacki-shampine", "b: [2/9, 1/3, 4/9, 0]\n", "", "required key 'b' is missing"},
    {"bogacki-shampine", "b: [2/9, 1/3, 4/9, 0]", "b: [2/9, 1/3, 4/9]",
     "s.yaml:17: b: a list of 3; allowed: 4 to 4"},
    {"bogacki-shampine", "b: [2/9, 1/3, 4/9, 0]", "b: [2/9, 1/3, 0.4, 0]",
     "s.yaml:17: order: 3, but a condition of order 1 fails: sum b_i = 0.9555555555555556; "
     "allowed: 1/1"},
    {"bogacki-shampine", "order: 3", "order: 4",
     "order: 4, but a condition of order 4 fails: sum b_i a_ij a_jk c_k = 0; allowed: 1/24 = 0.04"},
    {"bogacki-shampine", "\norder: 3", "\norder: 2",
     "s.yaml:8: order: 2, but the conditions of order 3 hold, too; allowed: 3"},
    {"bogacki-shampine", "order: 3", "order: 9", "order = 9 is out of range; allowed: from 1 to 8"},
    {"bogacki-shampine", "order: 3", "order: 2.5", "not a whole number"},
    {"bogacki-shampine", "b_hat: [7/24, 1/4, 1/3, 1/8]", "b_hat: [2/9, 1/3, 4/9, 0]",
     "s.yaml:18: b_hat is b"},
    {"bogacki-shampine", "shrink: 0.5", "shrunk: 0.5",
     "unknown key 'shrunk'; allowed: tableau, name"},
    {"bogacki-shampine", "shrink: 0.5", "shrink: 2", "shrink = 2 is out of range"},
    {"bogacki-shampine", "shrink: 0.5", "Gamma: [[1]]", "Gamma goes with 'kind: rosenbrock-w'"},
    {"bogacki-shampine", "shrink: 0.5", "dense: [[1], [], [], []]",
     "row 1 of dense sums to 1; allowed: b_1 = 0.2222222222222222"},
    {"bogacki-shampine", "kind: runge-kutta", "kind: runge-cutta",
     "unknown word 'runge-cutta'; allowed: runge-kutta, rosenbrock-w; did you mean 'runge-kutta'?"},
    {"bogacki-shampine", "name: bogacki-shampine", "name: bogacki shampine", "not a name; allowed"},
    {"bogacki-shampine", "tableau: 1", "tableau: 2", "tableau = 2 is out of range"},
    {"ros34pw2", "[-8.7173304301691801e-01, g]", "[-8.7173304301691801e-01, 0.4]",
     "row 2 of Gamma: 0.4 on the diagonal; allowed: one number in all rows"},
    {"ros34pw2", "let: {g: 4.3586652150845900e-01}", "let: {g: 0}",
     "row 1 of Gamma: 0 on the diagonal"},
    {"ros34pw2", "let: {g: 4.3586652150845900e-01}", "let: {sqrt: 1}", "let: 'sqrt' is not a name"},
    {"ros34pw2", "5.4180672388095326e-02", "5.418067e-02", "but a condition of order"},
    {"ros34pw2", "5.4180672388095326e-02, g", "h, g", "unknown name 'h'; allowed: g, sqrt"},
    {"ros34pw2", "kind: rosenbrock-w", "kind: runge-kutta", "Gamma goes with"},
};

static void a_wrong_text_is_refused_with_file_and_line(void)
{
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    SAL_OWN char *text = solver_text(wrong[i].name);
    const char *at = strstr(text, wrong[i].from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    sal_tableau_text *solver = solver_with(text, at, strlen(wrong[i].from), wrong[i].to);
    CU_ASSERT_PTR_NULL(solver);
    CU_ASSERT(strncmp(sal_err_message(), "s.yaml", 6) == 0);
    if (!strstr(sal_err_message(), wrong[i].said))
      fprintf(stderr, "%s:\n  %s\n", wrong[i].to, sal_err_message());
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), wrong[i].said));
    sal_tableau_text_free(solver);
  }
}

/* A text of n stages, each of which takes all of the one before it. */
static sal_tableau_text *chain(int n, const char *kind)
{
  sal_text text = {0};

  sal_text_add(&text, "tableau: 1\nname: chain\nkind: %s\norder: 1\nembedded_order: 1\nA: [[]",
               kind);
  for (int i = 1; i < n; ++i) {
    sal_text_add(&text, ", [");
    for (int j = 0; j < i; ++j) sal_text_add(&text, "%s%s", j ? ", " : "", j == i - 1 ? "1" : "0");
    sal_text_add(&text, "]");
  }
  sal_text_add(&text, "]\nb: [1");
  for (int i = 1; i < n; ++i) sal_text_add(&text, ", 0");
  sal_text_add(&text, "]\nb_hat: [0");
  for (int i = 1; i < n; ++i) sal_text_add(&text, ", %d", i == 1);
  sal_text_add(&text, "]\n");
  sal_tableau_text *solver = solver_of(text.string);
  sal_text_free(&text);
  return solver;
}

static void there_may_be_as_many_stages_as_there_is_room_for(void)
{
  sal_tableau_text *solver = chain(15, "runge-kutta");

  CU_ASSERT_PTR_NOT_NULL(solver);
  if (solver) {
    const sal_tableau *made = solver->method.inner;
    CU_ASSERT_EQUAL(made->stages, 16);
  }
  sal_tableau_text_free(solver);
  CU_ASSERT_PTR_NULL(chain(16, "runge-kutta"));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "A: 16 stages; allowed: to 15"));
  CU_ASSERT_PTR_NULL(chain(17, "runge-kutta"));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "A: a list of 17; allowed: 1 to 16"));
}

static void long_and_deep_texts_are_refused(void)
{
  enum { MUCH = 1 << 20 };
  SAL_OWN char *text = solver_text("bogacki-shampine");
  SAL_OWN char *much = sal_alloc(MUCH + 1, 1);
  const char *at = strstr(text, "[0, 3/4]") + 1;

  memset(much, '#', MUCH);
  CU_ASSERT_PTR_NULL(solver_with(text, text, 0, much));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "allowed: to 65536"));
  memset(much, '(', MUCH);
  much[1000] = '\0';
  CU_ASSERT_PTR_NULL(solver_with(text, at, 1, much));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "nested more than 200 deep"));
  memset(much, '1', 4000);
  much[4000] = '\0';
  CU_ASSERT_PTR_NULL(solver_with(text, at, 1, much));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "is longer than 63 bytes"));
}

SAL_TEST_MAIN("texts of solvers", NULL,
              {"the descriptor agrees with the text", the_descriptor_says_what_the_text_says},
              {"orders of W-methods", orders_of_w_methods_are_told_from_those_with_the_jacobian},
              {"a poor dense output lets events repeat their step",
               a_poor_dense_output_lets_events_repeat_their_step},
              {"a wrong number is refused", a_wrong_number_is_refused},
              {"a wrong text is refused with file and line",
               a_wrong_text_is_refused_with_file_and_line},
              {"there may be as many stages as there is room for",
               there_may_be_as_many_stages_as_there_is_room_for},
              {"long and deep texts are refused", long_and_deep_texts_are_refused})
