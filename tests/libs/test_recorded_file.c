/** The allowed content of a file of recorded trajectories, and the messages for any other. */
#include "memory.h"
#include "recorded_file.h"
#include "recorded_words.h"
#include "sal_test.h"
#include "text.h"
#include <math.h>
#include <string.h>

#define HEAD                                                                                       \
  SAL_RECORDED_FIRST "\nmodel decay\nstates x\nt_end 1\nmesh 10\norder 5\nlibrary A B\ncell 1 "    \
                     "x=1\n"
#define RUN "run cell=1 strategy=switch rtol=0.001 steps=1 rhs=6"
#define LOOSER "run cell=1 strategy=switch rtol=0.01 steps=1 rhs=6"

static sal_err parse(const char *text, sal_recorded_file **out)
{
  sal_err_clear();
  return sal_recorded_parse("file.txt", sal_text_copy(text), out);
}

static void a_file_is_read(void)
{
  sal_recorded_file *f;

  CU_ASSERT_EQUAL_FATAL(parse(HEAD "select one\nselect two words \r\n" RUN
                                   " seconds=0.25\r\n0 1\n: 0.5 0.6\n  1 0.4\n\n# end\n" LOOSER
                                   "\n0 1\n1 0.5\n",
                              &f),
                        SAL_OK);
  CU_ASSERT_FALSE(f->ended);
  CU_ASSERT_STRING_EQUAL(f->model, "decay");
  CU_ASSERT_STRING_EQUAL(f->library, "A B");
  CU_ASSERT_STRING_EQUAL(f->select, "one\ntwo words\n");
  CU_ASSERT_EQUAL(f->order, 5);
  CU_ASSERT_EQUAL(f->mesh, 10);
  CU_ASSERT_EQUAL(f->n_run, 2);
  CU_ASSERT_EQUAL(f->run[0].n, 3);
  CU_ASSERT_EQUAL(f->run[1].first, 3);
  CU_ASSERT_EQUAL(f->run[0].seconds, 0.25);
  CU_ASSERT_TRUE(isnan(f->run[1].seconds) && isnan(f->run[0].failed));
  CU_ASSERT_EQUAL(f->run[0].solves, 0);
  CU_ASSERT_EQUAL(f->row[3], 0.6);
  CU_ASSERT_TRUE(f->is_inside[1] && !f->is_inside[2]);
  sal_recorded_free(f);
}

/* "end N" is the last line, N the number of runs; a byte order mark ahead of all is allowed. */
static void a_whole_file_has_an_end(void)
{
  sal_recorded_file *f;

  CU_ASSERT_EQUAL_FATAL(parse("\xef\xbb\xbf" HEAD RUN "\n0 1\n1 0.5\nend 1\n\n", &f), SAL_OK);
  CU_ASSERT_TRUE(f->ended);
  CU_ASSERT_EQUAL(f->n_run, 1);
  CU_ASSERT_EQUAL(f->n_row, 2);
  sal_recorded_free(f);
}

