// EXPECT: false
// FILES: src/mpack/mpack-common.c src/mpack/mpack-writer.c src/mpack/mpack-reader.c src/mpack/mpack-platform.c src/mpack/mpack-expect.c
// OPTIONS: -Isrc/mpack
/* Some three bytes are an array of one number, 200. */
#include "mpack.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char data[3];
    for (int i = 0; i < 3; i++)
        data[i] = __VERIFIER_nondet_char();
    mpack_reader_t reader;
    mpack_reader_init_data(&reader, data, 3);
    if (mpack_expect_array(&reader) == 1) {
        int n = mpack_expect_int(&reader);
        mpack_done_array(&reader);
        if (mpack_reader_destroy(&reader) == mpack_ok && n == 200)
            reach_error();
    }
    return 0;
}
