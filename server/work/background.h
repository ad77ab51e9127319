/* Threads that stand back behind others. */
#ifndef SERVER_BACKGROUND_H
#define SERVER_BACKGROUND_H

/* The calling thread, from now on: a nice value (0: it does not stand back), and slices of the
 * processor that others need not wait out. Where it may not, nothing happens. */
void background_enter(int nice);

#endif
