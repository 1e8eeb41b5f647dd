/** The programs of a model that was read: its flow's, and those of its descriptor's functions. */
#pragma once

#include "equation_reading.h"
#include "err.h"
#include "program.h"
#include "provider.h"

/** Target of sal_model.inner; `flow` is its part for the lane half. */
typedef struct {
  sal_flow_programs flow;
  sal_jump_program jump[SAL_MAX_CONTACT];
  sal_contact_program contacts; /* of flow.contacts, where there are some */
  sal_unit_program unit;        /* of flow.unit, where it is one */
  sal_gap_pattern pattern;
  uint16_t *band_order; /* of a model with many states; NULL: it has none */
  int n_table;
  int n_param, n_given, n_const; /* words of the run: parameters, options, constants */
  sal_program constants;
  sal_program single[SAL_EQUATION_N_SINGLE]; /* without code: the model has none */
  sal_program equilibrium[2];
  sal_program flaws;
  const char *sentence[SAL_EQUATION_FLAWS];
  int flaw_node[SAL_EQUATION_FLAWS]; /* of the document */
  sal_program stops;                 /* without code: there are none */
  sal_program begin;                 /* discrete states where a run begins; without code: given */
  sal_program pivots;                /* of the mass matrix of a model by energies */
  sal_flow_programs quantities;      /* the conversion's registers */
  sal_program conversion;            /* results: the parameters follows[], then second and metre */
  int n_follow, follows[SAL_MAX_PARAM];
} sal_equation_programs;

/** Makes all programs, and sets their members of the descriptor; sal_equation_programs_free frees them, also
 *  after a failure. */
sal_err sal_equation_programs_make(sal_equation_reading *r, sal_equation_programs *programs);
void sal_equation_programs_free(sal_equation_programs *programs);

/** A soft contact that makes no jump is closed where the gap is below 0 and `release`, as it is while the contact is closed,
 *  above.  That becomes one gap in both modes, the text's own where that is above 0, so a damper may let go before the gap opens,
 *  and push again before it has opened. */
void sal_equation_end_by_force(sal_equation_reading *r);
/** The problem of contacts of energies, and its members of the descriptor. */
sal_err sal_energy_compile(sal_equation_reading *r, sal_equation_programs *programs,
                           const sal_compile_layout *layout);
/** The program of time stepping by the key `restitution`, and its members of the descriptor. */
sal_err sal_equation_capture_make(sal_equation_reading *r, sal_equation_programs *programs,
                                  const sal_compile_layout *layout);
/** Sets the form of each gap in both modes (sal_contact.form).  Where the text bounds the steps, their ends show where to look
 *  for the crossings of a gap that is not affine. */
void sal_equation_forms(sal_equation_reading *r);

/** With more than SAL_MAX_DENSE states: sets the band of the Jacobian, by the program of the slopes, and its order, which the caller owns: reverse Cuthill-McKee.
 *  Leaves the Jacobian full where the band is wider than SAL_MAX_BAND on a side. */
void sal_equation_band_make(const sal_flow_programs *flow, sal_model *model, uint16_t **order);

/** Fills *pattern, all zero, by the program of gaps and rates; n_group 0: there are too many groups. */
void sal_equation_gap_pattern(const sal_flow_programs *flow, sal_gap_pattern *pattern);
void sal_equation_gap_pattern_free(sal_gap_pattern *p);

/** Sets the descriptor's functions, which find their programs in sal_model.inner. */
void sal_equation_functions(const sal_equation_programs *programs, sal_model *model);

/* Measures of runs (kernels/measured.h) from their texts: "max(x) from 2 in mm", of a model of equations or of any other.
 *
 *     FUNCTION(ARGUMENTS) [from TIME] [in UNIT] */

/** The measures that the text of equations has itself, under its key `measure`, then those given.  text NULL: the model is
 *  of another kind, whose parameters, options and states are the names.  *out is NULL where there are none;
 *  sal_measures_free frees it. */
sal_err sal_measures_make(const sal_measured_text given[], int n, const sal_model *model,
                          const char *text, const double count[], const sal_measured_list **out);
void sal_measures_free(const sal_measured_list *list);

/* Files of tables: what a text needs of them is kept with it. */

/** *kept: the text, and below it, as table_rows, the rows of the files that its tables name, relative to where `path`
 *  lies; a copy where there are none, or they are there already.  Such a text needs no other file.  The caller
 *  frees it by sal_free; NULL on failure. */
sal_err sal_table_rows_keep(const char *path, const char *text, char **kept);

/** A sentence on rows that this thread's last text has kept though their file exists; "": none. */
const char *sal_table_rows_note(void);

/* The flow of energies that are not written out. */

/** Sets the functions of a model whose contacts are f->motion. */
void sal_energy_flow(sal_flow_programs *f, sal_model *model);
/** sal_equation_model_masses. */
int sal_energy_flow_masses(const sal_flow_programs *f, const double words[], double t,
                           const double y[], double pivot[]);

/* Which states the registers of a program are made of. */

/** A set of states. */
typedef struct {
  uint64_t bit[SAL_MAX_STATE / 64];
} sal_equation_pattern;

static inline bool sal_equation_pattern_has(const sal_equation_pattern *p, int state)
{
  return p->bit[state / 64] >> state % 64 & 1;
}

/** The sets of all registers [n_register] at the end of the program, for `free`; registers from `first` on are states
 *  0 .. n - 1, or their slopes.  NULL: no memory, or there is not a program. */
sal_equation_pattern *sal_equation_pattern_of(const sal_program *program, int first, int n);
