/** The flow of energies that are not written out. */
#pragma once

#include "program.h"

/** Sets the functions of a model whose contacts are f->motion. */
void sal_energy_flow(sal_flow_programs *f, sal_model *model);
/** The coordinate whose mass is not above 0 at y, with what moves with coordinates before it taken off; -1: all are. */
int sal_energy_flow_massless(const sal_flow_programs *f, const double words[], const double y[]);
