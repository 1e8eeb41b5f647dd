/** @file src/io/link.h
 *  What an object of a file may be reached by.
 *
 *  Files are passed on between people, so no name may lead out of the file: links to other files, and
 *  those of kinds that programs define themselves, are refused.  Members of a group are listed in the
 *  order that the file keeps them in: HDF5 1.10 sorts a list before it is whole, and frees what it has
 *  not filled in when the file is damaged there.
 */
#ifndef SAL_LINK_H
#define SAL_LINK_H

#include "h5.h"

enum { SAL_LINK_NAME = 1024 };

/** Is `name`, which is there, reached inside the file: the object itself, or the link of a group's
 *  member to the one of its name in the root group?  A path "GROUP/NAME" is looked at as a whole.
 *  Others are SAL_ERR_INPUT. */
SAL_MUST_CHECK sal_err sal_link_check(const sal_h5 *at, const char *name);

/** Is `name`, which is there, a link in that sense and no object itself? */
SAL_MUST_CHECK sal_err sal_link_is_soft(const sal_h5 *at, const char *name, bool *soft);

/** Is there a group of that name, and not an object of another kind, or a link?  Those are
 *  SAL_ERR_INPUT. */
SAL_MUST_CHECK sal_err sal_link_has_group(const sal_h5 *at, const char *name, bool *there);

/** Names of all members of a group, sorted; names of all attributes of an object.
 *  sal_h5_text_free(*n, name) frees them, also after a failure. */
SAL_MUST_CHECK sal_err sal_link_list(const sal_h5 *group, int *n, char ***name);
SAL_MUST_CHECK sal_err sal_link_attributes(const sal_h5 *file, hid_t at, int *n, char ***name);

#endif
