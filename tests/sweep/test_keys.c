/** The table of keys: complete, consistent, and the same in sweeps/README.md. */
#include "keys.h"
#include "refuse.h"
#include "registry.h"
#include "validate.h"
#include <stdlib.h>

#define SWEEPS SAL_TEST_DATA "/../../sweeps/"

static char *file_text(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  const long n = ftell(file);
  char *text = calloc((size_t)n + 1, 1);
  rewind(file);
  if (fread(text, 1, (size_t)n, file) != (size_t)n) text[0] = '\0';
  fclose(file);
  return text;
}

/* The line of a key in the README. */
static void readme_line(const sal_key *key, size_t size, char line[])
{
  char allowed[200], preset[200];
  const size_t n = strlen(key->preset);
  sal_key_allowed(key, sizeof allowed, allowed);
  if (sal_key_described(key))
    snprintf(preset, sizeof preset, "%.*s", (int)n - 2, key->preset + 1);
  else
    snprintf(preset, sizeof preset, "`%s`", key->preset);
  snprintf(line, size, "| `%s` | %s | %s | %s | %s |\n", key->name, sal_key_type(key), preset,
           allowed, key->what);
}

static void the_readme_has_every_key_as_it_is(void)
{
  char *readme = file_text(SWEEPS "README.md");
  CU_ASSERT_PTR_NOT_NULL_FATAL(readme);
  for (const sal_key *key = sal_keys; key->name; ++key) {
    char line[600];
    readme_line(key, sizeof line, line);
    if (!strstr(readme, line)) fprintf(stderr, "\n    sweeps/README.md needs the line\n%s", line);
    CU_ASSERT_PTR_NOT_NULL(strstr(readme, line));
  }
  free(readme);
}

static void every_key_is_described(void)
{
  int n = 0, required = 0;
  for (const sal_key *key = sal_keys; key->name; ++key, ++n) {
    CU_ASSERT(strlen(sal_key_type(key)) > 0 && strlen(key->preset) > 0 && strlen(key->what) > 10);
    CU_ASSERT(key->least <= key->most);
    CU_ASSERT_PTR_EQUAL(sal_key_named(key->name), key);
    required += strcmp(key->preset, "(required)") == 0;
  }
  CU_ASSERT(n >= 20);
  CU_ASSERT_EQUAL(required, 7);
  CU_ASSERT_PTR_NULL(sal_key_named("cells.row"));
}

static void allowed_values_are_told(void)
{
  char text[100];
  CU_ASSERT_STRING_EQUAL(sal_key_allowed(sal_key_named("rtol"), sizeof text, text),
                         "from 1e-14 to 0.1");
  CU_ASSERT_STRING_EQUAL(sal_key_allowed(sal_key_named("mesh"), sizeof text, text),
                         "greater than 0");
  CU_ASSERT_STRING_EQUAL(sal_key_allowed(sal_key_named("reference"), sizeof text, text),
                         "certified, paper");
  CU_ASSERT_STRING_EQUAL(sal_key_allowed(sal_key_named("title"), sizeof text, text), "");
  CU_ASSERT_STRING_EQUAL(sal_key_allowed(sal_key_named("reference"), 5, text), "cert");
}

static void every_preset_is_what_its_absence_means(void)
{
  const sal_sweep bare = accept("");
  for (const sal_key *key = sal_keys; key->name; ++key) {
    char set[200];
    const char *sets[] = {set, "orbit.find=[transient]"};
    const bool orbit = strncmp(key->name, "orbit.", 6) == 0;
    if (sal_key_described(key)) continue;
    snprintf(set, sizeof set, "%s=%s", key->name, key->preset);
    sal_sweep said = accept_with(SMALLEST, orbit ? 2 : 1, sets);
    sal_sweep asked = accept_with(SMALLEST "orbit: {find: [transient]}\n", 0, NULL);
    if (orbit) CU_ASSERT_EQUAL(memcmp(&said.orbit, &asked.orbit, sizeof said.orbit), 0);
    sal_sweep_free(&asked);
    CU_ASSERT_EQUAL(said.mesh, bare.mesh);
    CU_ASSERT_EQUAL(said.n_mesh, bare.n_mesh);
    CU_ASSERT_EQUAL(said.floor, bare.floor);
    CU_ASSERT_EQUAL(said.epsilon[0], bare.epsilon[0]);
    CU_ASSERT_EQUAL(said.repeats, bare.repeats);
    CU_ASSERT_EQUAL(said.max_attempts, bare.max_attempts);
    CU_ASSERT_EQUAL(memcmp(&said.budget, &bare.budget, sizeof bare.budget), 0);
    CU_ASSERT_EQUAL(memcmp(said.param, bare.param, 7 * sizeof(double)), 0);
    CU_ASSERT_EQUAL(memcmp(said.initial, bare.initial, 4 * sizeof(double)), 0);
    sal_sweep_free(&said);
  }
  sal_sweep_free((sal_sweep *)&bare);
}

/* Values of all parameters of each model arrive where they belong, and no other model's are taken. */
static void values_are_read_by_the_model(void)
{
  for (int m = 0; sal_registry_models[m]; ++m) {
    const sal_model *model = sal_registry_models[m];
    char text[4000] = "model: decay\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-3]\n"
                      "parameters: {no_such_parameter: 1}\n";
    sal_document document;
    sal_sweep sweep = {0};
    CU_ASSERT_EQUAL_FATAL(sal_document_parse("s.yaml", text, &document), SAL_OK);
    CU_ASSERT_EQUAL(sal_keys_read(&document, model, &sweep), SAL_ERR_INPUT);
    sal_sweep_free(&sweep);
    sal_document_free(&document);
    sal_err_clear();
    strcpy(strstr(text, "{no_such"), "{");
    for (int k = 0; k < model->n_param; ++k)
      sprintf(text + strlen(text), "%s%s: %.17g", k ? ", " : "", model->param[k].name,
              model->param[k].preset);
    strcat(text, "}\n");
    CU_ASSERT_EQUAL_FATAL(sal_document_parse("s.yaml", text, &document), SAL_OK);
    CU_ASSERT_EQUAL_FATAL(sal_keys_read(&document, model, &sweep), SAL_OK);
    for (int k = 0; k < model->n_param; ++k)
      CU_ASSERT_EQUAL(sweep.param[k], model->param[k].preset);
    sal_sweep_free(&sweep);
    sal_document_free(&document);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("keys", NULL,
              {"the README has every key as it is", the_readme_has_every_key_as_it_is},
              {"every key is described", every_key_is_described},
              {"allowed values are printed", allowed_values_are_told},
              {"every preset is what its absence means", every_preset_is_what_its_absence_means},
              {"values are read by the model", values_are_read_by_the_model})
