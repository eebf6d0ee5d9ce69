#include "varint.h"

#include <string.h>

size_t varint_write(unsigned char *to, uint64_t value) {
    size_t n = 0;
    while (value >= 0x80) {
        to[n++] = value | 0x80;
        value >>= 7;
    }
    to[n++] = value;
    return n;
}

size_t varint_read(uint64_t *value, const unsigned char *from, size_t size) {
    uint64_t read = 0;
    for (size_t n = 0; n < size && n < VARINT_MAX; n++) {
#ifdef BUG_NARROW_SHIFT
        read |= (unsigned)(from[n] & 0x7f) << 7 * n % 32;
#else
        read |= (uint64_t)(from[n] & 0x7f) << 7 * n;
#endif
        if (!(from[n] & 0x80)) {
            if (n == VARINT_MAX - 1 && from[n] > 1)
                return 0;
            *value = read;
            return n + 1;
        }
    }
    return 0;
}

uint64_t varint_zigzag(int64_t value) { return (uint64_t)value << 1 ^ -(uint64_t)(value < 0); }

int64_t varint_unzigzag(uint64_t value) { return (int64_t)(value >> 1 ^ -(value & 1)); }

size_t field_read(struct field *field, const unsigned char *from, size_t size) {
    uint64_t head, number;
    size_t used = varint_read(&head, from, size);
    if (used == 0)
        return 0;
    size_t more = varint_read(&number, from + used, size - used);
    if (more == 0)
        return 0;
    used += more;
    field->key = head >> 1;
    field->kind = head & 1 ? FIELD_BYTES : FIELD_NUMBER;
    field->number = number;
    field->bytes = NULL;
    field->length = 0;
    if (field->kind == FIELD_BYTES) {
#ifdef BUG_LENGTH
        /* As if the sum could not overflow. */
        if (used + number > size)
#else
        if (number > size - used)
#endif
            return 0;
        field->bytes = from + used;
        field->length = number;
        used += number;
    }
    return used;
}

static size_t write_head(unsigned char *to, size_t room, uint64_t key, enum field_kind kind, uint64_t number) {
    unsigned char head[2 * VARINT_MAX];
    size_t n = varint_write(head, key << 1 | (kind == FIELD_BYTES));
    n += varint_write(head + n, number);
    if (n > room)
        return 0;
    memcpy(to, head, n);
    return n;
}

size_t field_write_number(unsigned char *to, size_t room, uint64_t key, uint64_t number) {
    return write_head(to, room, key, FIELD_NUMBER, number);
}

size_t field_write_bytes(unsigned char *to, size_t room, uint64_t key, const unsigned char *bytes, size_t length) {
    size_t n = write_head(to, room, key, FIELD_BYTES, length);
#ifdef BUG_ROOM
    if (n == 0 || length > room)
#else
    if (n == 0 || length > room - n)
#endif
        return 0;
    memcpy(to + n, bytes, length);
    return n + length;
}
