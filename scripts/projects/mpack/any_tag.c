// EXPECT: true
// FILES: src/mpack/mpack-common.c src/mpack/mpack-writer.c src/mpack/mpack-reader.c src/mpack/mpack-platform.c src/mpack/mpack-expect.c
// OPTIONS: -Isrc/mpack
/* Any three bytes: a tag is read, or there is an error, and what remains lies behind it. */
#include "mpack.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char data[3];
    for (int i = 0; i < 3; i++)
        data[i] = __VERIFIER_nondet_char();
    mpack_reader_t reader;
    mpack_reader_init_data(&reader, data, 3);
    mpack_tag_t tag = mpack_read_tag(&reader);
    if (mpack_reader_error(&reader) == mpack_ok) {
        if (mpack_reader_remaining(&reader, NULL) > 2)
            reach_error();
        if (mpack_tag_type(&tag) == mpack_type_uint && mpack_tag_uint_value(&tag) > 0xffff)
            reach_error();
    } else if (mpack_tag_type(&tag) != mpack_type_missing && mpack_tag_type(&tag) != mpack_type_nil) {
        reach_error();
    }
    return 0;
}
