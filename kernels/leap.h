/** Where a gap is beyond 0 at an event: has it come from there, or has it leapt? */
#pragma once

/** A gap that would have taken more than this share of the state's own time to come from 0 has leapt.  Less is
 *  rounding of the event's place. */
#define SAL_LEAP 0x1p-26
