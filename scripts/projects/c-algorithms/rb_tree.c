// EXPECT: true
// FILES: src/rb-tree.c src/compare-int.c
// OPTIONS: -Isrc
/* Any three different keys are found in a red-black tree, which has them in order. */
#include "rb-tree.h"
#include "compare-int.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int keys[3];
    RBTree *tree = rb_tree_new(int_compare);
    for (int i = 0; i < 3; i++) {
        keys[i] = __VERIFIER_nondet_int();
        for (int j = 0; j < i; j++)
            if (keys[i] == keys[j])
                return 0;
        rb_tree_insert(tree, &keys[i], &keys[i]);
    }
    if (rb_tree_lookup(tree, &keys[2]) != &keys[2])
        reach_error();
    RBTreeNode *root = rb_tree_root_node(tree);
    int *middle = rb_tree_node_key(root);
    int *left = rb_tree_node_key(rb_tree_node_child(root, RB_TREE_NODE_LEFT));
    int *right = rb_tree_node_key(rb_tree_node_child(root, RB_TREE_NODE_RIGHT));
    if (*left >= *middle || *middle >= *right)
        reach_error();
    return 0;
}
