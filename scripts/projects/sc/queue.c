// EXPECT: true
// FILES:
// OPTIONS: -Iqueue
/* Any four operations at the ends of a queue of bytes do what they do to an array. */
#include "sc_queue.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

sc_queue_def(unsigned char, bytes);

int main(void) {
    struct sc_queue_bytes queue;
    unsigned char model[8];
    int first = 4, last = 4;
    sc_queue_init(&queue);
    for (int i = 0; i < 4; i++) {
        unsigned char value = __VERIFIER_nondet_uchar();
        switch (__VERIFIER_nondet_uchar() % 4) {
        case 0:
            sc_queue_add_last(&queue, value);
            model[last++] = value;
            break;
        case 1:
            sc_queue_add_first(&queue, value);
            model[--first] = value;
            break;
        case 2:
            if (first < last && sc_queue_del_first(&queue) != model[first++])
                reach_error();
            break;
        case 3:
            if (first < last && sc_queue_del_last(&queue) != model[--last])
                reach_error();
        }
        if (sc_queue_size(&queue) != (size_t)(last - first) || sc_queue_empty(&queue) != (first == last))
            reach_error();
    }
    sc_queue_term(&queue);
    return 0;
}
