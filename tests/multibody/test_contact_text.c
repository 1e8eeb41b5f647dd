/** Contacts in texts: what is refused, and where closing a contact brings energy. */
#include "model_text.h"

/* The line of a spring, or the contacts, of two particles, and what must be said of it. */
static const struct {
  const char *line, *says;
} faults[] = {
    {"contacts:\n  - {name: c, bodies: [ground, a], normal: [0, 0, 1], law: {rigit: {}}}",
     "b.yaml:6: unknown key of law of c 'rigit'; allowed: rigid, compliant; did you mean 'rigid'?"},
    {"contacts:\n  - {name: c, bodies: [ground, a], normal: [0, 0, 1], law: rigid}",
     "b.yaml:6: law"},
    {"contacts:\n  - {name: c, bodies: [ground, a], normal: [0, 0, 1], law: {}}", "one of {rigid"},
    {"contacts:\n  - {name: c, bodies: [ground, a], normal: [0, 0, 1], law: {rigid: {}, compliant: "
     "{k: 1}}}",
     "b.yaml:6: law of c: expected: one of {rigid"},
    {"contacts:\n  - {name: c, bodies: [ground, a], normal: [0, 0, 1], law: {rigid: {restitution: "
     "1.2}}}",
     "b.yaml:6: c: the restitution of a rigid contact lies from 0 to 1"},
    {"contacts:\n  - {name: c, bodies: [ground, a], normal: [0, 0, 1], law: {rigid: {restitution: "
     "-q}}}",
     "unknown number or parameter '-q'; allowed: q"},
    {"contacts:\n  - {name: c, bodies: [ground, a], normal: [0, 0, 0], law: {rigid: {}}}",
     "b.yaml:6: c: normal [0, 0, 0] has no direction"},
    {"contacts:\n  - {name: c, bodies: [ground, a], normal: [0, 0, q], law: {rigid: {}}}",
     "b.yaml:6: c: normal: numbers are expected, and no parameters"},
    {"contacts:\n  - {name: c, bodies: [ground, a], normal: [1], law: {rigid: {}}}",
     "b.yaml:6: normal: a list of 2 numbers is expected, not of 1"},
    {"contacts:\n  - {name: c, bodies: [ground, a], law: {rigid: {}}}",
     "b.yaml:6: c: one of the keys 'normal'"},
    {"contacts:\n  - {name: c, bodies: [b, a], length: 1, normal: [0, 1], law: {rigid: {}}}",
     "b.yaml:6: c: one of the keys 'normal'"},
    {"contacts:\n  - {name: c, bodies: [b, a], length: 0, law: {rigid: {}}}",
     "b.yaml:6: c: length = 0; allowed: greater than 0"},
    {"contacts:\n  - {name: c, bodies: [a, a], length: 1, law: {rigid: {}}}",
     "b.yaml:6: c: it ties a body to itself"},
    {"contacts:\n  - {name: c, bodies: [a, d], length: 1, law: {rigid: {}}}",
     "b.yaml:6: c: unknown body 'd'; allowed: a, b, ground"},
    {"contacts:\n  - {name: c, body: a, normal: [0, 1]}",
     "b.yaml:6: unknown key of a contact without a law 'normal'"},
    {"contacts:\n  - {name: c, bodies: [b, a], length: 1, law: {compliant: {c: 1}}}",
     "b.yaml:6: c: required key 'k' is missing"},
    {"contacts:\n  - {name: c, bodies: [b, a], length: 1, law: {compliant: {k: 0}}}",
     "b.yaml:6: c: k of a compliant contact is above 0"},
    {"contacts:\n  - {name: c, bodies: [b, a], length: 1, law: {compliant: {k: 1, exponent: 0.5}}}",
     "b.yaml:6: c: the exponent of a compliant contact lies from 1 to 10"},
    {"contacts:\n  - {name: c, bodies: [b, a], length: 1, law: {compliant: {k: 1, c: -1}}}",
     "b.yaml:6: c: k and c of a contact"},
    {"contacts:\n  - {name: c, bodies: [ground, a], normal: [0, 0, 1], law: {rigid: {}}, friction: "
     "{mu: 0.1}}",
     "b.yaml:6: c: friction is one of a point and a line, with 'normal', of planar bodies"},
    {"contacts:\n  - {name: c, bodies: [ground, a], normal: [0, 0, 1], law: {compliant: {k: 1}}, "
     "friction: {mu: 0.1}}",
     "b.yaml:6: c: friction is one of a point and a line, with 'normal', of planar bodies"},
    {"  - {name: d, kind: planar, mass: 1, inertia: 1}\ncontacts:\n  - {name: c, bodies: [ground, "
     "d], "
     "normal: [0, 1], law: {compliant: {k: 1}}, friction: {mu: 0.1, static: 0.05}}",
     "b.yaml:7: c: mu of friction is at least 0, and static at least mu"},
    {"  - {name: d, kind: planar, mass: 1, inertia: 1}\ncontacts:\n  - {name: c, bodies: [ground, "
     "d], "
     "normal: [0, 1], law: {compliant: {k: 1}}, friction: {mu: 0.1, names: [grip]}}",
     "b.yaml:7: names: two names are expected"},
    {"  - {name: d, kind: planar, mass: 1, inertia: 1}\ncontacts:\n  - {name: c, bodies: [ground, "
     "d], "
     "normal: [0, 1], law: {compliant: {k: 1}}, friction: {mew: 0.1}}",
     "b.yaml:7: unknown key of friction 'mew'; allowed: mu, static, names"},
    {"springs:\n  - {name: s, bodies: [a, b], k: 1, l0: 1, only: pushes}",
     "b.yaml:6: unknown only: side of a spring 'pushes'; allowed: push, pull; did you mean "
     "'push'?"},
    {"springs:\n  - {name: s, bodies: [a, b], k: 1, l0: 1, closes: now}",
     "b.yaml:6: s: 'closes' names an event, of which there is none without 'only'"},
    {"springs:\n  - {name: s, bodies: [a, b], k: -1, l0: 1, only: push}",
     "b.yaml:6: s: k and c of"},
    {"springs:\n  - {name: s, bodies: [a, b], k: 1, only: push}", "b.yaml:6: s: the free length"},
    {"springs:\n  - {name: s, type: axis, bodies: [a, b], only: push, closed: {contact: c}}\n"
     "contacts:\n  - {name: c, body: a}",
     "b.yaml:6: s: 'only' and 'closed' exclude each other"},
};

