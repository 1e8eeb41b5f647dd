/** The flow of energies that are not written out. */
#pragma once

#include "program.h"

/** Sets the functions of a model whose contacts are f->motion. */
void sal_energy_flow(sal_flow_programs *f, sal_model *model);
/** sal_equation_model_masses. */
int sal_energy_flow_masses(const sal_flow_programs *f, const double words[], double t,
                           const double y[], double pivot[]);
