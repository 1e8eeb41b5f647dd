/** Open files as messages between the processes of a node.
 *
 *  A rank that waits for one has a mailbox, a socket whose address the kernel chooses.  Any process of the node may write to
 *  it, so a file that comes counts only when it is the one that the first rank has open.
 */
#include "base.h"
#include "collective_error.h"
#include "raw.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Where a rank can be reached; size 0: nowhere. */
typedef struct {
  struct sockaddr_un at;
  socklen_t size;
} address;

/* Which file it is. */
typedef struct {
  uint64_t device, inode;
} identity;

/* A control message with a descriptor. */
typedef union {
  struct cmsghdr head;
  char room[CMSG_SPACE(sizeof(int))];
} descriptor_message;

static int open_mailbox(address *mine)
{
  const int box = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const struct sockaddr_un any = {.sun_family = AF_UNIX};

  memset(mine, 0, sizeof *mine);
  mine->size = sizeof mine->at;
  if (box >= 0 && bind(box, (const struct sockaddr *)&any, sizeof any.sun_family) == 0 &&
      getsockname(box, (struct sockaddr *)&mine->at, &mine->size) == 0)
    return box;
  mine->size = 0;
  return box;
}

static void send_to(const address *to, int fd)
{
  const int box = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  char byte = 0;
  descriptor_message control = {.room = {0}};
  struct iovec piece = {&byte, 1};
  struct msghdr message = {.msg_name = (void *)(uintptr_t)&to->at,
                           .msg_namelen = to->size,
                           .msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = control.room,
                           .msg_controllen = sizeof control.room};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);

  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(head), &fd, sizeof fd);
  if (box < 0) return;
  (void)sendmsg(box, &message, MSG_DONTWAIT | MSG_NOSIGNAL); /* who gets none opens the file */
  close(box);
}

/* The descriptor of the next message; *more: there was one, which may have had none. */
static int take(int box, bool *more)
{
  char byte;
  int fd = -1;
  descriptor_message control;
  struct iovec piece = {&byte, 1};
  struct msghdr message = {.msg_iov = &piece,
                           .msg_iovlen = 1,
                           .msg_control = control.room,
                           .msg_controllen = sizeof control.room};

  *more = recvmsg(box, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) >= 0;
  const struct cmsghdr *head = *more ? CMSG_FIRSTHDR(&message) : NULL;
  if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS &&
      head->cmsg_len == CMSG_LEN(sizeof fd))
    memcpy(&fd, CMSG_DATA(head), sizeof fd);
  return fd;
}

static identity identity_of(int fd)
{
  struct stat found;

  if (fstat(fd, &found)) return (identity){0};
  return (identity){(uint64_t)found.st_dev, (uint64_t)found.st_ino};
}

static int receive(int box, const identity *wanted)
{
  bool more = box >= 0;

  while (more) {
    const int fd = take(box, &more);
    const identity is = identity_of(fd);
    if (fd >= 0 && is.device == wanted->device && is.inode == wanted->inode) return fd;
    if (fd >= 0) close(fd);
  }
  return -1;
}

/* Collective.  After this each rank that has a mailbox has the file in it. */
static sal_err deliver(MPI_Comm node, int rank, int fd, const address *mine)
{
  SAL_OWN address *all = NULL;

  const int n_rank = sal_collective_ranks(node);
  if (rank == 0) all = sal_alloc((size_t)n_rank, sizeof *all);
  SAL_TRY(sal_collective_error(
      node,
      all || rank > 0 ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for the ranks of a node")));
  SAL_TRY_MPI(MPI_Gather(mine, sizeof *mine, MPI_BYTE, all, sizeof *mine, MPI_BYTE, 0, node));
  for (int r = 1; rank == 0 && r < n_rank; ++r)
    if (all[r].size > 0) send_to(&all[r], fd);
  SAL_TRY_MPI(MPI_Barrier(node));
  return SAL_OK;
}

sal_err sal_node_file_share(MPI_Comm node, const char *name, int flags, int *fd)
{
  identity is = {0};
  address mine = {.size = 0};
  int rank, box = -1;

  rank = sal_collective_rank(node);
  if (rank == 0) is = identity_of(*fd);
  if (rank > 0) box = open_mailbox(&mine);
  SAL_TRY_MPI(MPI_Bcast(&is, sizeof is, MPI_BYTE, 0, node));
  const sal_err err = deliver(node, rank, rank == 0 ? *fd : -1, &mine);
  if (rank > 0) *fd = err == SAL_OK ? receive(box, &is) : -1;
  if (box >= 0) close(box);
  if (rank > 0 && err == SAL_OK && *fd < 0) *fd = open(name, flags | O_CLOEXEC);
  return err;
}
