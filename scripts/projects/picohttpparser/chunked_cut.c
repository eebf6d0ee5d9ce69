// EXPECT: true
// FILES: picohttpparser.c
// OPTIONS: -I.
/* Two chunks with any three bytes, cut anywhere, give these bytes. */
#include <string.h>
#include "picohttpparser.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    struct phr_chunked_decoder decoder = {0};
    char text[] = "2\r\n..\r\n1;x\r\n.\r\n0\r\n\r\n", data[3], back[32];
    size_t whole = sizeof text - 1, cut = __VERIFIER_nondet_uchar();
    if (cut >= whole - 2)
        return 0;
    for (int i = 0; i < 3; i++)
        data[i] = __VERIFIER_nondet_char();
    text[3] = data[0];
    text[4] = data[1];
    text[12] = data[2];
    decoder.consume_trailer = 1;
    size_t first = cut, second = whole - cut;
    if (phr_decode_chunked(&decoder, text, &first) != -2)
        reach_error();
    memcpy(back, text, first);
    if (phr_decode_chunked(&decoder, text + cut, &second) != 0 || first + second != 3)
        reach_error();
    memcpy(back + first, text + cut, second);
    if (memcmp(back, data, 3) != 0)
        reach_error();
    return 0;
}
