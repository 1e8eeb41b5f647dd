/** Methods that a sweep owns. */
#include "base.h"
#include "sweep.h"

static const char *no_version(void) { return "not in this build"; }

static void refuse(sal_engine_run *run, void *own)
{
  (void)own;
  run->outcome = SAL_OUT_LIBRARY;
  run->reason = SAL_LIBRARY_UNPREPARED;
}

sal_err sal_library_choice_make(const char *where, const sal_provider *library, const char *name,
                                const char *options, sal_library_choice *choice)
{
  SAL_TRY(library->make(where, name, options, &choice->made));
  choice->method = choice->made;
  return SAL_OK;
}

/* It suits any model (mass), since nothing is known against it: pairs that were left out say so in
 * their outcome. */
sal_err sal_library_choice_know(const sal_provider *library, const char *name, const char *options,
                                sal_library_choice *choice)
{
  choice->name = sal_text_copy(name);
  choice->options = sal_text_copy(options ? options : "");
  if (!choice->name || !choice->options) {
    sal_library_choice_free(choice);
    return sal_fail(SAL_ERR_MEMORY, "no memory for the methods of a sweep");
  }
  choice->engine = (sal_engine){.library = library->name,
                                .version = library->methods && library->methods[0]
                                               ? library->methods[0]->engine->version
                                               : no_version,
                                .type = options ? "by options" : "known by name",
                                .select = choice->options,
                                .run = refuse};
  choice->stand_in = (sal_method){.name = choice->name,
                                  .title = "known by name alone",
                                  .source = "the sweep",
                                  .mass = true,
                                  .engine = &choice->engine,
                                  SAL_ENGINE_OPS};
  choice->method = &choice->stand_in;
  return SAL_OK;
}

void sal_library_choice_free(sal_library_choice *choice)
{
  const sal_provider *p = choice->made ? sal_providers_named(choice->made->engine->library) : NULL;

  if (p && p->drop) p->drop(choice->made);
  sal_free_all(choice->name, choice->options);
  *choice = (sal_library_choice){.method = NULL};
}
