/** Commas, escapes and numbers of JSON. */
#include "report.h"
#include "sal_test.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The text that `write` writes into an object; freed by the caller. */
static char *written(void (*write)(sal_json *json))
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  sal_json json;

  sal_json_begin(&json, out);
  write(&json);
  sal_json_end(&json);
  fclose(out);
  return text;
}

static void check(void (*write)(sal_json *json), const char *expected)
{
  char *text = written(write);

  CU_ASSERT_STRING_EQUAL(text, expected);
  if (strcmp(text, expected) != 0) printf("\n  %s\n", text);
  free(text);
}

static void nothing(sal_json *json) { (void)json; }

static void all_kinds(sal_json *j)
{
  sal_json_number(j, "x", 0.5);
  sal_json_array(j, "list");
  sal_json_whole(j, NULL, INT64_MIN);
  sal_json_bool(j, NULL, true);
  sal_json_object(j, NULL);
  sal_json_end(j);
  sal_json_array(j, NULL);
  sal_json_end(j);
  sal_json_object(j, NULL);
  sal_json_text(j, "name", NULL);
  sal_json_bool(j, "yes", false);
  sal_json_end(j);
  sal_json_end(j);
  sal_json_text(j, "last", "z");
}

static void commas_stand_between_members(void)
{
  check(nothing, "{}\n");
  check(all_kinds, "{\"x\": 0.5, \"list\": [-9223372036854775808, true, {}, [], {\"name\": null, "
                   "\"yes\": false}], \"last\": \"z\"}\n");
}

static void several(sal_json *j)
{
  const char *volatile none = NULL;

  sal_json_members(j, "name %s, cells %ld, n %d", "a, %s", INT64_MIN, -3);
  sal_json_object_of(j, "of", "x %g, unknown %g, done %i, none %s", 0.5, NAN, 1, none);
  sal_json_array(j, "list");
  sal_json_object_of(j, NULL, "last %i", 0);
  sal_json_end(j);
}

static void a_call_writes_several_members(void)
{
  check(several, "{\"name\": \"a, %s\", \"cells\": -9223372036854775808, \"n\": -3, \"of\": "
                 "{\"x\": 0.5, \"unknown\": null, \"done\": true, \"none\": null}, \"list\": "
                 "[{\"last\": false}]}\n");
}

static void odd_strings(sal_json *j)
{
  sal_json_text(j, "a\"b\\c", "tab\tbell\a\x1b[31m\x7f end\n");
  sal_json_text(j, "utf8", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
}

static void strings_are_escaped(void)
{
  check(odd_strings, "{\"a\\\"b\\\\c\": \"tab\\u0009bell\\u0007\\u001b[31m\\u007f end\\u000a\", "
                     "\"utf8\": \"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\"}\n");
}

static void broken_strings(sal_json *j)
{
  sal_json_text(j, "stray", "\x80z\xff");
  sal_json_text(j, "cut", "\xe2\x82");
  sal_json_text(j, "overlong", "\xc0\xaf \xe0\x80\xaf");
  sal_json_text(j, "surrogate", "\xed\xa0\x80");
  sal_json_text(j, "above", "\xf4\x90\x80\x80");
}

static void what_is_no_utf8_is_replaced_byte_by_byte(void)
{
#define R "\\ufffd"
  check(broken_strings,
        "{\"stray\": \"" R "z" R "\", \"cut\": \"" R R "\", \"overlong\": \"" R R " " R R R
        "\", \"surrogate\": \"" R R R "\", \"above\": \"" R R R R "\"}\n");
#undef R
}

static void numbers_are_short(void)
{
  static const struct {
    double value;
    const char *text;
  } row[] = {{1e-6, "1e-06"},
             {0.1, "0.1"},
             {100, "100"},
             {-13, "-13"},
             {1e300, "1e+300"},
             {2.5e-4, "0.00025"},
             {123456789012345, "123456789012345"},
             {0, "0"},
             {NAN, "null"},
             {INFINITY, "null"},
             {-INFINITY, "null"}};
  char text[SAL_JSON_NUMBER];

  for (size_t i = 0; i < sizeof row / sizeof *row; ++i)
    CU_ASSERT_STRING_EQUAL(sal_json_shortest(row[i].value, text), row[i].text);
}

static void numbers_read_back_the_same(void)
{
  const double edge[] = {DBL_MIN, DBL_MAX, DBL_TRUE_MIN, 0.1 + 0.2, 1.0 / 3, 0x1p53 + 2, M_PI};
  char text[SAL_JSON_NUMBER];
  double x = 1;

  for (size_t i = 0; i < sizeof edge / sizeof *edge; ++i)
    CU_ASSERT_EQUAL(strtod(sal_json_shortest(edge[i], text), NULL), edge[i]);
  for (int i = 0; i < 2000; ++i) {
    x = fmod(x * 1.37 + 1e-3, 10);
    CU_ASSERT_EQUAL(strtod(sal_json_shortest(x, text), NULL), x);
    CU_ASSERT_EQUAL(strtod(sal_json_shortest(x * 1e-200, text), NULL), x * 1e-200);
  }
}

static void a_muted_text_takes_all_and_writes_nothing(void)
{
  sal_json json;

  sal_json_begin(&json, NULL);
  all_kinds(&json);
  for (int i = 0; i < 2 * SAL_JSON_DEPTH; ++i) sal_json_object(&json, "x");
  sal_json_end(&json);
  CU_ASSERT_EQUAL(json.depth, 0);
}

SAL_TEST_MAIN("json", NULL,
              {"a muted text takes all and writes nothing",
               a_muted_text_takes_all_and_writes_nothing},
              {"commas stand between members", commas_stand_between_members},
              {"a call writes several members", a_call_writes_several_members},
              {"strings are escaped", strings_are_escaped},
              {"invalid UTF-8 is replaced byte by byte", what_is_no_utf8_is_replaced_byte_by_byte},
              {"numbers are short", numbers_are_short},
              {"numbers read back the same", numbers_read_back_the_same})
