// EXPECT: false unreach-call ILP32
// A server's handshake, its states numbered as in the ssh programs of the literature. The ticket that FINISHED looks at was made when the
// key was exchanged, and passed from hand to hand since then; but what RENEW makes is any number.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

enum { HELLO = 8464, CERTIFICATE = 8480, KEY = 8496, CIPHER = 8512, MAC = 8528, FLUSH = 8544, FINISHED = 8560, RENEW = 8576 };

static unsigned key, cipher, mac, ticket;

static int after_flush(unsigned in) {
    ticket = mac;
    return in & 4 ? RENEW : FINISHED;
}

int main(void) {
    int state = HELLO, resumed = 0;
    for (;;) {
        unsigned in = __VERIFIER_nondet_uint();
        if (state == HELLO) {
            resumed = in & 1;
            state = resumed ? KEY : CERTIFICATE;
        } else if (state == CERTIFICATE) {
            if (in & 2)
                state = KEY;
        } else if (state == KEY) {
            key = in % 1000 * 7;
            state = CIPHER;
        } else if (state == CIPHER) {
            cipher = key;
            state = MAC;
        } else if (state == MAC) {
            mac = cipher;
            state = FLUSH;
        } else if (state == FLUSH) {
            state = after_flush(in);
        } else if (state == FINISHED) {
            if (ticket % 7 != 0)
                reach_error();
            state = HELLO;
        } else if (state == RENEW && (in & 1)) {
            ticket = in;
            state = FINISHED;
        }
    }
}
