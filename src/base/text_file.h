/** @file src/base/text_file.h
 *  Reading a file that a user wrote.
 */
#ifndef SAL_TEXT_FILE_H
#define SAL_TEXT_FILE_H

#include "err.h"

/** All of a file as text, the caller's (sal_free); `what` it should be ("a sweep file") is for the
 *  messages.  Refuses what is no plain file (plain_file.h), NULs
 *  and files of more than 256 MB. */
SAL_MUST_CHECK sal_err sal_text_file_read(const char *path, const char *what, char **out);

#endif
