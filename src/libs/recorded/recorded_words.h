/** Words of recorded files. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** Takes the next word of *text apart, ended by blanks; NULL after the last one. */
char *sal_recorded_word(char **text);
/** Splits "name=value" at its =; the value, or NULL where there is none. */
char *sal_recorded_value(char *word);
/** A finite number, all of the word. */
bool sal_recorded_number(const char *word, double *out);

/** A checksum of a text: FNV-1a, 64 bits.  It stands in what is kept, cubes' provenance and the identity of
 *  journals, so that another one would refuse their recorded runs. */
uint64_t sal_recorded_checksum(const char *text);
