/** `event`: the mode is frozen while stepping; a contact that changes sides is located on the
 *  dense output, the step ends there and the method begins anew.
 *  Shampine & Thompson, Comput. Math. Appl. 39 (2000) 43-54; the zero by Chandrupatla's method.
 */
#include "root.h"

static void locate(sal_dense *d, const sal_contacts *at, sal_m lanes, sal_crossing *out)
{
  sal_locate_first(d, at, lanes, sal_root_between, out);
}

const sal_strategy_ops SAL_FN(sal_event) = {.locate = locate, .at_crossings = true};

#if SAL_LANES == 1
SAL_DECLARE_STRATEGY_OPS(event)
const sal_strategy sal_strategy_event = {
    .name = "event",
    .title = "locate the contact's change, stop there, begin anew",
    .about = "each change of contact is located, the run stops there and begins anew",
    .source = "doi:10.1016/S0898-1221(00)00045-6; Dallas, Machairas, Papadopoulos, section III",
    .held = true,
    SAL_STRATEGY_OPS(event),
};
#endif
