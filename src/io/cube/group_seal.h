/** @file src/io/cube/group_seal.h
 *  The seal of a group: what it holds besides numbers, under a checksum.
 *
 *  The attribute `seal` of a group is a text.  Each line names an attribute of the group ("@NAME") or
 *  an object in it ("/NAME"), with the XXH3 of its contents, 16 hexadecimal digits; the line "#" has
 *  the names of all attributes that datasets there have, and the last line, "=", the XXH3 of the lines
 *  before it.  The hashed bytes do not depend on how HDF5 keeps them: text up to its end, numbers as
 *  int64, uint64 or float64, lowest byte first, attributes in the order of their names, and which
 *  datasets a scale belongs to by name.  Values of numbers have checksums of their own
 *  (checksum.h), which are attributes and so under the seal.
 *
 *  A reader opens the names in it, checks how many there are, and needs no list by HDF5.  It
 *  finds accidents and careless editing; a forger can make another seal.
 */
#ifndef SAL_GROUP_SEAL_H
#define SAL_GROUP_SEAL_H

#include "h5.h"

/** Makes the seal of a group that has all its objects and attributes, values aside; it is valid after
 *  sal_group_seal_put only, which changes no byte besides.  `group` stands for the file: names are
 *  those inside it. */
SAL_MUST_CHECK sal_err sal_group_seal_prepare(const sal_h5 *group);
SAL_MUST_CHECK sal_err sal_group_seal_put(const sal_h5 *group);

/** Fails with SAL_ERR_IO and the name of an attribute or object that is not as it was sealed.  Groups with a
 *  seal of their own may come and go in it: those of `groups`, which ends with NULL.  `in` stands before
 *  names in messages ("map/").  Without a seal SAL_ERR_INPUT.  Attributes and objects that a user added, under
 *  names that no reader looks for (attributes of the root group and of datasets alone), are added to *foreign, a line each: "@in/NAME", "in/NAME" and
 *  "@in/DATASET:NAME". */
SAL_MUST_CHECK sal_err sal_group_seal_verify(const sal_h5 *group, const char *in,
                                             const char *const groups[], sal_text *foreign);

/** Names of the objects under the seal, which is there; sal_h5_text_free frees them. */
SAL_MUST_CHECK sal_err sal_group_seal_objects(const sal_h5 *group, int *n, char ***name);

#endif
