/* The bytes of connections on their way in: recv(), through the gate. */
#include "server/http/intake.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>

typedef struct Intake {
    Gate *gate;
    IntakeSink sink;
    bool told;
    unsigned unanswered; /* taken requests */
} Intake;

/* By descriptor, because recv() knows nothing else of its caller. The service opens fewer. */
enum { DESCRIPTORS_MAX = 1 << 18 };
static Intake *_Atomic intakes[DESCRIPTORS_MAX];

static Intake *intake_of(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS_MAX
               ? atomic_load_explicit(&intakes[fd], memory_order_acquire)
               : NULL;
}

bool intake_open(int fd, IntakeSink sink)
{
    Intake *intake = fd < DESCRIPTORS_MAX ? calloc(1, sizeof *intake) : NULL;
    if (!intake)
        return false;
    intake->sink = sink;
    intake->gate = gate_new();
    if (!intake->gate) {
        free(intake);
        return false;
    }
    atomic_store(&intakes[fd], intake);
    return true;
}

void intake_close(int fd)
{
    Intake *intake = intake_of(fd);
    if (!intake)
        return;
    atomic_store(&intakes[fd], NULL);
    gate_free(intake->gate);
    free(intake);
}

bool intake_take_head(int fd, Arena *arena, Head *ret)
{
    Intake *intake = intake_of(fd);
    if (intake)
        intake->unanswered++;
    return intake && gate_take_head(intake->gate, arena, ret);
}

static void tell(Intake *intake, int fd)
{
    if (!intake->told)
        intake->sink.refused(intake->sink.self, intake->sink.connection, fd,
                             gate_refusal(intake->gate));
    intake->told = true;
}

void intake_answered(int fd)
{
    Intake *intake = intake_of(fd);
    if (intake && intake->unanswered > 0)
        intake->unanswered--;
}

bool intake_refused(int fd)
{
    Intake *intake = intake_of(fd);
    if (!intake || !gate_refusal(intake->gate) || gate_has_head(intake->gate))
        return false;
    tell(intake, fd);
    return true;
}

/* Replaces the C library's recv(). It is called for the next request after the earlier ones have
 * been answered. So a refusal is sent at once, unless earlier requests came in the same bytes. */
ssize_t recv(int fd, void *buffer, size_t size, int flags)
{
    Intake *intake = intake_of(fd);
    if (intake && gate_refusal(intake->gate)) {
        tell(intake, fd);
        return 0;
    }
    ssize_t n = recvfrom(fd, buffer, size, flags, NULL, NULL);
    /* the client has closed its sending side: libmicrohttpd would close, and not answer complete
     * requests */
    if (intake && n == 0 && intake->unanswered > 0 && gate_between_requests(intake->gate)) {
        errno = EAGAIN;
        return -1;
    }
    if (!intake || n <= 0)
        return n;
    size_t passed = gate_pass(intake->gate, buffer, (size_t)n);
    if (passed == 0)
        tell(intake, fd);
    return (ssize_t)passed;
}
