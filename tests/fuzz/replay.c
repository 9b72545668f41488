// Runs a fuzzer's entry on files, without libFuzzer: `replay FILE…`. For builds that measure coverage.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    enum { MOST = 1 << 20 };
    uint8_t *data = malloc(MOST);
    if (!data) return 1;
    for (int k = 1; k < argc; k++) {
        FILE *file = fopen(argv[k], "rb");
        if (!file) {
            perror(argv[k]);
            return 1;
        }
        size_t size = fread(data, 1, MOST, file);
        fclose(file);
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    printf("%d passed, 0 failed\n", argc - 1);
    return 0;
}