static void messages_say_where_and_what(void)
{
  static const struct {
    const char *text, *says[3];
  } bad[] = {
      {"", {"file.txt:1:", "''", SAL_RECORDED_FIRST}},
      {"t,x\n0,1\n", {"file.txt:1:", "'t,x'", SAL_RECORDED_FIRST}},
      {HEAD, {"file.txt:", "without a run", ""}},
      {HEAD "modle x\n", {"file.txt:9:", "'modle'", "'model'?"}},
      {HEAD "cell 3 x=1\n", {"file.txt:9:", "cell '3'", "number 2"}},
      {HEAD "between spline\n", {"file.txt:9:", "'spline'", "linear"}},
      {HEAD "t_end -1\n", {"file.txt:9:", "t_end", "'-1'"}},
      {HEAD RUN "\n0 1\n1.5 1\n", {"file.txt:11:", "t = 1.5", "t_end 1"}},
      {HEAD "run cell=1 strategy=switch rtol=1 rhs=6 steps=3000000\n0 1\n: 0.5 1\n1 1\n",
       {"file.txt:", "steps=3000000", "1 row "}},
      {HEAD RUN "\n0 1\n0 1\n0 2\n", {"file.txt:", "steps=1", "0 rows"}},
      {HEAD "0 1\n", {"file.txt:9:", "ahead of a run", ""}},
      {SAL_RECORDED_FIRST "\n" RUN "\n0 1\n", {"file.txt:2:", "expected ahead of it", "t_end"}},
      {HEAD "run cell=1 strategy=switch rtol=0.001 steps=1\n0 1\n", {"file.txt:9:", "rhs=", ""}},
      {HEAD "run cell=1 rtol=0.001 steps=1 rhs=1\n0 1\n", {"file.txt:9:", "strategy=", ""}},
      {HEAD RUN " stepz=3\n0 1\n", {"file.txt:9:", "'stepz'", "'steps'?"}},
      {HEAD RUN " solves=many\n0 1\n", {"file.txt:9:", "solves: 'many'", "a number"}},
      {HEAD RUN " solves\n0 1\n", {"file.txt:9:", "'solves'", "key=value"}},
      {HEAD RUN " outcome=don\n0 1\n", {"file.txt:9:", "'don'", "'done'?"}},
      {HEAD "run cell=2 strategy=switch rtol=1 steps=1 rhs=6\n0 1\n",
       {"file.txt:9:", "cell=2", "1 to 1"}},
      {HEAD RUN "\n0 1\n1 1\n" LOOSER "\n0 1\n1 1\n" RUN "\n0 1\n1 1\n",
       {"file.txt:15:", "is there twice, first in line 9", "cell 1, strategy switch, rtol 0.001"}},
      {HEAD RUN "\n" RUN "\n", {"file.txt:10:", "no rows", ""}},
      {HEAD RUN "\n0 1 2\n", {"file.txt:10:", "'2'", "2 finite numbers"}},
      {HEAD RUN "\n0\n", {"file.txt:10:", "1 numbers", "2, t and the states"}},
      {HEAD RUN "\n0 nan\n", {"file.txt:10:", "'nan'", "finite"}},
      {HEAD RUN "\n0.5 1\n", {"file.txt:10:", "t = 0.5", "t = 0"}},
      {HEAD RUN "\n: 0 1\n", {"file.txt:10:", "inside a step", "t = 0"}},
      {HEAD RUN "\n0 1\n0.5 1\n0.4 1\n", {"file.txt:12:", "t = 0.4", "do not go back"}},
      {HEAD RUN "\n0 1\n: 0 1\n1 1\n", {"file.txt:11:", "twice", ""}},
      {HEAD RUN "\n0 1\n: 0.5 1\n", {"file.txt:", "ends inside a step", ""}},
      {HEAD RUN "\n0 1\n1 0.5", {"file.txt:11:", "ends inside a line", "cut"}},
      {HEAD RUN "\n0 1\n1 0.5\nend 2\n", {"file.txt:12:", "end '2'", "expected: 1"}},
      {HEAD RUN "\n0 1\n1 0.5\nend", {"file.txt:12:", "end ''", "expected: 1"}},
      {HEAD RUN "\n0 1\n1 0.5\nend 1\n2 3\n", {"file.txt:13:", "'2 3'", "after the end"}},
      {HEAD "end 0\n", {"file.txt:9:", "'end'", ""}},
      {HEAD RUN "\n0 1\nmodel x\n", {"file.txt:11:", "'model'", "after the first run"}}};

  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    sal_recorded_file *f;
    CU_ASSERT_EQUAL(parse(bad[i].text, &f), SAL_ERR_INPUT);
    CU_ASSERT_PTR_NULL(f);
    for (int k = 0; k < 3; ++k)
      if (!strstr(sal_err_message(), bad[i].says[k])) {
        printf("\n%s lacks '%s'", sal_err_message(), bad[i].says[k]);
        CU_FAIL("message");
      }
  }
}

static void checksums_tell_texts_apart(void)
{
  CU_ASSERT_EQUAL(sal_recorded_checksum(""), 0xcbf29ce484222325u); /* of the definition of FNV-1a */
  CU_ASSERT_EQUAL(sal_recorded_checksum("a"), 0xaf63dc4c8601ec8cu);
  CU_ASSERT_NOT_EQUAL(sal_recorded_checksum("ab"), sal_recorded_checksum("ba"));
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("recorded_file", NULL, {"a file is read", a_file_is_read},
              {"a whole file has an end", a_whole_file_has_an_end},
              {"messages say where and what", messages_say_where_and_what},
              {"checksums distinguish texts", checksums_tell_texts_apart},
              {"memory comes back", memory_comes_back})
