// EXPECT: true unreach-call LP64
// ASSUMES: with whose addresses the program computes, lie between 0x1000 and 0x800000000000
// ASSUMES: objects with whose addresses the program computes do not lie between 0x400000000b00 and 0x400000000b20, apart from those
// ASSUMES: each memory access is valid
// Only so many objects are placed freely, and none of them where further ones that are known outside are placed.
extern void reach_error(void);
extern int declared[4];
int v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23;
int main(void) {
    unsigned long bits = (unsigned long)&v0, sum = 0;
    sum += (unsigned long)&v1;
    sum += (unsigned long)&v2;
    sum += (unsigned long)&v3;
    sum += (unsigned long)&v4;
    sum += (unsigned long)&v5;
    sum += (unsigned long)&v6;
    sum += (unsigned long)&v7;
    sum += (unsigned long)&v8;
    sum += (unsigned long)&v9;
    sum += (unsigned long)&v10;
    sum += (unsigned long)&v11;
    sum += (unsigned long)&v12;
    sum += (unsigned long)&v13;
    sum += (unsigned long)&v14;
    sum += (unsigned long)&v15;
    sum += (unsigned long)&v16;
    sum += (unsigned long)&v17;
    sum += (unsigned long)&v18;
    sum += (unsigned long)&v19;
    sum += (unsigned long)&v20;
    sum += (unsigned long)&v21;
    sum += (unsigned long)&v22;
    sum += (unsigned long)&v23;
    declared[v0 & 3] = 1;
    if (sum != 1 && bits >> 4 == 0x400000000b0)
        reach_error();
    return 0;
}
