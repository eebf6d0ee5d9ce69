// EXPECT: true
// FILES: src/avl-tree.c src/compare-int.c
// OPTIONS: -Isrc
/* Any three different keys are in order in an AVL tree of height two; the one that is removed is not found. */
#include <stdlib.h>
#include "avl-tree.h"
#include "compare-int.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int keys[3];
    AVLTree *tree = avl_tree_new(int_compare);
    for (int i = 0; i < 3; i++) {
        keys[i] = __VERIFIER_nondet_int();
        for (int j = 0; j < i; j++)
            if (keys[i] == keys[j])
                return 0;
        avl_tree_insert(tree, &keys[i], &keys[i]);
    }
    int **sorted = (int **)avl_tree_to_array(tree);
    if (*sorted[0] >= *sorted[1] || *sorted[1] >= *sorted[2] || avl_tree_subtree_height(avl_tree_root_node(tree)) != 2)
        reach_error();
    int out = __VERIFIER_nondet_uchar() % 3;
    if (!avl_tree_remove(tree, &keys[out]) || avl_tree_lookup(tree, &keys[out]) || avl_tree_num_entries(tree) != 2)
        reach_error();
    if (!avl_tree_lookup(tree, &keys[(out + 1) % 3]))
        reach_error();
    return 0;
}
