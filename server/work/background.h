/* Threads that yield to others. */
#ifndef SERVER_BACKGROUND_H
#define SERVER_BACKGROUND_H

/* From now on the calling thread has this nice value (0: no change), and a slice that waking
 * threads preempt at once. Without permission nothing happens. */
void background_enter(int nice);

#endif
