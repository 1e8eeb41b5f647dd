/** Texts that are not a sweep file at all, with the line to look at; and finding things in one that
 *  is.
 */
#include "clock.h"
#include "document.h"
#include "refuse.h"

static void an_empty_file_is_refused(void)
{
  refuse_text("", "s.yaml:1", "is empty");
  refuse_text("# only a comment\n\n", "s.yaml:1", "is empty");
  refuse_text("\n---\n", "s.yaml:3", "no key");
}

static void a_file_of_another_kind_is_refused(void)
{
  refuse_text("just some words\n", "s.yaml:1", "no key", "model: NAME");
  refuse_text("\n- a\n- list\n", "s.yaml:2", "no key");
}

static void a_binary_file_is_refused_with_its_line(void)
{
  refuse("title: \xff\xfe\n", "s.yaml:6", "byte 81", "UTF-8");
  refuse("title: a\x01\n", "s.yaml:6", "control characters", "UTF-8");
  refuse("title: a\xc3(\n", "s.yaml:6", "UTF-8");
  refuse("\n\ntitle: \xed\xa0\x80\n", "s.yaml:8", "UTF-8"); /* half a surrogate pair */
  refuse_text("\x89PNG\r\n\x1a\n", "s.yaml:1", "UTF-8");
  refuse_text("\xff\xfem\x01o\x01", "s.yaml:1", "UTF-8"); /* begins like UTF-16 */
}

static void invalid_yaml_is_refused_with_its_line(void)
{
  refuse("title: [1\nmesh: 1\n", "s.yaml:7", "not valid YAML", "began in line 6");
  refuse("title: a: b\n", "s.yaml:6", "not valid YAML");
  refuse("\ttitle: a\n", "s.yaml:6", "not valid YAML");
  refuse("title: \"a\n", "s.yaml:7", "not valid YAML", "began in line 6");
  refuse("title: *nothing\n", "s.yaml:6", "not valid YAML");
  refuse(" title: x\n", "s.yaml:6", "not valid YAML");
}

static void a_key_that_is_there_twice_is_refused(void)
{
  refuse("t_end: 6\n", "s.yaml:6", "duplicate key 't_end'", "s.yaml:2");
  refuse("parameters:\n  m1: 1\n  b: 2\n  m1: 1\n", "s.yaml:9", "duplicate key 'm1'", "s.yaml:7");
  refuse("nothing: {a: 1, a: 2}\n", "s.yaml:6", "duplicate key 'a'");
}

static void a_key_that_is_no_word_is_refused(void)
{
  refuse("{a: 1}: 3\n", "s.yaml:6", "key must be a word");
  refuse("? [a, b]\n: 3\n", "s.yaml:6", "key must be a word");
}

static void aliases_are_refused(void)
{
  refuse("title: &a x\nmesh: *a\n", "s.yaml:6", "aliases");
  refuse("title: &a [*a]\n", "s.yaml:6", "aliases"); /* a tree without an end */
}

static void a_second_document_is_refused(void)
{
  refuse("---\nmodel: monopod\n", "s.yaml:7", "second YAML document");
  refuse("...\n---\n- [\n", "s.yaml:9", "not valid YAML");
}

static void depths_and_crowds_are_refused(void)
{
  static char deep[200100], many[8000] = SMALLEST;
  const double began = sal_clock_cpu();
  strcpy(deep, SMALLEST "a: ");
  memset(deep + strlen(deep), '[', 100000); /* minutes, if they were loaded */
  memset(deep + strlen(deep), ']', 100000);
  refuse_text(deep, "s.yaml:6", "nested more than 16 deep");
  CU_ASSERT(sal_clock_cpu() - began < 2);
  for (int depth = 1; depth <= 18; ++depth) { /* of the number, below the root */
    sal_document d;
    snprintf(deep, sizeof deep, "a: %.*s1%.*s", depth - 1, "[[[[[[[[[[[[[[[[[", depth - 1,
             "]]]]]]]]]]]]]]]]]");
    CU_ASSERT_EQUAL(sal_document_parse("p", deep, &d), depth <= 16 ? SAL_OK : SAL_ERR_INPUT);
    CU_ASSERT_EQUAL(d.loaded, depth <= 16);
    sal_document_free(&d);
  }
  sal_err_clear();
  for (int i = 0; i < 400; ++i) sprintf(many + strlen(many), "k%d: 1\n", i);
  refuse_text(many, "s.yaml:257", "more than 256 keys");
}

