/** @file src/io/left_pointers.h
 *  Files that Open MPI leaves where a run ends while a file is open on several nodes.
 *
 *  Beside a file that MPI-IO opens there Open MPI keeps the file pointer that all ranks share, FILE-JOB-PROCESS.lock
 *  (component lockedfile of its framework sharedfp), and removes it when the file is closed.  No other component
 *  opens files on several nodes and leaves nothing else where a run ends for want of memory.
 */
#ifndef SAL_LEFT_POINTERS_H
#define SAL_LEFT_POINTERS_H

/** Removes those of path.part, for the rank that has given it its name.  Left alone are those of a process that is
 *  there on this machine, and files of another name, size or owner, or that are not regular.  A file that
 *  cannot be removed stays. */
void sal_left_pointers_remove(const char *path);

#endif
