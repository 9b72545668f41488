// Events from JSON text: yajl, with a fast path for grids.
//
// Workload: 2.6 MB of which nearly all is 7 thousand grids such as [[0,3],[3,0]]: 1.2 million numbers in 86
// thousand rows. yajl takes a token at a time, some 15 ns each. So grids are recognised at a glance (scan.c),
// samples with them, and yajl is fed the text between with an empty object or list standing in for each: it
// still judges whether one may stand there. What the listener does not want to see, as the part of a file
// that nobody asked for, is looked over in the same way, and is empty to yajl.
//
//     text   "test": [{"input": [[0,3],[3,0]], "output": [[3,0],[0,3]]}, {"input": [[0,3],[3,0]]}]
//     yajl   "test": [{}                                               , {"input": []           }]
//
// Invariants: a chunk never ends inside a token, so that texts reach the listener whole and errors have their
// place; what is not plainly a grid, a sample, or a value without escapes and the like goes to yajl as it is,
// so that every error has one path. The plain path (no wants_grid: all of the text to yajl at once) is the
// reference; tests/tasks.c and tests/fuzz/fuzz_tasks.c compare the two. Rows instead of grids as the unit was
// tried: twice the time, for yajl still sees each row.
#include "task/json.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "task/scan.h"

typedef struct {
    const TaskJsonListener *listener;
    void *user;
    yajl_handle yajl;
    yajl_status status;
    const char *text;
    size_t length; // up to the first byte that may not stand in JSON
    size_t base;   // where in the text the chunk that yajl has in hand begins
    int depth;
    bool too_deep;
    // What yajl has in the place of what is at `base`: a grid or a sample, or an object that does not matter
    enum { NOTHING, A_WHOLE, AN_EMPTY } stand_in;
    TaskScanGrid grids[2]; // of a sample, or the first alone
} Parse;

// ---- From yajl to the listener ----

static bool ends_token(char c) { return strchr("{}[],:\" \t\r\n", c) != NULL; }

static bool is_escaped(const char *text, size_t at) {
    size_t slashes = 0;
    while (slashes < at && text[at - slashes - 1] == '\\') slashes++;
    return slashes % 2 == 1;
}

// Where the token begins that ends before `end`.
static size_t token_start(const char *text, size_t end) {
    if (end == 0) return 0;
    size_t k = end - 1;
    if (text[k] == '"') {
        for (size_t q = k; q-- > 0 && text[q] != '\n';)
            if (text[q] == '"' && !is_escaped(text, q)) return q;
        return k;
    }
    while (k > 0 && !ends_token(text[k]) && !ends_token(text[k - 1])) k--;
    return k;
}

// How far yajl has read. While it reads the stand-in of a grid, to where the grid begins.
static size_t position(const Parse *p) {
    if (p->stand_in) return p->base;
    size_t at = p->base + yajl_get_bytes_consumed(p->yajl);
    return at < p->length ? at : p->length;
}

// Where the token begins that yajl has just read.
static size_t token_place(const Parse *p) { return token_start(p->text, position(p)); }

// The same for one whose text yajl gives: mostly that points into ours; a string with escapes is a copy.
static size_t text_place(const Parse *p, const void *piece, size_t quote) {
    uintptr_t from = (uintptr_t)p->text, at = (uintptr_t)piece;
    return at >= from + quote && at < from + p->length ? at - from - quote : token_place(p);
}

static bool deeper(Parse *p) {
    p->too_deep = p->depth == TASK_JSON_DEPTH;
    p->depth++;
    return !p->too_deep;
}

static int on_start_array(void *context) {
    Parse *p = context;
    if (!deeper(p)) return 0;
    if (p->stand_in == A_WHOLE) return p->listener->grid(p->user, &p->grids[0], p->base);
    return !p->listener->open || p->listener->open(p->user, '[', token_place(p));
}

