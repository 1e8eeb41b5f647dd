/** Units of the nodes of a graph, while a text is asked about them. */
#pragma once

#include "equation_inquiry.h"
#include "si_unit.h"
#include "text.h"

/** Known units; borrowed but for of, factor and missing, which sal_equation_units_drop frees. */
typedef struct {
  sal_equation_inquiry *q;
  const sal_graph *graph;
  sal_scope_span
      here; /* the expression that all nodes belong to; its text 0: it is that of the trace */
  sal_si_unit *of; /* of each node */
  double *factor;  /* the numbers that a product is multiplied by */
  sal_si_unit time, state[SAL_MAX_STATE], param[SAL_MAX_PARAM]; /* param: of words, n_word */
  int n_word, n_checked, n_stated;
  sal_text missing; /* names without a unit, or with one that is not in the table */
} sal_equation_units;

/** The unit that a text states of this name; unknown for NULL, which is noted as missing. */
sal_si_unit sal_equation_units_read(sal_equation_units *u, const char *name, const char *text);
/** A unit as the text has it, or by base units. */
const char *sal_equation_units_print(const sal_equation_units *u, sal_si_unit d,
                                     char text[SAL_SI_UNIT_TEXT]);
bool sal_equation_units_is_number(const sal_equation_units *u, int node);
/** The unit of a node, from those of the nodes before it. */
sal_si_unit sal_equation_units_node(sal_equation_units *u, int node);

void sal_equation_units_drop(sal_equation_units *u);
/** Units that the text states: of its states, parameters and coordinates. */
void sal_equation_units_all(sal_equation_units *u);
