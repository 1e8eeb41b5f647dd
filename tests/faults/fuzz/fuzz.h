/** Parts that the targets share.  A target is one file that defines fuzz_input; fuzz.c calls it, for libFuzzer or for
 *  replay.c, and looks whether all memory came back.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Longer inputs say nothing new and are slow. */
enum { FUZZ_MOST = 1 << 20 };

/** Does with an input what the program does with it.  It may refuse it, but not crash, hang or keep memory. */
void fuzz_input(const uint8_t *data, size_t size);

/** The input as a text, which ends at its first NUL; to be freed with free. */
char *fuzz_text(const uint8_t *data, size_t size);
/** Puts the input into a file; `path` is of this process alone and goes when it ends. */
void fuzz_write(const char *path, const uint8_t *data, size_t size);
/** A folder of this process alone, in memory where that can be had; it goes when the process ends. */
const char *fuzz_folder(void);

/** libFuzzer's name of it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
