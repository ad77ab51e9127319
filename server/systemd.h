/* Messages to systemd about the state of the service (sd_notify(3)), without its library. */
#ifndef SERVER_SYSTEMD_H
#define SERVER_SYSTEMD_H

/* Sends a state such as "READY=1" to the socket that NOTIFY_SOCKET names. Without the variable, or
 * if nobody reads the socket, nothing happens. */
void systemd_notify(const char *state);

#endif
