// EXPECT: true unreach-call LP64
// ASSUMES: with whose addresses the program computes, lie between 0x1000 and 0x800000000000
// ASSUMES: and the program computes with that address
// ASSUMES: apart from those that are said to lie there
// Only so many objects are placed freely.
extern void reach_error(void);
int v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23, v24, v25, v26, v27, v28, v29;
int main(void) {
    unsigned long ends = 0;
    ends |= (unsigned long)&v0;
    ends |= (unsigned long)&v1;
    ends |= (unsigned long)&v2;
    ends |= (unsigned long)&v3;
    ends |= (unsigned long)&v4;
    ends |= (unsigned long)&v5;
    ends |= (unsigned long)&v6;
    ends |= (unsigned long)&v7;
    ends |= (unsigned long)&v8;
    ends |= (unsigned long)&v9;
    ends |= (unsigned long)&v10;
    ends |= (unsigned long)&v11;
    ends |= (unsigned long)&v12;
    ends |= (unsigned long)&v13;
    ends |= (unsigned long)&v14;
    ends |= (unsigned long)&v15;
    ends |= (unsigned long)&v16;
    ends |= (unsigned long)&v17;
    ends |= (unsigned long)&v18;
    ends |= (unsigned long)&v19;
    ends |= (unsigned long)&v20;
    ends |= (unsigned long)&v21;
    ends |= (unsigned long)&v22;
    ends |= (unsigned long)&v23;
    ends |= (unsigned long)&v24;
    ends |= (unsigned long)&v25;
    ends |= (unsigned long)&v26;
    ends |= (unsigned long)&v27;
    ends |= (unsigned long)&v28;
    ends |= (unsigned long)&v29;
    if (ends < 0x10000)
        reach_error();
    return 0;
}
