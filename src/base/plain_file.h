/** Files that a user or another file names: plain files alone are read, and no file has two roles.
 */
#pragma once

#include "err.h"
#include <stddef.h>
#include <stdint.h>

/* ---- plain_file.c ----
 *  Opening a file that a user or another file names, to read it: plain files alone.
 *
 *  A pipe that nothing writes to would be waited for, and a device may never end.
 */

/** Opens a file, or what a symbolic link leads to, without waiting; `what` it should be ("a sweep file") is
 *  for the messages.  A file that is missing or closed to the user is SAL_ERR_IO, another kind of file
 *  SAL_ERR_INPUT.  The caller closes *fd, which is -1 after a failure. */
sal_err sal_plain_file_open(const char *path, const char *what, int *fd);

/** Does a folder have the name, or lie where a link of that name leads? */
bool sal_plain_file_is_folder(const char *path);

/** Does a plain file begin as HDF5's do?  No, where it cannot be read. */
bool sal_plain_file_is_hdf5(const char *path);

/** Could it be opened so? */
sal_err sal_plain_file_check(const char *path, const char *what);

/** Writes n bytes, from `at` on, or where the file stands (at < 0).  False, with errno: not all of them. */
bool sal_plain_file_write(int fd, int64_t at, const void *bytes, size_t n);

/* ---- text_file.c ----
 *  Reading a file that a user wrote.
 */

/** All of a file as text, the caller's (sal_free); `what` it should be ("a sweep file") is for the
 *  messages.  A byte order mark at its beginning is left out.  Refuses files that are not plain files, NULs, characters that no
 *  text may have (sal_text_forbidden) and files of more than 256 MB. */
sal_err sal_text_file_read(const char *path, const char *what, char **out);

/* Roles of the files that a user names in a command: no output may be an input or another output.
 *
 * Files are compared by device and inode, outputs by folder and name as well, as they may not exist yet: a link, a
 * second name or a detour through `..` makes no difference.  The list is that of the thread that began it, which in
 * a program reads its inputs and claims its outputs; elsewhere, as in the library, nothing is listed or refused. */

/** From here on this thread lists its files. */
void sal_file_role_begin(void);

/** Notes that an open file is read.  SAL_ERR_USAGE where it is listed as an output. */
sal_err sal_file_role_read(int fd, const char *path);
/** The same of a file that other code opens; SAL_OK where it is missing. */
sal_err sal_file_role_read_at(const char *path);

/** Notes that `output` ("the status file", borrowed) is to be written to `path`.  SAL_ERR_USAGE where that is an
 *  input or another output; the same output may be noted again. */
sal_err sal_file_role_write(const char *path, const char *output);
