/** An image that is made, kept, damaged, taken for another one's, or has other bits. */
#include "native_case.h"
#include <fcntl.h>

/* The real compiler, after `edit` has changed the C. */
static void edit_before_compiling(const char *edit)
{
  char real[PATH_MAX], script[2 * PATH_MAX];

  unsetenv("SALTUS_CC");
  CU_ASSERT_EQUAL_FATAL(sal_native_compiler_find(real), SAL_OK);
  snprintf(script, sizeof script, "cd $TMPDIR && sed -i '%s' text.c && exec %s \"$@\"", edit, real);
  case_script(script);
}

static void name_of(const sal_native_image *image, char path[2 * PATH_MAX])
{
  snprintf(path, 2 * (size_t)PATH_MAX, "%s/%s.so", case_cache, image->key);
}

/* Changes the byte in the middle of a file. */
static void damage(const char *path)
{
  struct stat st;
  char byte;
  const int file = open(path, O_RDWR);

  CU_ASSERT_FATAL(file >= 0 && fstat(file, &st) == 0);
  CU_ASSERT_EQUAL(pread(file, &byte, 1, st.st_size / 2), 1);
  byte = (char)(byte ^ 1);
  CU_ASSERT_EQUAL(pwrite(file, &byte, 1, st.st_size / 2), 1);
  close(file);
}

/* One compilation serves all of this. */
static void it_is_kept_whole_or_made_anew(void)
{
  sal_equation_model *model = case_model();
  sal_native_request request = case_request();
  sal_native_image first, again, other;
  char path[2 * PATH_MAX];

  case_begin();
  CU_ASSERT_EQUAL(mkdir(case_cache, 0700), 0);
  request.kept = true;
  CU_ASSERT_EQUAL(sal_native_make(model, &request, &first), SAL_OK);
  CU_ASSERT_PTR_NULL(first.bytes);
  request.kept = false;
  CU_ASSERT_EQUAL(sal_native_make(model, &request, &first), SAL_OK);
  CU_ASSERT(first.made && first.n > 1000 && first.note[0] == '\0');
  CU_ASSERT_EQUAL(case_files(), 1);
  request.kept = true;
  CU_ASSERT_EQUAL(sal_native_make(model, &request, &again), SAL_OK);
  CU_ASSERT(!again.made && again.n == first.n && memcmp(again.bytes, first.bytes, first.n) == 0);

  other = again;
  other.key[3] = (char)(other.key[3] == 'a' ? 'b' : 'a');
  CU_ASSERT(case_failed(sal_native_take(&other, model), "belongs to another model"));
  other = again;
  other.width[1] = true;
  CU_ASSERT(case_failed(sal_native_take(&other, model), "lanes"));
  CU_ASSERT_FALSE(sal_equation_model_is_compiled(model));
  CU_ASSERT_EQUAL(sal_native_take(&again, model), SAL_OK);
  CU_ASSERT_TRUE(sal_equation_model_is_compiled(model));
  sal_native_free(&again);

  name_of(&first, path);
  damage(path);
  CU_ASSERT_EQUAL(sal_native_make(model, &request, &again), SAL_OK);
  CU_ASSERT(again.bytes == NULL && strstr(again.note, "is damaged"));
  CU_ASSERT_EQUAL(truncate(path, 10), 0);
  CU_ASSERT_EQUAL(sal_native_make(model, &request, &again), SAL_OK);
  CU_ASSERT(again.bytes == NULL && strstr(again.note, "is damaged"));
  CU_ASSERT_EQUAL(unlink(path), 0);
  CU_ASSERT_EQUAL(symlink("/dev/zero", path), 0);
  CU_ASSERT(case_failed(sal_native_make(model, &request, &again), "cannot be read"));
  sal_native_free(&first);
  sal_equation_model_free(model);
  case_end();
}

/* Does the comparison find this change of the C, and what does it say? */
static bool finds(const char *edit, const char *what)
{
  sal_equation_model *model = case_model();
  const sal_native_request request = case_request();
  sal_native_image image;

  case_begin();
  edit_before_compiling(edit);
  CU_ASSERT_EQUAL_FATAL(sal_native_make(model, &request, &image), SAL_OK);
  const bool found = case_failed(sal_native_take(&image, model), what);
  CU_ASSERT_FALSE(sal_equation_model_is_compiled(model));
  sal_native_free(&image);
  sal_equation_model_free(model);
  case_end();
  return found;
}

static void another_flow_is_found(void)
{
  CU_ASSERT(finds("s/^  dy.1. = /&1.0000000000000002 * /", "compiled for 1 lane differs in bits"));
}

static void other_steps_are_found(void)
{
  CU_ASSERT(finds(
      "s/, .jump = jump/, .jump = jump, .stages = other/;"
      "s/^SAL_FLOW/static void other(const sal_phase *s, const sal_step *step, const "
      "sal_stage_table *table, int from, int to, sal_v k[], sal_v x[]) { sal_stages(rhs, 2, s, "
      "step, table, from, to, k, x); x[0] *= 1.0000000000000002; }\\n&/",
      "a run of"));
}

SAL_TEST_MAIN("images", NULL, {"kept whole", it_is_kept_whole_or_made_anew},
              {"another flow", another_flow_is_found}, {"other steps", other_steps_are_found})
