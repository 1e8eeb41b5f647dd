/** Overrides: what they change, what they add, and messages that name them. */
#include "document.h"
#include "document_edit.h"
#include "refuse.h"

static void overrides_change_and_add_keys(void)
{
  static const char *const set[] = {
      "t_end=7",           "divergence.floor=0.25", "options.adhesion=clamp", "title=a # b",
      "rtol=[1e-4, 1e-5]", "parameters.k=9",        "initial={y1: 0.75}"};
  sal_sweep s = accept_with(SMALLEST "parameters: {k: 1, b: 600}\n", 7, set);
  CU_ASSERT_EQUAL(s.t_end, 7);
  CU_ASSERT_EQUAL(s.floor, 0.25);
  CU_ASSERT_EQUAL(s.param[6], 1); /* clamp is the second choice */
  CU_ASSERT_STRING_EQUAL(s.title, "a # b");
  CU_ASSERT_EQUAL(s.n_tolerance, 2);
  CU_ASSERT_EQUAL(s.tolerance[1], 1e-5);
  CU_ASSERT_EQUAL(s.param[2], 9);
  CU_ASSERT_EQUAL(s.param[0], 600);
  CU_ASSERT_EQUAL(s.initial[0], 0.75);
  sal_sweep_free(&s);
}

static void the_last_override_of_a_key_wins(void)
{
  sal_sweep s = accept_with(SMALLEST, 2, (const char *const[]){"t_end=7", "t_end=8"});
  CU_ASSERT_EQUAL(s.t_end, 8);
  sal_sweep_free(&s);
}

static void a_bad_override_is_named_instead_of_a_line(void)
{
  refuse_set("tend=7", "--set tend", "unknown key 'tend'", "did you mean 't_end'?");
  refuse_set("t_end=0", "--set t_end", "out of range", "greater than 0");
  refuse_set("t_end=soon", "--set t_end", "'soon' is not a number");
  refuse_set("solvers=[ode45, ode46]", "--set solvers", "unknown word 'ode46'",
             "did you mean 'ode45'?");
  refuse_set("solvers=[ode45, ode45]", "--set solvers", "duplicate 'ode45'");
  refuse_set("options.adhesion=litteral", "--set options.adhesion", "did you mean 'literal'?");
  refuse_set("options.adhesoin=literal", "--set options.adhesoin", "did you mean 'adhesion'?");
  refuse_set("parameters.m1=40", "--set parameters.m1", "body mass");
  refuse_set("parameters={m1: 1, m1: 2}", "--set parameters", "duplicate key 'm1'");
  refuse_set("cells={columns: [b]}", "--set cells", "'cells.rows' is missing");
  refuse_set("divergence=3", "--set divergence", "a single value", "a mapping");
}

static void an_override_that_is_none_is_refused(void)
{
  refuse_set("t_end", "--set t_end", "KEY=VALUE");
  refuse_set("=7", "--set =7", "KEY=VALUE");
  refuse_set("", "--set ", "KEY=VALUE");
  refuse_set("t_end=", "--set t_end", "no value");
  refuse_set("t_end=[1", "--set t_end", "not valid YAML");
  refuse_set("title=\xff", "--set title", "UTF-8");
  refuse_set(".=7", "--set .", "words with dots");
  refuse_set("options.=7", "--set options.", "words with dots");
  refuse_set("t_end.x=7", "--set t_end.x", "not a mapping");
}

static void the_place_of_other_keys_stays_their_line(void)
{
  refuse_with(SMALLEST "mesh: 0\n", 1, (const char *const[]){"t_end=7"}, "s.yaml:6",
              FRAGMENTS("mesh = 0"));
  refuse_with(SMALLEST "parameters: {b: 3}\n", 1, (const char *const[]){"parameters.m1=40"},
              "--set parameters.m1", FRAGMENTS("body mass"));
}

static void presets_fill_gaps_only(void)
{
  sal_document d;
  CU_ASSERT_EQUAL(sal_document_parse("p", "a: 1\nb: 2\n", &d), SAL_OK);
  CU_ASSERT_EQUAL(sal_document_preset(&d, "a", "5"), SAL_OK);
  CU_ASSERT_EQUAL(sal_document_preset(&d, "c", "{}"), SAL_OK);
  CU_ASSERT_EQUAL(sal_document_preset(&d, "c.d", "[7]"), SAL_OK);
  CU_ASSERT_EQUAL(sal_document_preset(&d, "b.x", "8"), SAL_OK); /* b is not a mapping */
  CU_ASSERT_STRING_EQUAL(sal_document_text(&d, sal_document_find(&d, "a")), "1");
  CU_ASSERT_EQUAL(sal_document_count(&d, sal_document_find(&d, "c.d")), 1);
  CU_ASSERT_FALSE(sal_document_given(&d, sal_document_find(&d, "c.d")));
  CU_ASSERT_FALSE(sal_document_overridden(&d, sal_document_find(&d, "c.d")));
  char *text = sal_document_emit(&d);
  CU_ASSERT_STRING_EQUAL(text, "a: 1\nb: 2\nc: {d: [7]}\n");
  sal_free(text);
  sal_document_free(&d);
}

static void what_is_emitted_reads_the_same(void)
{
  static const char *const text =
      "a: [1, {b: x}, [2, 3]]\nc:\n- '1e-3'\n- \"two: words\"\n- |\n  two\n  lines\n"
      "d: {}\ne: []\nf: ''\n";
  sal_document d, again;
  CU_ASSERT_EQUAL(sal_document_parse("p", text, &d), SAL_OK);
  char *first = sal_document_emit(&d);
  CU_ASSERT_EQUAL(sal_document_parse("p", first, &again), SAL_OK);
  char *second = sal_document_emit(&again);
  CU_ASSERT_STRING_EQUAL(first, second);
  CU_ASSERT_STRING_EQUAL(
      sal_document_text(&again, sal_document_item(&again, sal_document_find(&again, "c"), 2)),
      "two\nlines\n");
  sal_free(first);
  sal_free(second);
  sal_document_free(&d);
  sal_document_free(&again);
}

SAL_TEST_MAIN(
    "document_edit", NULL, {"overrides change and add keys", overrides_change_and_add_keys},
    {"the last override of a key wins", the_last_override_of_a_key_wins},
    {"a bad override is named instead of a line", a_bad_override_is_named_instead_of_a_line},
    {"an override that is none is refused", an_override_that_is_none_is_refused},
    {"the place of other keys stays their line", the_place_of_other_keys_stays_their_line},
    {"presets fill gaps only", presets_fill_gaps_only},
    {"what is emitted reads the same", what_is_emitted_reads_the_same})
