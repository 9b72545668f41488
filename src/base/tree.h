// A JSON object as yajl's tree: its members by name, and what stands for those that are not there.
#ifndef TESSERA_BASE_TREE_H
#define TESSERA_BASE_TREE_H

#include <yajl/yajl_tree.h>

static inline double tree_as_number(yajl_val v) { return v && YAJL_IS_NUMBER(v) ? YAJL_GET_DOUBLE(v) : 0; }

static inline double tree_number(yajl_val v, const char *key) {
    return tree_as_number(yajl_tree_get(v, (const char *[]){key, NULL}, yajl_t_number));
}

static inline const char *tree_string(yajl_val v, const char *key) {
    yajl_val s = yajl_tree_get(v, (const char *[]){key, NULL}, yajl_t_string);
    return s ? YAJL_GET_STRING(s) : "";
}

// How many items a list has.
static inline size_t tree_list(yajl_val v, const char *key, yajl_val **items) {
    yajl_val a = yajl_tree_get(v, (const char *[]){key, NULL}, yajl_t_array);
    *items = a ? YAJL_GET_ARRAY(a)->values : NULL;
    return a ? YAJL_GET_ARRAY(a)->len : 0;
}

#endif
