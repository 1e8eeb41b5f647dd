/** The allowed content of a file of recorded trajectories, and the messages for any other. */
#include "memory.h"
#include "recorded_file.h"
#include "sal_test.h"
#include "text.h"
#include <math.h>
#include <string.h>

/* A file in three parts, the last run of two the looser one; lines of the head to 8, of the runs from 10, of the table from 13. */
#define TOP                                                                                        \
  SAL_RECORDED_KEY ": 1\nmodel: decay\nstates: [x]\nt_end: 1\nmesh: 10\norder: 5\nlibrary: A "     \
                   "B\ncells: [{x: 1}]\n"
#define RUN "  - {cell: 1, strategy: switch, rtol: 0.001, steps: 1, rhs: 6}\n"
#define LOOSER "  - {cell: 1, strategy: switch, rtol: 0.01, steps: 1, rhs: 6}\n"
#define ROWS(n) "rows: " #n "\nruns:\n"
#define TABLE "---\nrun,inside,t,x\n"
#define HEAD(n)                                                                                    \
  TOP ROWS(n)                                                                                      \
  RUN TABLE /* the first row is line 14 */
#define ONE(run) TOP ROWS(2) "  - {" run "}\n" TABLE "1,0,0,1\n1,0,1,1\n"
#define NAMED "cell: 1, strategy: switch, rtol: 1"

static sal_err parse(const char *text, sal_recorded_file **out)
{
  sal_err_clear();
  return sal_recorded_parse("file.txt", sal_text_copy(text), out);
}

static void a_file_is_read(void)
{
  sal_recorded_file *f;

  CU_ASSERT_EQUAL_FATAL(parse("\xef\xbb\xbf" TOP "select: |\n  one\n  two words \r\n" ROWS(
                                  5) "  - {cell: 1, strategy: switch, rtol: 0.001, "
                                     "steps: 1, rhs: 6, seconds: 0.25}\r\n" LOOSER
                                     "---\r\nrun,inside,t,x\r\n1,0,0,1\r\n1,1,0.5,0.6\n 1, 0 , 1, "
                                     "0.4\n\n# end\n2,0,0,1\n2,0,1,0.5\n",
                              &f),
                        SAL_OK);
  CU_ASSERT_STRING_EQUAL(f->model, "decay");
  CU_ASSERT_STRING_EQUAL(f->library, "A B");
  CU_ASSERT_STRING_EQUAL(f->select, "one\ntwo words \n");
  CU_ASSERT_EQUAL(f->order, 5);
  CU_ASSERT_EQUAL(f->mesh, 10);
  CU_ASSERT_EQUAL(f->n_run, 2);
  CU_ASSERT_EQUAL(f->n_row, 5);
  CU_ASSERT_EQUAL(f->run[0].n, 3);
  CU_ASSERT_EQUAL(f->run[1].first, 3);
  CU_ASSERT_EQUAL(f->run[0].seconds, 0.25);
  CU_ASSERT_TRUE(isnan(f->run[1].seconds) && isnan(f->run[0].failed));
  CU_ASSERT_EQUAL(f->run[0].solves, 0);
  CU_ASSERT_EQUAL(f->row[3], 0.6);
  CU_ASSERT_TRUE(f->is_inside[1] && !f->is_inside[2]);
  sal_recorded_free(f);
}

static const struct {
  const char *text, *says[3];
} bad_heads[] = {
    {"", {"file.txt:1:", "is empty", ""}},
    {"t,x\n0,1\n", {"file.txt:1:", "no key", ""}},
    {"model: decay\n", {"file.txt:1:", "'trajectories'", "missing"}},
    {"trajectories: 2\n", {"file.txt:1:", "trajectories = 2", "allowed"}},
    {TOP, {"file.txt:1:", "'runs'", "missing"}},
    {TOP ROWS(2) RUN, {"file.txt:12:", "ends with its head", "'---'"}},
    {TOP "modle: x\n", {"file.txt:9:", "'modle'", "'model'?"}},
    {TOP "between: spline\n", {"file.txt:9:", "'spline'", "linear"}},
    {SAL_RECORDED_KEY ": 1\nmodel: decay\nstates: [x]\nt_end: -1\n",
     {"file.txt:4:", "t_end = -1", "greater than 0"}},
    {SAL_RECORDED_KEY ": 1\nmodel: decay\nstates: x\n", {"file.txt:3:", "states", "a list"}},
    {SAL_RECORDED_KEY ": 1\nmodel: decay\nt_end: 1\nstates: [x]\ncells: [1]\n",
     {"file.txt:5:", "cells", "a mapping"}},
    {ONE("cell: 1, strategy: switch, rtol: 1, steps: 1"), {"file.txt:11:", "'rhs'", "missing"}},
    {ONE("cell: 1, rtol: 0.001, steps: 1, rhs: 1"), {"file.txt:11:", "'strategy'", "missing"}},
    {ONE(NAMED ", steps: 1, rhs: 6, stepz: 3"), {"file.txt:11:", "'stepz'", "'steps'?"}},
    {ONE(NAMED ", steps: 1, rhs: 6, solves: many"), {"file.txt:11:", "solves: 'many'", "a number"}},
    {ONE(NAMED ", steps: 1, rhs: 6, outcome: don"), {"file.txt:11:", "'don'", "'done'?"}},
    {ONE("cell: 2, strategy: switch, rtol: 1, steps: 1, rhs: 6"),
     {"file.txt:11:", "cell = 2", "from 1 to 1"}},
    {ONE("cell: 0, strategy: switch, rtol: 1, steps: 1, rhs: 6"),
     {"file.txt:11:", "cell = 0", "from 1 to 1"}},
    {TOP ROWS(6) RUN LOOSER RUN TABLE "1,0,0,1\n1,0,1,1\n2,0,0,1\n2,0,1,1\n3,0,0,1\n3,0,1,1\n",
     {"file.txt:13:", "is there twice, first at file.txt:11",
      "cell 1, strategy switch, rtol 0.001"}}};

