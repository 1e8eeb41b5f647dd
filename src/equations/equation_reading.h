/** A model's text while it is read: the members of the descriptor, and the nodes of its expressions.
 */
#pragma once

#include "compile.h"
#include "expression.h"

enum { SAL_EQUATION_TABLES = 16 };
enum { SAL_EQUATION_NONE = -1, SAL_EQUATION_FLAWS = 32 };

/** Nodes of a contact, SAL_EQUATION_NONE where the text has none.  [0]: after it opened, [1]: closed. */
typedef struct {
  int gap, release, during, restitution;
  int stays[2];
  int value[2][SAL_MAX_STATE];
  int sets[SAL_MAX_CONTACT];
} sal_equation_contact;

/** Names allowed in an expression besides numbers, parameters and options. */
typedef enum {
  SAL_EQUATION_STATES = 1,
  SAL_EQUATION_TIME = 2,
  SAL_EQUATION_MODES = 4,
  SAL_EQUATION_JUMPS = 8, /* rests, closing */
} sal_equation_part;

/** Functions of the descriptor with one result. */
typedef enum {
  SAL_EQUATION_LONGEST_STEP,
  SAL_EQUATION_ENERGY,
  SAL_EQUATION_MECHANICAL,
  SAL_EQUATION_KINETIC,
  SAL_EQUATION_ADHESION,
  SAL_EQUATION_PERIOD,
  SAL_EQUATION_ADMISSIBLE,
  SAL_EQUATION_N_SINGLE
} sal_equation_single;

struct sal_energy;

typedef struct {
  sal_document document;
  sal_graph graph, quantities; /* of the model / of what its physical parameters are made of */
  sal_scope scope, physical;
  sal_model *model;
  const char *word[SAL_MAX_OPTION][SAL_MAX_CHOICE + 1];
  int flow[SAL_MAX_STATE];
  sal_equation_contact contact[SAL_MAX_CONTACT];
  int single[SAL_EQUATION_N_SINGLE];
  int equilibrium[2][SAL_MAX_STATE]; /* true, published; [..][0] none: there is none */
  int start[SAL_MAX_STATE];          /* of discrete states, with n_start of them that follow */
  int n_start;
  int n_flaw;
  int flaw[SAL_EQUATION_FLAWS], flaw_node[SAL_EQUATION_FLAWS]; /* conditions / of the document */
  const char *sentence[SAL_EQUATION_FLAWS];
  sal_physical conversion;
  const char *state_unit[SAL_MAX_STATE]; /* of it; NULL: that of the model */
  int physical_of[SAL_MAX_PARAM + 2];    /* parameters, second, metre: nodes of `quantities` */
  int n_continuous;                      /* states before the discrete ones */
  int n_energetic;                       /* of them coordinates and their rates */
  struct sal_energy *energy;             /* energy.h; NULL: the text gives the flow itself */
  const double *count;                   /* of the members of families; NULL: the text's */
  char **made;                           /* [n_made] names and lists that are not from the text */
  int n_made;
  int64_t made_room;
  sal_lookup *table; /* [n_table] */
  int n_table;
} sal_equation_reading;

/** Frees a reading of the heap and all that it still owns; NULL is none. */
void sal_equation_reading_drop(sal_equation_reading **reading);

/** An expression of the model by node; `parts`: sal_equation_part together. */
sal_err sal_equation_expression(sal_equation_reading *r, int node, const char *key,
                                sal_scope_type type, int parts, int *value);
/** Is it made of numbers, parameters and options alone? */
bool sal_equation_is_fixed(const sal_graph *graph, int root);
/** The number of a state that is called so, discrete ones after the continuous ones; -1: there is none. */
int sal_equation_state(const sal_equation_reading *r, const char *name);
/** The number of the state that a node names. */
sal_err sal_equation_known_state(const sal_equation_reading *r, int node, const char *key,
                                 bool discrete, int *state);

/** STATE: EXPRESSION of a mapping, none of node 0: value[state] for the states from .. to - 1, other ones refused with their name
 *  and `refusal`. */
sal_err sal_equation_by_state(sal_equation_reading *r, int mapping, const char *key, int parts,
                              int from, int to, const char *refusal, int value[]);

/** A copy of a short text that lives as long as the model; empty where memory ran out. */
const char *sal_equation_keep(sal_equation_reading *r, const char *text);
/** Room for n numbers that lives as long; NULL where memory ran out. */
double *sal_equation_numbers(sal_equation_reading *r, int n);
/** A field by the nodes of its name and mapping / puts it in reach of expressions, as the number-th quantity of its kind. */
sal_err sal_equation_field_read(sal_equation_reading *r, int name, int mapping, const char *noun,
                                const char *const keys[], sal_field *field);
sal_err sal_equation_field_add(sal_equation_reading *r, const sal_field *field, int name,
                               const char *noun, sal_graph_kind kind, int number);
/** Parameters for which a condition is true are refused, with the sentence; that of the law of many contacts is one flaw.
 *  Fails where there are too many, at this node of the document. */
sal_err sal_equation_field_refuse(sal_equation_reading *r, int node, const char *sentence,
                                  int condition);
/** A contact: the names of its events / its keys and its name / its gap, jumps and what holds it. */
sal_err sal_equation_contact_names(sal_equation_reading *r, int mapping, const char *key,
                                   sal_contact *contact);
sal_err sal_equation_contact_read(sal_equation_reading *r, int k, const yaml_node_pair_t *pair);
sal_err sal_equation_law_read(sal_equation_reading *r, int k, const yaml_node_pair_t *pair);

/** Makes one program, or fails and names its key. */
sal_err sal_equation_compile(const sal_equation_reading *r, const sal_graph *graph,
                             const sal_compile_layout *layout, const char *key, int n,
                             const int root[], sal_program *out);

/** Parts of the text, in this order. */
sal_err sal_equation_parameters(sal_equation_reading *r); /* and options */
sal_err sal_equation_states(sal_equation_reading *r);     /* and discrete ones */
sal_err sal_equation_rates(sal_equation_reading *r);      /* rate_of of the states */
sal_err sal_equation_contacts(sal_equation_reading *r);
sal_err sal_equation_contact_laws(sal_equation_reading *r);
sal_err sal_equation_extras(sal_equation_reading *r);
sal_err sal_equation_physical(sal_equation_reading *r);
sal_err sal_equation_tables(sal_equation_reading *r);
/** The longest step of a text that gives none, by its tables of the time, once all is read. */
void sal_equation_tables_steps(sal_equation_reading *r);
void sal_equation_tables_free(int n, const sal_lookup *table);
/** The same of a text of energies, which become `energy`: the coordinates and their rates, the first states; nothing
 *  where the text has none / the discrete states of contacts with friction / the contacts and their guards / their
 *  laws / kinetic, potential and forces / contacts without a law, which may ask for any of these names. */
sal_err sal_energy_coordinates(sal_equation_reading *r);
sal_err sal_energy_senses(sal_equation_reading *r);
sal_err sal_energy_contacts(sal_equation_reading *r);
sal_err sal_energy_laws(sal_equation_reading *r);
sal_err sal_energy_motion(sal_equation_reading *r);
sal_err sal_energy_marks(sal_equation_reading *r);
/** Once all is read: f, what holds contacts, and jumps. */
sal_err sal_energy_finish(sal_equation_reading *r);
/** All of it, of either form. */
sal_err sal_equation_read(sal_equation_reading *r);