static int on_start_map(void *context) {
    Parse *p = context;
    if (!deeper(p)) return 0;
    if (p->stand_in == A_WHOLE) return p->listener->sample(p->user, p->grids, p->base);
    return !p->listener->open || p->listener->open(p->user, '{', token_place(p));
}

static int on_end(void *context) {
    Parse *p = context;
    p->depth--;
    return p->stand_in == A_WHOLE || !p->listener->close || p->listener->close(p->user, token_place(p));
}

static int on_key(void *context, const unsigned char *text, size_t length) {
    Parse *p = context;
    return !p->listener->key || p->listener->key(p->user, (const char *)text, length, text_place(p, text, 1));
}

static int send_scalar(const Parse *p, TaskJsonScalar kind, const void *text, size_t length, size_t at) {
    return !p->listener->scalar || p->listener->scalar(p->user, kind, text, length, at);
}

static int on_string(void *context, const unsigned char *text, size_t length) {
    return send_scalar(context, TASK_JSON_STRING, text, length, text_place(context, text, 1));
}

static int on_number(void *context, const char *text, size_t length) {
    return send_scalar(context, TASK_JSON_NUMBER, text, length, text_place(context, text, 0));
}

static int on_boolean(void *context, int value) {
    return send_scalar(context, TASK_JSON_BOOL, value ? "true" : "false", value ? 4 : 5,
                       token_place(context));
}

static int on_null(void *context) {
    return send_scalar(context, TASK_JSON_NULL, "null", 4, token_place(context));
}

// ---- What yajl does not see ----

static size_t skip_string(const char *text, size_t k, size_t length) {
    for (k++; k < length && text[k] != '"'; k++)
        if (text[k] == '\\') k++;
    return k + 1;
}

static bool feed(Parse *p, const char *chunk, size_t length, size_t base) {
    p->base = base;
    if (length) p->status = yajl_parse(p->yajl, (const unsigned char *)chunk, length);
    return p->status == yajl_status_ok;
}

// The end of what begins with a bracket at `at` and need not be read token by token; 0 where there is nothing
// such. yajl has read all before it. `grid` is its end if it is a grid.
static size_t find_whole(Parse *p, size_t at, size_t grid) {
    const TaskJsonListener *l = p->listener;
    const int depth = TASK_JSON_DEPTH - p->depth;
    const bool is_list = p->text[at] == '[';
    p->stand_in = !is_list && l->passes_over(p->user) ? AN_EMPTY : A_WHOLE;
    if (is_list) return depth >= 2 && l->wants_grid(p->user) ? grid : 0;
    if (p->stand_in == AN_EMPTY) return task_scan_value(p->text, at, p->length, depth);
    return depth >= 3 && l->wants_sample(p->user) ? task_scan_sample(p->text, at, p->length, p->grids) : 0;
}

// Text as it stands, but for grids, samples, and objects that do not matter: for these an empty list or
// object, so that yajl judges whether one may stand there.
static bool feed_with_grids(Parse *p, size_t from) {
    const char *text = p->text;
    for (size_t k = from, end; k < p->length; k = end) {
        end = text[k] == '"' ? skip_string(text, k, p->length) : k + 1;
        if ((text[k] != '[' && text[k] != '{') || (k > 0 && !ends_token(text[k - 1]))) continue;
        const size_t grid = text[k] == '[' ? task_scan_grid(text, k, p->length, &p->grids[0]) : 0;
        if (text[k] == '[' ? !grid : !p->listener->passes_over) continue;
        if (!feed(p, text + from, k - from, from)) return false;
        from = k;
        if (grid) end = grid;
        const size_t whole = find_whole(p, k, grid);
        if (whole) {
            if (!feed(p, text[k] == '[' ? "[]" : "{}", 2, k)) return false;
            from = end = whole;
        }
        p->stand_in = NOTHING;
    }
    return feed(p, text + from, p->length - from, from);
}

// ---- The end ----

