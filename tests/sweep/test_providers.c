/** The table of providers: texts go to the row whose key they have, and what this build lacks is named.
 */
#include "memory.h"
#include "model_source.h"
#include "providers.h"
#include "registry.h"
#include "sal_test.h"
#include <string.h>

static int freed;

static sal_err parse(const char *path, const char *text, const double count[], sal_provided *out)
{
  (void)count;
  if (strstr(text, "bad")) return sal_fail(SAL_ERR_INPUT, "%s: bad", path);
  out->made = &freed;
  out->model = sal_registry_model("monopod");
  return SAL_OK;
}
static sal_err parse_solver(const char *path, const char *text, const double count[],
                            sal_provided *out)
{
  (void)path, (void)text, (void)count;
  out->method = sal_registry_method("ode45");
  return SAL_OK;
}
static void drop(void *made) { freed += made == &freed; }

static const sal_provider springs = {SAL_PROVIDES_MODELS, .name = "springs", .key = "springs",
                                     .parse = parse, .free = drop};
static const sal_provider other = {SAL_PROVIDES_MODELS, .name = "other", .parse = parse,
                                   .free = drop};
static const sal_provider absent = {SAL_PROVIDES_MODELS, .name = "gears", .key = "gears",
                                    .missing = "configure with -DGEARS=ON"};
static const sal_provider solver = {SAL_PROVIDES_SOLVERS, .name = "tables", .key = "table",
                                    .parse = parse_solver, .free = drop};
static const sal_provider *const table[] = {&springs, &other, &absent, &solver, NULL};
static const sal_provider *const empty[] = {NULL};

static void texts_go_to_the_row_of_their_key(void)
{
  sal_providers_set(table);
  const sal_provides m = SAL_PROVIDES_MODELS;
  CU_ASSERT_PTR_EQUAL(sal_providers_keyed(m, "springs: 1\n"), &springs);
  CU_ASSERT_PTR_EQUAL(sal_providers_keyed(m, "# x\nsprings: 1\n"), &springs);
  CU_ASSERT_PTR_NULL(sal_providers_keyed(m, "title: no springs: 1\n"));
  CU_ASSERT_PTR_NULL(sal_providers_keyed(m, "springs_too: 1\n"));
  CU_ASSERT_PTR_NULL(sal_providers_keyed(m, "table: 1\n"));
  CU_ASSERT_PTR_NULL(sal_providers_keyed(m, ""));
  CU_ASSERT_PTR_EQUAL(sal_providers_reader(m, "name: x\n"), &other);
  CU_ASSERT_PTR_EQUAL(sal_providers_reader(m, "gears: 1\n"), &absent);
  CU_ASSERT_PTR_EQUAL(sal_providers_reader(SAL_PROVIDES_SOLVERS, "name: x\n"), &solver);
  sal_providers_set(empty);
  CU_ASSERT_PTR_NULL(sal_providers_reader(m, "springs: 1\n"));
}

static void what_was_made_is_freed(void)
{
  sal_provided *p;

  sal_providers_set(table);
  freed = 0;
  CU_ASSERT_EQUAL_FATAL(sal_provided_parse(SAL_PROVIDES_MODELS, "a.yaml", "springs: 1\n", &p),
                        SAL_OK);
  CU_ASSERT_PTR_EQUAL(sal_provided_made(p, &springs), &freed);
  CU_ASSERT_PTR_NULL(sal_provided_made(p, &other));
  CU_ASSERT_STRING_EQUAL(p->text, "springs: 1\n");
  CU_ASSERT_STRING_EQUAL(p->model->name, "monopod");
  CU_ASSERT_PTR_NULL(sal_provided_engine(p));
  sal_provided_free(p);
  CU_ASSERT_EQUAL(freed, 1);
  CU_ASSERT_EQUAL(sal_provided_parse(SAL_PROVIDES_MODELS, "a.yaml", "springs: bad\n", &p),
                  SAL_ERR_INPUT);
  CU_ASSERT_PTR_NULL(p);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static bool refused(sal_provides gives, const char *text, const char *what)
{
  sal_provided *p;

  sal_err_clear();
  const sal_err err = sal_provided_parse(gives, "a.yaml", text, &p);
  const bool right = err == SAL_ERR_INPUT && !p && strstr(sal_err_message(), what);
  if (!right) fprintf(stderr, "\n    %s\n", sal_err_message());
  return right;
}

static void a_build_without_a_kind_names_it(void)
{
  sal_providers_set(table);
  CU_ASSERT(refused(SAL_PROVIDES_MODELS, "gears: 3\n",
                    "a.yaml: this build reads no texts of gears: configure with -DGEARS=ON"));
  sal_providers_set(empty);
  CU_ASSERT(
      refused(SAL_PROVIDES_MODELS, "gears: 3\n", "a.yaml: this build reads no texts of models"));
  CU_ASSERT(
      refused(SAL_PROVIDES_SOLVERS, "table: 3\n", "a.yaml: this build reads no texts of solvers"));
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void a_solver_has_a_new_name(void)
{
  sal_provided *p;

  sal_providers_set(table);
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_solver_source_parse("s.yaml", "table: 1\nname: ode45\n", &p), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "s.yaml:2: name: 'ode45' is taken"));
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("providers", NULL,
              {"texts go to the row of their key", texts_go_to_the_row_of_their_key},
              {"what was made is freed", what_was_made_is_freed},
              {"a build without a kind names it", a_build_without_a_kind_names_it},
              {"a solver has a new name", a_solver_has_a_new_name})
