// EXPECT: false unreach-call LP64
// INPUTS:
// CRC-32 of a text is compared with a wrong constant.
extern void reach_error(void);
static const char text[] = "123456789";

int main(void) {
    unsigned crc = ~0u;
    for (int i = 0; text[i]; i++) {
        crc ^= (unsigned char)text[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    if (~crc != 0xCBF43927u)
        reach_error();
    return 0;
}
