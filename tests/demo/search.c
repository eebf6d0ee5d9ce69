// The place of a number in a sorted array, or -1: the search begins one place too far.
#include <assert.h>

int find(const int *sorted, int n, int wanted) {
    int low = 0, high = n;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        assert(middle < n);
        if (sorted[middle] == wanted)
            return middle;
        if (sorted[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}
