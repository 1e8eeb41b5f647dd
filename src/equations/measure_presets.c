/** Names of measures and the parts of a model that they are of. */
#include "base.h"
#include "measure_text.h"
#include <ctype.h>

enum { TEXT = 1200 };
typedef enum { POSITION, VELOCITY, CONTACT, BLOW } part;

static const struct {
  const char *name;
  part of;
  const char *format, *lacks;
} presets[] = {
    {"peak", POSITION, "max(%s)", "position"},
    {"low", POSITION, "min(%s)", "position"},
    {"speed", VELOCITY, "max(abs(%s))", "velocity"},
    {"impacts", CONTACT, "rate(%s)", "contact with a name of its own"},
    {"loss", BLOW, "loss(kinetic, %s)",
     "rigid contact, or no expression of its kinetic energy (key: kinetic)"},
};
enum { N_PRESET = sizeof presets / sizeof *presets };

/* Name i of a kind of parts; NULL: this part is of another kind. */
static const char *part_name(const sal_model *m, part of, int i)
{
  if (of >= CONTACT) {
    const sal_contact *c = &m->contact[i];
    const bool rigid = m->resets && c->kind == SAL_CONTACT_RIGID;
    return m->counted_by || c->kind == SAL_CONTACT_FRICTION || (of == BLOW && !rigid) ? NULL
                                                                                      : c->closes;
  }
  const int of_state = m->velocity[i];
  if (!of_state) return NULL;
  return m->state[of == POSITION ? i : of_state - 1].name;
}

/* PRESET_PART, of letters, digits and _ alone. */
static void write_name(const char *preset, const char *of, char name[TEXT])
{
  snprintf(name, TEXT, "%s_%.46s", preset, of);
  char *c = name;
  for (; *c; ++c)
    if (!isalnum((unsigned char)*c)) *c = '_';
  if (c[-1] == '_') c[-1] = '\0'; /* x(3) */
}

/* All of a row of the table; *n counts them. */
static sal_err take_row(const sal_measured_text *given, int row, const sal_model *m,
                        sal_err (*take)(void *with, const sal_measured_text *measure), void *with,
                        int *n)
{
  const part of = presets[row].of;
  const int most = of >= CONTACT ? (m->n_guard < SAL_MAX_CONTACT ? m->n_guard : SAL_MAX_CONTACT)
                                 : sal_model_continuous(m);
  char name[TEXT], text[TEXT], number[SAL_TEXT_NUMBER];

  for (int i = 0; i < most; ++i) {
    const char *of_part = part_name(m, of, i);
    if (!of_part) continue;
    write_name(presets[row].name, of_part, name);
    int alike = 0;
    for (int k = 0; of >= CONTACT && k < most; ++k)
      alike += m->contact[k].closes && strcmp(m->contact[k].closes, of_part) == 0;
    if (alike > 1) {
      of_part = sal_text_number(i + 1, number);
      snprintf(name + strlen(name), sizeof number, "_c%s", of_part);
    }
    snprintf(text, sizeof text, presets[row].format, of_part);
    SAL_TRY(take(with, &(sal_measured_text){given->where, name, text}));
    ++*n;
  }
  return SAL_OK;
}

sal_err sal_measure_presets(const sal_measured_text *given, const sal_model *m, bool has_kinetic,
                            sal_err (*take)(void *with, const sal_measured_text *measure),
                            void *with)
{
  const char *names[N_PRESET + 2] = {[N_PRESET] = "all"};

  for (int k = 0; k < N_PRESET; ++k) names[k] = presets[k].name;
  const int rank = sal_text_rank(given->name, names);
  if (rank < 0)
    return sal_text_unknown(SAL_ERR_INPUT, given->where, "measure without a text", given->name,
                            names);
  int n = 0;
  for (int k = 0; k < N_PRESET; ++k)
    if ((rank == k || rank == N_PRESET) && (presets[k].of != BLOW || has_kinetic))
      SAL_TRY(take_row(given, k, m, take, with, &n));
  return n > 0 || rank == N_PRESET
             ? SAL_OK
             : sal_fail(SAL_ERR_INPUT, "%s: measure %s: model %s has no %s", given->where,
                        given->name, m->name, presets[rank].lacks);
}
