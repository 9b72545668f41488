// A worker of a loop: does rounds that were planned elsewhere. It has neither the pool nor the solutions of
// tests. What it reads may be damaged: it is then refused.
#ifndef TESSERA_ITERATE_ITERATE_WORKER_H
#define TESSERA_ITERATE_ITERATE_WORKER_H

#include "base/status.h"

typedef struct IterateStock IterateStock;

// Reads what all orders of a run share; NULL, with *s, where the text is none.
IterateStock *iterate_stock_read(const char *text, size_t length, Status *s);
void iterate_stock_free(IterateStock *stock);
void iterate_stock_profile(IterateStock *stock, ts_profile *profile); // of what is done from now on
// Does a round: its result, to be freed. NULL, with *s, where it is no order for this stock, memory is short,
// or it was stopped. threads 0: one for each processor.
char *iterate_do(const char *order, size_t length, const IterateStock *stock, int threads,
                 const ts_stop *stop, Status *s);

#endif