static void what_is_wrong_is_told(void)
{
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    char text[1024];
    sal_model_file *file;
    snprintf(text, sizeof text,
             "name: two\nbodies:\n  - {name: a, kind: particle, mass: 1, "
             "position: 1}\n  - {name: b, kind: particle, mass: 1, position: 3}\n%s\nparameters: "
             "{q: {preset: 1}}\n",
             faults[i].line);
    sal_err_clear();
    CU_ASSERT_NOT_EQUAL(sal_model_file_parse("b.yaml", text, &file), SAL_OK);
    const bool told = strstr(sal_err_message(), faults[i].says) != NULL;
    if (!told) printf("\n    '%s'\n    said: %s\n", faults[i].says, sal_err_message());
    CU_ASSERT(told);
    sal_model_file_free(file);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Values that a sweep gives to parameters of laws. */
static void laws_have_bounds(void)
{
  sal_model_file *file = read_model("cart-pole.yaml");
  const sal_model *m = sal_model_file_model(file);
  double p[SAL_MAX_PARAM], y[SAL_MAX_STATE];

  preset(m, p, y);
  CU_ASSERT_PTR_NULL(m->flaw(m->inner, p));
  p[5] = 1.5;
  CU_ASSERT_PTR_NOT_NULL_FATAL(m->flaw(m->inner, p));
  CU_ASSERT_PTR_NOT_NULL(strstr(m->flaw(m->inner, p), "restitution"));
  sal_model_file_free(file);
  file = read_model("hopping-leg-dae.yaml");
  m = sal_model_file_model(file);
  preset(m, p, y);
  CU_ASSERT_PTR_NULL(m->flaw(m->inner, p));
  p[1] = 0;
  CU_ASSERT_PTR_NOT_NULL_FATAL(m->flaw(m->inner, p));
  CU_ASSERT_STRING_EQUAL(m->flaw(m->inner, p), "the mass of a body is above 0");
  CU_ASSERT_PTR_NULL(sal_model_file_note(file)); /* its damping alone changes */
  sal_model_file_free(file);
}

/* Springs with another law where a contact is closed: which of them bring energy. */
static void energy_from_nowhere_is_noted(void)
{
  static const struct {
    const char *spring;
    bool noted;
  } cases[] = {
      {"bodies: [ground, ball], k: 0, l0: 0.25, closed: {contact: sole, k: 100}", true},
      {"bodies: [ground, ball], k: 0, l0: 0, closed: {contact: sole, k: 100}", false},
      {"bodies: [ground, ball], k: 100, l0: 1, closed: {contact: sole, l0: 2}", true},
      {"bodies: [ground, ball], k: 100, l0: 2, closed: {contact: sole, l0: 1}", false},
      {"bodies: [ground, ball], k: 100, l0: 2, closed: {contact: sole, c: -5}", false},
      {"bodies: [ground, ball], k: 100, l0: 2, closed: {contact: sole, k: 50}", false},
      {"bodies: [top, ball], k: 0, l0: 0, closed: {contact: sole, k: 100}", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[512];
    snprintf(text, sizeof text,
             "name: b\nbodies:\n  - {name: ball, kind: particle, mass: 1, position: 1}\n"
             "  - {name: top, kind: particle, mass: 1, position: 2}\n"
             "contacts: [{name: sole, body: ball}]\nsprings:\n  - {name: s, type: axis, %s}\n",
             cases[i].spring);
    sal_model_file *file = parse_model(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    const char *note = sal_model_file_note(file);
    CU_ASSERT_EQUAL(note != NULL, cases[i].noted);
    CU_ASSERT(!note || strstr(note, "model.yaml: spring 's' brings energy where contact 'sole'"));
    sal_model_file_free(file);
  }
}

SAL_TEST_MAIN("contacts in texts", NULL, {"what is wrong", what_is_wrong_is_told},
              {"bounds of laws", laws_have_bounds},
              {"energy from nowhere", energy_from_nowhere_is_noted})
