/** The steps of the run that a reference is compared with. */
#include "reference.h"

sal_setup sal_certificate_close(sal_setup setup)
{
  const double share = setup.t_end / SAL_CERTIFICATE_STEPS;

  if (!(setup.max_step > 0 && setup.max_step < share)) setup.max_step = share;
  /* no more steps than without the bound and these, some of which an event cuts short */
  if (setup.max_attempts > 0) setup.max_attempts += 2 * (int64_t)SAL_CERTIFICATE_STEPS;
  return setup;
}
