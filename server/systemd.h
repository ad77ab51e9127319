/* Messages to systemd about the state of the service (sd_notify(3)), without its library. */
#ifndef SERVER_SYSTEMD_H
#define SERVER_SYSTEMD_H

/* Sends a state such as "READY=1" to the socket that NOTIFY_SOCKET names. Without the variable, or
 * if nobody reads the socket, nothing happens. */
void systemd_notify(const char *state);

/* The time within which systemd wants a message "WATCHDOG=1" of this process, in seconds
 * (sd_watchdog_enabled(3)); 0: it wants none. */
double systemd_watchdog_seconds(void);

#endif
