// spacing record: a service that records when requests arrive, by the kernel's time stamps (SO_TIMESTAMPNS) and by its own
// clock. Prints its port; prints the figures and forgets the arrivals for each line on stdin.
// spacing send PORT RATE SECONDS: sends requests at instants of the plan, asleep in clock_nanosleep between them.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 2000000, CONNECTIONS = 50, SKIPPED = 20, EVENTS = 256 };

static const char RESPONSE[] = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
static const char REQUEST[] = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

/* ms */
static double of_kernel[MOST], of_process[MOST], gaps[MOST];
static int count = 0;

static double ms_of(struct timespec t) { return t.tv_sec * 1e3 + t.tv_nsec / 1e6; }

static int rising(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* the gaps without those of the first twentieth, in which connections are opened */
static void print_gaps(const char *name, double *times) {
  qsort(times, count, sizeof *times, rising);
  int n = 0;
  double sum = 0, squares = 0;
  for (int i = count / SKIPPED + 1; i < count; i++) sum += gaps[n++] = times[i] - times[i - 1];
  double mean = sum / n;
  for (int i = 0; i < n; i++) squares += (gaps[i] - mean) * (gaps[i] - mean);
  qsort(gaps, n, sizeof *gaps, rising);
  printf(",\"%s\":{\"cv\":%.4f,\"p25\":%.4f,\"p75\":%.4f,\"p99\":%.4f,\"max\":%.3f}", name, sqrt(squares / n) / mean,
         gaps[n / 4], gaps[n / 4 * 3], gaps[(int)(n * 0.99)], gaps[n - 1]);
}

static void report(void) {
  printf("{\"count\":%d", count);
  if (count > 100) {
    print_gaps("kernel", of_kernel);
    print_gaps("process", of_process);
  }
  printf("}\n");
  fflush(stdout);
  count = 0;
}

static void receive(int fd) {
  static char bytes[65536];
  char control[512];
  struct timespec now;
  struct iovec vector = {bytes, sizeof bytes};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t size = recvmsg(fd, &message, 0);
  clock_gettime(CLOCK_REALTIME, &now);
  if (size <= 0) {
    if (size == 0 || errno != EAGAIN) close(fd);
    return;
  }
  struct timespec stamp = now;
  for (struct cmsghdr *one = CMSG_FIRSTHDR(&message); one; one = CMSG_NXTHDR(&message, one))
    if (one->cmsg_level == SOL_SOCKET && one->cmsg_type == SCM_TIMESTAMPNS) memcpy(&stamp, CMSG_DATA(one), sizeof stamp);
  for (char *at = bytes; (at = memmem(at, bytes + size - at, "\r\n\r\n", 4)); at += 4) {
    if (count < MOST) {
      of_kernel[count] = ms_of(stamp);
      of_process[count++] = ms_of(now);
    }
    if (write(fd, RESPONSE, sizeof RESPONSE - 1) < 0) close(fd);
  }
}

static int record(void) {
  int yes = 1, listener = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (void *)&address, sizeof address) || listen(listener, 4096)) return 1;
  getsockname(listener, (void *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  event.data.fd = STDIN_FILENO;
  epoll_ctl(poll, EPOLL_CTL_ADD, STDIN_FILENO, &event);
  for (;;) {
    int ready = epoll_wait(poll, events, EVENTS, -1);
    for (int i = 0; i < ready; i++) {
      int fd = events[i].data.fd;
      char line[64];
      if (fd == STDIN_FILENO) {
        if (read(fd, line, sizeof line) <= 0) return 0;
        report();
      } else if (fd == listener) {
        event.data.fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        setsockopt(event.data.fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
        setsockopt(event.data.fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event);
      } else receive(fd);
    }
  }
}

static int send_all(int port, double rate, double seconds) {
  int yes = 1, sockets[CONNECTIONS];
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  prctl(PR_SET_TIMERSLACK, 1);
  for (int i = 0; i < CONNECTIONS; i++) {
    sockets[i] = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(sockets[i], (void *)&to, sizeof to)) return 1;
    setsockopt(sockets[i], IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(sockets[i], F_SETFL, O_NONBLOCK);
  }
  struct timespec at;
  char response[4096];
  clock_gettime(CLOCK_MONOTONIC, &at);
  double start_ns = at.tv_sec * 1e9 + at.tv_nsec + 1e7;
  for (long i = 0; i < rate * seconds; i++) {
    double due_ns = start_ns + i * 1e9 / rate;
    at.tv_sec = due_ns / 1e9;
    at.tv_nsec = due_ns - at.tv_sec * 1e9;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR);
    int fd = sockets[i % CONNECTIONS];
    while (read(fd, response, sizeof response) > 0);
    if (write(fd, REQUEST, sizeof REQUEST - 1) < 0) return 1;
  }
  usleep(50000);
  return 0;
}

int main(int count, char **values) {
  if (count == 2 && !strcmp(values[1], "record")) return record();
  if (count == 5 && !strcmp(values[1], "send")) return send_all(atoi(values[2]), atof(values[3]), atof(values[4]));
  return 2;
}
