/** A file appears whole or not at all: it is made under another name and renamed. */
#pragma once

#include "err.h"
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** The failure of a path that could not be written, by errno: names the folder where that is what is missing. */
sal_err sal_atomic_file_fail(const char *path);

/** Refuses (SAL_ERR_EXISTS) when `path` exists and force is false, (SAL_ERR_IO) when it cannot
 *  be written there, and (SAL_ERR_USAGE) when the command reads it or writes another output there than `output` ("the table"), which is
 *  borrowed (plain_file.h); to be called before any work is done.  Leaves no file, and leaves a
 *  path.part, which may be that of another run, alone. */
sal_err sal_atomic_file_claim(const char *path, const char *output, bool force);

/** Fills place [PATH_MAX] with where `path` leads: links to a file are followed, others stand for themselves. */
sal_err sal_atomic_file_place(const char *path, char place[]);

/** Fills part [PATH_MAX] with the name under which `path` is made: path.part, beside the file that a link leads to. */
sal_err sal_atomic_file_name(const char *path, char part[]);

/** Writes path.part, replacing what is there, but never through a symbolic link: `size` bytes, and
 *  room for `room` more after them, so that a full disk is met here. */
sal_err sal_atomic_file_begin(const char *path, const void *data, size_t size, int64_t room);

/** The same for a path.part that is there already, new and empty. */
sal_err sal_atomic_file_fill(const char *path, const void *data, size_t size, int64_t room);

/** Makes path.part a copy of `path`, with room for `room` more bytes after it. */
sal_err sal_atomic_file_copy(const char *path, int64_t room);

/** Claims room for so many more bytes after path.part, which is as it was after a failure. */
sal_err sal_atomic_file_room(const char *path, int64_t room);

/** The same after `path` itself. */
sal_err sal_atomic_file_room_after(const char *path, int64_t room);

/** Opens path.part as a text to be written. */
sal_err sal_atomic_file_open(const char *path, FILE **out);
/** Closes that text and commits it; one that could not be written in full is removed. */
sal_err sal_atomic_file_close(const char *path, FILE *out);

/** Brings path.part to the disk and renames it to `path`, replacing what is there. */
sal_err sal_atomic_file_commit(const char *path);

/** The same, but refuses (SAL_ERR_EXISTS) when there is something at `path`. */
sal_err sal_atomic_file_commit_new(const char *path);

/** Brings a new name to the disk: a file or folder that is made keeps its name after a loss of power from then on. */
sal_err sal_atomic_file_sync_name(const char *path);

/** Removes path.part, if there is one. */
void sal_atomic_file_discard(const char *path);
