/* The process-wide setting of the numeric layer. */
#ifndef CORE_NUMERIC_NUMERIC_H
#define CORE_NUMERIC_NUMERIC_H

/* Switches GSL's error handler off, because by default it aborts the process. Call it once, first
 * thing in main, before any thread is started. The setting belongs to the process; therefore no
 * other function of this layer changes it. */
void numeric_init(void);

#endif
