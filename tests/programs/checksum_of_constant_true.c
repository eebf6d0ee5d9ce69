// EXPECT: true unreach-call LP64
// CRC-32 of the text that standards give as an example, bit by bit. There are no inputs: the program is run, and its one path proved.
extern void reach_error(void);
static const char text[] = "123456789";

int main(void) {
    unsigned crc = ~0u;
    for (int i = 0; text[i]; i++) {
        crc ^= (unsigned char)text[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    if (~crc != 0xCBF43926u)
        reach_error();
    return 0;
}
