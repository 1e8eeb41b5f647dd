/** Characters of UTF-8, and those that no text may have. */
#pragma once

/** Bytes of the UTF-8 character at the beginning of a string that is not empty, 0 where there is none (RFC 3629). */
int sal_text_character(const char *string);

/** The first character that no text of a file may have, or NULL: C0 but tab, line feed and a carriage return
 *  before that, DEL, C1, line and paragraph separators, and what turns the direction of text (U+202A to U+202E, U+2066 to
 *  U+2069).  Its number is written to *code. */
const char *sal_text_forbidden(const char *text, unsigned *code);

/** Replaces these characters, and bytes that are not UTF-8, by '?'. */
void sal_text_clean(char text[]);
/** The same for a text of one line: line ends and tabs become blanks. */
void sal_text_plain(char string[]);
