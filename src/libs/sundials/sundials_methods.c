/** The rows of sundials_methods.def as methods and engines. */
#include "sundials_run.h"
#include <arkode/arkode_butcher_dirk.h>
#include <arkode/arkode_butcher_erk.h>
#include <cvode/cvode.h>
#include <sundials/sundials_version.h>

/* That of the library in use, which may not be the one compiled against. */
static const char *version(void)
{
  static _Thread_local char text[32];

  if (!text[0] && SUNDIALSGetVersion(text, sizeof text) < 0) return "unknown";
  return text;
}

#define SAL_SUNDIALS(id, name_, title_, source_, order_, min_order_, embedded_, implicit_,         \
                     dense_rhs_, package_, setting_, degree_, type_, select_)                      \
  static const sal_sundials_settings settings_##id = {.package = &sal_sundials_##package_,         \
                                                      .setting = (setting_),                       \
                                                      .degree = (degree_),                         \
                                                      .newton = (implicit_)};                      \
  static const sal_engine engine_##id = {.library = "SUNDIALS",                                    \
                                         .version = version,                                       \
                                         .type = (type_),                                          \
                                         .select = (select_),                                      \
                                         .settings = &settings_##id,                               \
                                         .open = sal_sundials_open,                                \
                                         .run = sal_sundials_run,                                  \
                                         .close = sal_sundials_close};                             \
  static const sal_method method_##id = {.name = (name_),                                          \
                                         .title = (title_),                                        \
                                         .source = (source_),                                      \
                                         .order = (order_),                                        \
                                         .min_order = (min_order_),                                \
                                         .embedded = (embedded_),                                  \
                                         .implicit = (implicit_),                                  \
                                         .dense_rhs = (dense_rhs_),                                \
                                         .engine = &engine_##id,                                   \
                                         SAL_ENGINE_OPS};
#include "sundials_methods.def"
#undef SAL_SUNDIALS

#define SAL_SUNDIALS(id, ...) &method_##id,
const sal_method *const sal_sundials_methods[] = {
#include "sundials_methods.def"
    NULL};

const sal_provider sal_sundials_provider = {
    .gives = SAL_PROVIDES_LIBRARY, .name = "SUNDIALS", .methods = sal_sundials_methods};