static void a_nul_in_a_text_is_refused(void)
{
  refuse("title: \"a\\0b\"\n", "s.yaml:6", "'a\\0..' has a NUL in it");
  refuse("\"a\\0b\": 1\n", "s.yaml:6", "has a NUL in it");
  refuse_set("title=\"\\0\"", "--set title", "'\\0..' has a NUL in it");
}

static void a_document_knows_its_nodes(void)
{
  sal_document d;
  char place[SAL_PLACE];
  CU_ASSERT_EQUAL(sal_document_parse("p", "a: 1\nb:\n  c: [x, y]\n  d:\n", &d), SAL_OK);
  const int c = sal_document_find(&d, "b.c");
  CU_ASSERT_STRING_EQUAL(sal_document_text(&d, sal_document_find(&d, "a")), "1");
  CU_ASSERT_EQUAL(sal_document_count(&d, c), 2);
  CU_ASSERT_STRING_EQUAL(sal_document_text(&d, sal_document_item(&d, c, 1)), "y");
  CU_ASSERT_EQUAL(sal_document_item(&d, c, 2), 0);
  CU_ASSERT_EQUAL(sal_document_item(&d, c, -1), 0);
  CU_ASSERT_STRING_EQUAL(sal_document_text(&d, sal_document_find(&d, "b.d")), "");
  CU_ASSERT_PTR_NULL(sal_document_text(&d, c));
  CU_ASSERT_EQUAL(sal_document_find(&d, "b.e"), 0);
  CU_ASSERT_EQUAL(sal_document_find(&d, "a.b"), 0);
  CU_ASSERT_STRING_EQUAL(sal_document_place(&d, c, place), "p:3");
  CU_ASSERT_TRUE(sal_document_given(&d, c));
  CU_ASSERT_FALSE(sal_document_overridden(&d, c));
  sal_document_free(&d);
}

static void a_byte_order_mark_and_windows_lines_are_no_trouble(void)
{
  sal_sweep sweep = accept_with("\xEF\xBB\xBF" SMALLEST, 0, NULL);
  CU_ASSERT_EQUAL(sweep.t_end, 5);
  sal_sweep_free(&sweep);
  sweep = accept_with("model: monopod\r\nt_end: 5\r\nsolvers: [ode45]\r\nstrategies: [event]\r\n"
                      "rtol: [1e-3]\r\n",
                      0, NULL);
  CU_ASSERT_EQUAL(sweep.tolerance[0], 1e-3);
  sal_sweep_free(&sweep);
}

SAL_TEST_MAIN("document", NULL, {"an empty file is refused", an_empty_file_is_refused},
              {"a file of another kind is refused", a_file_of_another_kind_is_refused},
              {"a binary file is refused with its line", a_binary_file_is_refused_with_its_line},
              {"invalid YAML is refused with its line", invalid_yaml_is_refused_with_its_line},
              {"a key that is there twice is refused", a_key_that_is_there_twice_is_refused},
              {"a key that is not a word is refused", a_key_that_is_no_word_is_refused},
              {"aliases are refused", aliases_are_refused},
              {"a second document is refused", a_second_document_is_refused},
              {"depths and crowds are refused", depths_and_crowds_are_refused},
              {"a NUL in a text is refused", a_nul_in_a_text_is_refused},
              {"a document finds its nodes", a_document_knows_its_nodes},
              {"a byte order mark and Windows lines are accepted",
               a_byte_order_mark_and_windows_lines_are_no_trouble})
