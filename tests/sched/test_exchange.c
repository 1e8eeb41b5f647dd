/** Messages between ranks, each of which has only its own list. */
#include "exchange.h"
#include "memory.h"
#include "sal_test.h"
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 }; /* whose allocator ends the program */
#else
enum { SANITIZED = 0 };
#endif
enum { MANY = 40, LONGEST = 1 << 12 };

static int self, ranks;

/* Rank r sends message i to rank (r + i i) mod ranks, of `length` numbers, every third of them from memory of its own. */
typedef struct {
  int sent, fail_at;
  int64_t come, sum;
  int64_t numbers[LONGEST];
} state;

static int to_of(int rank, int i) { return (rank + i * i) % ranks; }

static int64_t length_of(int rank, int i) { return 1 + (rank * 7 + i * 97) % LONGEST; }

static sal_err next(void *with, sal_exchange_message *m)
{
  state *s = with;

  if (s->sent == MANY) return SAL_OK;
  const int i = s->sent++;
  if (s->sent == s->fail_at) return sal_fail(SAL_ERR_IO, "rank %d does not go on", self);
  m->to = to_of(self, i);
  m->n = length_of(self, i) * (int64_t)sizeof(int64_t);
  m->bytes = s->numbers;
  if (i % 3) return SAL_OK;
  m->bytes = m->owned = sal_alloc((size_t)m->n, 1);
  memcpy(m->owned, s->numbers, (size_t)m->n);
  return SAL_OK;
}

static sal_err take(void *with, const char *bytes, int64_t n)
{
  state *s = with;

  ++s->come;
  for (int64_t number; n > 0; n -= (int64_t)sizeof number, bytes += sizeof number) {
    memcpy(&number, bytes, sizeof number);
    s->sum += number;
  }
  return SAL_OK;
}

static sal_err exchange(state *s)
{
  const sal_exchange x = {.next = next, .take = take, .with = s};

  for (int k = 0; k < LONGEST; ++k) s->numbers[k] = self + 1;
  return sal_exchange_run(MPI_COMM_WORLD, &x);
}

/* One after another, without a word between them. */
static void all_messages_come(void)
{
  int64_t due = 0, sum = 0;

  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < MANY; ++i)
      if (to_of(r, i) == self) ++due, sum += length_of(r, i) * (r + 1);
  for (int k = 0; k < 25; ++k) {
    state s = {.fail_at = -1};
    CU_ASSERT_EQUAL(exchange(&s), SAL_OK);
    CU_ASSERT(s.sent == MANY && s.come == due && s.sum == sum);
  }
}

static void a_failure_leaves_no_rank_waiting(void)
{
  state s = {.fail_at = self == ranks - 1 ? 5 : -1};
  const sal_err err = exchange(&s);

  CU_ASSERT_EQUAL(err, SAL_ERR_IO); /* on all ranks */
  CU_ASSERT_EQUAL(s.sent, self == ranks - 1 ? 5 : MANY);
  sal_err_clear();
  all_messages_come();
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* The last rank may take little more memory than it has, and the first one sends it a long message. */
enum { TOO_LONG = 1 << 26, LEFT = 1 << 24 };

static sal_err next_long(void *with, sal_exchange_message *m)
{
  state *s = with;

  if (self > 0 || s->sent > 0) return SAL_OK;
  ++s->sent;
  m->n = TOO_LONG;
  m->bytes = m->owned = sal_alloc(TOO_LONG, 1);
  m->to = ranks - 1;
  return m->owned ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory to send");
}

static rlim_t memory_in_use(void)
{
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");

  if (!file) return RLIM_INFINITY;
  CU_ASSERT_EQUAL(fscanf(file, "%lu", &pages), 1);
  fclose(file);
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void a_rank_without_memory_fails_with_all(void)
{
  state s = {.fail_at = -1};
  const sal_exchange x = {.next = next_long, .take = take, .with = &s};
  struct rlimit before, tight;

  if (ranks < 2 || SANITIZED) return;
  getrlimit(RLIMIT_AS, &before);
  tight = before;
  tight.rlim_cur = memory_in_use() + LEFT;
  if (self == ranks - 1) CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_AS, &tight), 0);
  CU_ASSERT_EQUAL(sal_exchange_run(MPI_COMM_WORLD, &x), SAL_ERR_MEMORY); /* on all ranks */
  setrlimit(RLIMIT_AS, &before);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "no memory for a message of 67108864 bytes"));
  sal_err_clear();
  all_messages_come();
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static int find_ranks(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return 0;
}

SAL_TEST_MAIN_MPI("exchange", find_ranks, {"all messages come", all_messages_come},
                  {"a failure leaves no rank waiting", a_failure_leaves_no_rank_waiting},
                  {"a rank without memory fails with all", a_rank_without_memory_fails_with_all})