// Where yajl found its error. It stops behind the token that it does not like, but for a lexical error, where
// it stops behind the bad byte, and for one kind of error before the token.
static size_t error_place(const Parse *p, const char *message) {
    size_t end = position(p);
    if (p->stand_in || strstr(message, "after key and value")) return end;
    if (strstr(message, "lexical error") && end > 0) return end - 1;
    return token_start(p->text, end);
}

static void describe_error(const Parse *p, TaskJsonError *error) {
    unsigned char *why = yajl_get_error(p->yajl, 0, NULL, 0); // "parse error: …" or "lexical error: …"
    const char *message = why ? (const char *)why : "no memory";
    error->at = error_place(p, message);
    const char *colon = strstr(message, "error: ");
    if (colon) message = colon + strlen("error: ");
    size_t n = strcspn(message, "\n");
    if (n && message[n - 1] == '.') n--;
    snprintf(error->message, sizeof error->message, "%.*s", (int)n, message);
    if (why) yajl_free_error(p->yajl, why);
}

static void describe_depth(const Parse *p, TaskJsonError *error) {
    error->at = p->stand_in ? p->base : token_place(p);
    snprintf(error->message, sizeof error->message, "lists and objects are nested more than %d deep",
             TASK_JSON_DEPTH);
}

// The text ended, or one of its bytes may not stand in JSON.
static void describe_end(const char *text, size_t at, size_t length, TaskJsonError *error) {
    error->at = at;
    unsigned byte = at < length ? (unsigned char)text[at] : 0;
    if (at == length) snprintf(error->message, sizeof error->message, "the text ends too early");
    else if (byte < ' ')
        snprintf(error->message, sizeof error->message, "a control character (byte 0x%02X)", byte);
    else snprintf(error->message, sizeof error->message, "the text is not UTF-8 (byte 0x%02X)", byte);
}

static TaskJsonEnd run(Parse *p, size_t from, size_t full_length, TaskJsonError *error) {
    bool grids = p->listener->wants_grid != NULL;
    bool fed = grids ? feed_with_grids(p, from) : feed(p, p->text + from, p->length - from, from);
    if (fed) {
        p->base = p->length;
        p->status = yajl_complete_parse(p->yajl);
    }
    if (p->too_deep) describe_depth(p, error);
    else if (p->status == yajl_status_client_canceled) return TASK_JSON_STOPPED;
    else if (!fed) describe_error(p, error);
    else if (p->status != yajl_status_ok || p->length < full_length)
        describe_end(p->text, p->length, full_length, error);
    else return TASK_JSON_DONE;
    return TASK_JSON_BROKEN;
}

TaskJsonEnd task_json_parse(const char *text, size_t length, const TaskJsonListener *listener, void *user,
                            TaskJsonError *error) {
    static const yajl_callbacks callbacks = {.yajl_null = on_null,
                                             .yajl_boolean = on_boolean,
                                             .yajl_number = on_number,
                                             .yajl_string = on_string,
                                             .yajl_start_map = on_start_map,
                                             .yajl_map_key = on_key,
                                             .yajl_end_map = on_end,
                                             .yajl_start_array = on_start_array,
                                             .yajl_end_array = on_end};
    Parse p;
    p = (Parse){.listener = listener, .user = user, .text = text, .length = task_scan_bad_byte(text, length)};
    size_t from = p.length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    if (task_scan_blanks(text, from, p.length) == length) {
        *error = (TaskJsonError){.at = length, .message = "the text is empty"};
        return TASK_JSON_BROKEN;
    }
    p.yajl = yajl_alloc(&callbacks, NULL, &p);
    if (!p.yajl) {
        *error = (TaskJsonError){.message = "no memory for the parser"};
        return TASK_JSON_BROKEN;
    }
    TaskJsonEnd end = run(&p, from, length, error);
    yajl_free(p.yajl);
    return end;
}
