/** Texts of bodies as a provider. */
#include "model_file.h"

sal_err sal_model_file_parse(const char *path, const char *text, sal_model_file **out)
{
  return sal_model_file_parse_counted(path, text, NULL, out);
}

static sal_err provide(const char *path, const char *text, const double count[], sal_provided *out)
{
  sal_model_file *file;

  SAL_TRY(sal_model_file_parse_counted(path, text, count, &file));
  out->made = file;
  out->model = sal_model_file_model(file);
  out->note = sal_model_file_note(file);
  return SAL_OK;
}
static void drop(void *made) { sal_model_file_free(made); }

const sal_provider sal_model_file_provider = {
    .gives = SAL_PROVIDES_MODELS, .name = "bodies", .parse = provide, .free = drop};
