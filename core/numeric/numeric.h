/* The process-wide setting of the numeric layer. */
#ifndef CORE_NUMERIC_NUMERIC_H
#define CORE_NUMERIC_NUMERIC_H

/* Switches GSL's error handler off, because by default it aborts the process. Call it first in
 * main, before any thread is started: the setting belongs to the process. */
void numeric_init(void);

#endif
