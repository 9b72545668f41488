// The entry of a build for every x86-64 since v2: the library is in it twice, compiled for v2 and for v3
// (wheel/link), and the processor decides as it starts which of the two runs. Both give the same results.
// TESSERA_LEVEL=v2 chooses the slower.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FILE *levels_stderr; // of the libraries that are linked in

static bool fast(void) {
    const char *level = getenv("TESSERA_LEVEL");
    levels_stderr = stderr;
    __builtin_cpu_init();
    return __builtin_cpu_supports("x86-64-v3") && !(level && strcmp(level, "v2") == 0);
}

#ifdef MODULE
typedef struct PyObject PyObject;
PyObject *PyInit__tessera_v2(void);
PyObject *PyInit__tessera_v3(void);
PyObject *PyInit__tessera(void);

PyObject *PyInit__tessera(void) { return fast() ? PyInit__tessera_v3() : PyInit__tessera_v2(); }
#else
int main_v2(int argc, char **argv);
int main_v3(int argc, char **argv);

int main(int argc, char **argv) { return fast() ? main_v3(argc, argv) : main_v2(argc, argv); }
#endif
