/* Numbers in groups of seven bits, the lowest first (LEB128), as in DWARF and Protocol Buffers; signed ones in zigzag order. A message is
 * a list of fields: a number for the key, then the value or its length and its bytes. */
#ifndef VARINT_H
#define VARINT_H

#include <stddef.h>
#include <stdint.h>

#define VARINT_MAX 10

/* Writes `value` to at most VARINT_MAX bytes. Returns how many. */
size_t varint_write(unsigned char *to, uint64_t value);

/* Reads a number of at most `size` bytes. Returns how many it has; 0 if it does not end or needs more than 64 bits. */
size_t varint_read(uint64_t *value, const unsigned char *from, size_t size);

uint64_t varint_zigzag(int64_t value);
int64_t varint_unzigzag(uint64_t value);

enum field_kind { FIELD_NUMBER, FIELD_BYTES };

struct field {
    uint64_t key;
    enum field_kind kind;
    uint64_t number;            /* of a number */
    const unsigned char *bytes; /* of bytes, within the message */
    size_t length;
};

/* Reads a field. Returns the number of bytes that it takes; 0 if it is wrong or does not end. */
size_t field_read(struct field *field, const unsigned char *from, size_t size);

/* Write a field. Return the number of bytes; 0 if there is not enough room. */
size_t field_write_number(unsigned char *to, size_t room, uint64_t key, uint64_t number);
size_t field_write_bytes(unsigned char *to, size_t room, uint64_t key, const unsigned char *bytes, size_t length);

#endif