static const struct {
  const char *text, *says[3];
} bad_rows[] = {
    {HEAD(2) "1,0,0,1\n1,0,1.5,1\n", {"file.txt:15:", "t = 1.5", "t_end 1"}},
    {ONE(NAMED ", rhs: 6, steps: 3000000"), {"file.txt:11:", "steps: 3000000", "1 row "}},
    {HEAD(3) "1,0,0,1\n1,0,0,1\n1,0,0,2\n", {"file.txt:11:", "steps: 1", "0 rows"}},
    {TOP ROWS(2) RUN LOOSER TABLE "1,0,0,1\n1,0,1,1\n", {"file.txt:12:", "no rows", ""}},
    {TOP ROWS(2) RUN LOOSER TABLE "2,0,0,1\n2,0,1,1\n", {"file.txt:11:", "no rows", ""}},
    {TOP ROWS(1) RUN "---\n1,0,0,1\n1,0,1,1\n", {"file.txt:13:", "column 1: '1'", "'run'"}},
    {TOP ROWS(1) RUN "---\nrun,inside,t,y\n1,0,0,1\n", {"file.txt:13:", "column 4: 'y'", "'x'"}},
    {TOP ROWS(1) RUN "---\nrun,inside,t,x,y\n1,0,0,1,1\n",
     {"file.txt:13:", "5 columns", "expected: 4"}},
    {HEAD(1) "1,0,0,1,2\n", {"file.txt:14:", "5 columns", "has 4"}},
    {HEAD(1) "1,0,0\n", {"file.txt:14:", "3 columns", "has 4"}},
    {HEAD(1) "1,0,0,nan\n", {"file.txt:14:", "x: 'nan'", "a finite decimal number"}},
    {HEAD(1) "1,0.5,0,1\n", {"file.txt:14:", "inside: 0.5", "allowed: 0, 1"}},
    {HEAD(1) "2,0,0,1\n", {"file.txt:14:", "run: 2", "expected: 1"}},
    {HEAD(1) "1,0,0.5,1\n", {"file.txt:14:", "t = 0.5", "t = 0"}},
    {HEAD(1) "1,1,0,1\n", {"file.txt:14:", "inside a step", "t = 0"}},
    {HEAD(3) "1,0,0,1\n1,0,0.5,1\n1,0,0.4,1\n", {"file.txt:16:", "t = 0.4", "do not go back"}},
    {HEAD(3) "1,0,0,1\n1,1,0,1\n1,0,1,1\n", {"file.txt:15:", "twice", ""}},
    {HEAD(2) "1,0,0,1\n1,1,0.5,1\n", {"file.txt:11:", "ends inside a step", ""}},
    {HEAD(2) "1,0,0,1\n1,0,1,0.5", {"file.txt:9:", "rows: 2, but 1 ", "cut"}},
    {HEAD(2) "1,0,0,1\n# 1,0,1,0.5\n", {"file.txt:", "1 rows", "rows: 2"}},
    {HEAD(2) "1,0,0,1\n1,0,1,0.5\n1,0,1,0.4\n", {"file.txt:16:", "more rows", "rows: 2"}}};

static void refuse(const char *text, const char *const says[3])
{
  sal_recorded_file *f;

  CU_ASSERT_EQUAL(parse(text, &f), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NULL(f);
  for (int k = 0; k < 3; ++k)
    if (!strstr(sal_err_message(), says[k])) {
      printf("\n%s lacks '%s'", sal_err_message(), says[k]);
      CU_FAIL("message");
    }
}

static void messages_say_where_and_what(void)
{
  for (size_t i = 0; i < sizeof bad_heads / sizeof *bad_heads; ++i)
    refuse(bad_heads[i].text, bad_heads[i].says);
  for (size_t i = 0; i < sizeof bad_rows / sizeof *bad_rows; ++i)
    refuse(bad_rows[i].text, bad_rows[i].says);
}

static void checksums_tell_texts_apart(void)
{
  CU_ASSERT_EQUAL(sal_recorded_checksum(""), 0xcbf29ce484222325u); /* of the definition of FNV-1a */
  CU_ASSERT_EQUAL(sal_recorded_checksum("a"), 0xaf63dc4c8601ec8cu);
  CU_ASSERT_NOT_EQUAL(sal_recorded_checksum("ab"), sal_recorded_checksum("ba"));
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("recorded_file", NULL, {"a file is read", a_file_is_read},
              {"messages say where and what", messages_say_where_and_what},
              {"checksums distinguish texts", checksums_tell_texts_apart},
              {"memory comes back", memory_comes_back})
