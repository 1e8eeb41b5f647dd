/** @file src/base/file_role.h
 *  What a command does with the files that its user names: no output may be an input or another output.
 *
 *  Files are compared by device and inode, outputs by folder and name as well, as they may not exist yet: a link, a
 *  second name or a detour through `..` makes no difference.  The list is that of the thread that began it, which in
 *  a program reads its inputs and claims its outputs; elsewhere, as in the library, nothing is listed or refused.
 */
#ifndef SAL_FILE_ROLE_H
#define SAL_FILE_ROLE_H

#include "err.h"

/** From here on this thread lists its files. */
void sal_file_role_begin(void);

/** Notes that an open file is read.  SAL_ERR_USAGE where it is listed as an output. */
SAL_MUST_CHECK sal_err sal_file_role_read(int fd, const char *path);
/** The same of a file that is opened elsewhere; one that is missing is passed over. */
SAL_MUST_CHECK sal_err sal_file_role_read_at(const char *path);

/** Notes that `output` ("the status file", borrowed) is to be written to `path`.  SAL_ERR_USAGE where that is an
 *  input or another output; the same output may be noted again. */
SAL_MUST_CHECK sal_err sal_file_role_write(const char *path, const char *output);

#endif
