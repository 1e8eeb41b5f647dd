/** The provider of a text makes what it describes. */
#include "base.h"
#include "providers.h"

/* The row that reads the text, where this build has it. */
static sal_err find(sal_provides gives, const char *path, const char *text,
                    const sal_provider **out)
{
  *out = sal_providers_reader(gives, text);
  if (*out && (*out)->parse) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: this build reads no texts of %s: %s", path,
                  *out                            ? (*out)->name
                  : gives == SAL_PROVIDES_SOLVERS ? "solvers"
                                                  : "models",
                  *out ? (*out)->missing : "configure with the wings of src/wings/providers.def");
}

sal_err sal_provided_keep(const char *path, const char *text, char **kept)
{
  const sal_provider *p;

  *kept = NULL;
  SAL_TRY(find(SAL_PROVIDES_MODELS, path, text, &p));
  if (p->keep) return p->keep(path, text, kept);
  *kept = sal_text_copy(text);
  return *kept ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
}

static sal_provided *create(const char *text)
{
  sal_provided *p = sal_alloc(1, sizeof *p);

  if (p) p->text = sal_text_copy(text);
  if (p && p->text) return p;
  sal_free(p);
  return NULL;
}

static sal_err parse(const sal_provider *p, const char *path, const char *text,
                     const double count[], sal_provided **out)
{
  if (!(*out = create(text))) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", path);
  const sal_err err = p->parse(path, text, count, *out);
  if (err == SAL_OK) {
    (*out)->provider = p;
    return SAL_OK;
  }
  sal_provided_free(*out);
  *out = NULL;
  return err;
}

sal_err sal_provided_parse(sal_provides gives, const char *path, const char *text,
                           sal_provided **out)
{
  const sal_provider *p;

  *out = NULL;
  SAL_TRY(find(gives, path, text, &p));
  return parse(p, path, text, NULL, out);
}

sal_err sal_provided_counted(const sal_provided *provided, const char *path, const double param[],
                             sal_provided **out)
{
  *out = NULL;
  return parse(provided->provider, path, provided->text, param, out);
}

sal_err sal_provided_of(const sal_model *model, const char *text, sal_provided **out)
{
  if (!(*out = create(text))) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", model->name);
  (*out)->model = model;
  return SAL_OK;
}

void sal_provided_free(sal_provided *provided)
{
  if (!provided) return;
  if (provided->provider) provided->provider->free(provided->made);
  sal_free_all(provided->text, provided);
}

void *sal_provided_made(const sal_provided *provided, const sal_provider *by)
{
  return provided && provided->provider == by ? provided->made : NULL;
}

const char *sal_provided_engine(const sal_provided *provided)
{
  const sal_provider *p = provided->provider;

  return p && p->engine ? p->engine(provided->made) : NULL;
}
