// EXPECT: true unreach-call LP64 WITH base64.c
/* A text that is decoded is what its bytes are encoded to: no two texts have the same bytes. */
#include "../check.h"
#include "base64.h"

int main(void) {
    char text[5], back[5];
    unsigned char bytes[3];
    any_text(text, 4);
    long size = base64_decode(bytes, text, 4);
    check(size >= -1 && size <= 3 && size != 0);
    if (size > 0) {
        base64_encode(back, bytes, size);
        for (int i = 0; i < 4; i++)
            check(back[i] == text[i]);
    }
    return 0;
}
