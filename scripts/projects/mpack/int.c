// EXPECT: true
// FILES: src/mpack/mpack-common.c src/mpack/mpack-writer.c src/mpack/mpack-reader.c src/mpack/mpack-platform.c src/mpack/mpack-expect.c
// OPTIONS: -Isrc/mpack
/* Any number of 32 bits is written in at most five bytes, and read. */
#include "mpack.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char data[16];
    int n = __VERIFIER_nondet_int();
    mpack_writer_t writer;
    mpack_writer_init(&writer, data, sizeof data);
    mpack_write_i32(&writer, n);
    size_t used = mpack_writer_buffer_used(&writer);
    if (mpack_writer_destroy(&writer) != mpack_ok || used < 1 || used > 5 || (used == 1) != (n >= -32 && n < 128))
        reach_error();
    mpack_reader_t reader;
    mpack_reader_init_data(&reader, data, used);
    if (mpack_expect_i32(&reader) != n || mpack_reader_destroy(&reader) != mpack_ok)
        reach_error();
    return 0;
}
