/* One datagram for each state. */
#include "server/systemd.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void systemd_notify(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!path || !*path || strlen(path) >= sizeof address.sun_path)
        return;
    /* a name that begins with @ is in the abstract namespace: its first byte is zero */
    memcpy(address.sun_path, path, strlen(path));
    if (*path == '@')
        address.sun_path[0] = '\0';
    const socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    (void)!sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address,
                  length);
    close(fd);
}

double systemd_watchdog_seconds(void)
{
    const char *time = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    if (!time || (pid && strtol(pid, NULL, 10) != (long)getpid()))
        return 0;
    const double seconds = strtod(time, NULL) / 1e6;
    return seconds > 0 ? seconds : 0;
}
