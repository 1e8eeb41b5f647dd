/** sal_contact_lanes, callable at every width. */
#include "contact_probe.h"
#include "contact_lanes.h"

void SAL_FN(contact_probe)(int m, int count, const double W[], const double q[], double z[],
                           bool solved[])
{
  enum { MOST = SAL_TOUCH_LANES };
  sal_v M[MOST * MOST], rate[MOST], impulse[MOST];
  sal_m active[MOST];

  for (int first = 0; first < count; first += SAL_LANES) {
    for (int lane = 0; lane < SAL_LANES; ++lane)
      for (int i = 0; i < m; ++i) {
        SAL_AT(rate[i], lane) = q[(first + lane) * m + i];
        for (int j = 0; j < m; ++j)
          SAL_AT(M[i * m + j], lane) = W[((first + lane) * m + i) * m + j];
      }
    for (int i = 0; i < m; ++i) {
      active[i] = ~sal_none();
      impulse[i] = sal_set(0);
    }
    const sal_m done = sal_contact_lanes(m, M, rate, ~sal_none(), active, impulse);
    for (int lane = 0; lane < SAL_LANES; ++lane) {
      solved[first + lane] = SAL_AT(done, lane) != 0;
      for (int i = 0; i < m; ++i) z[(first + lane) * m + i] = SAL_AT(impulse[i], lane);
    }
  }
}
