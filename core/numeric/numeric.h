/* What the numeric layer needs of the process. */
#ifndef CORE_NUMERIC_NUMERIC_H
#define CORE_NUMERIC_NUMERIC_H

/* Switches GSL's error handler off: by default it aborts the process. Call it once, first thing in
 * main, before any thread is started. The setting belongs to the process, which is why no function
 * of this layer makes it by itself. */
void numeric_init(void);

#endif
