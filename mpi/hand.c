#include "hand.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "tessera.h"

typedef struct {
    Message *first, **last;
} Queue;

struct Hand {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t change;
    Queue to_do, done; // with the lock
    bool is_ended;
    ts_stop stop;
    ts_worker *worker;
    ts_status no_stock; // why the last stock could not be taken
};

static void put(Queue *q, Message *m) {
    m->next = NULL;
    *q->last = m;
    q->last = &m->next;
}

static Message *take(Queue *q) {
    Message *m = q->first;
    if (m && !(q->first = m->next)) q->last = &q->first;
    return m;
}

static void empty(Queue *q) {
    for (Message *m; (m = take(q)); free(m)) free(m->text);
}

// Makes of an order what is to be said of it. False: it was a stock, of which nothing is said.
static bool act(Hand *h, Message *m) {
    ts_status s;
    const size_t length = strlen(m->text);
    if (m->kind == MESSAGE_STOCK) {
        ts_worker_stock(h->worker, m->text, length, &h->no_stock); // an order that lacks it will say why
        return false;
    }
    char *result = ts_worker_do(h->worker, m->text, length, &h->stop, &s);
    if (!result && h->no_stock.message[0] && ts_worker_lacks(h->worker, m->text, length)) s = h->no_stock;
    free(m->text);
    m->kind = result ? MESSAGE_RESULT : MESSAGE_TROUBLE;
    m->text = result ? result : strdup(s.message); // NULL: no memory even for that
    return true;
}

static void *run(void *arg) {
    Hand *h = arg;
    pthread_mutex_lock(&h->lock);
    while (!h->is_ended) {
        Message *m = take(&h->to_do);
        if (!m) {
            pthread_cond_wait(&h->change, &h->lock);
            continue;
        }
        pthread_mutex_unlock(&h->lock);
        const bool said = act(h, m);
        pthread_mutex_lock(&h->lock);
        if (said) put(&h->done, m);
        else {
            free(m->text);
            free(m);
        }
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

Hand *hand_new(void) {
    Hand *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->to_do.last = &h->to_do.first;
    h->done.last = &h->done.first;
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->change, NULL);
    h->worker = ts_worker_new();
    if (h->worker && pthread_create(&h->thread, NULL, run, h) == 0) return h;
    ts_worker_free(h->worker);
    free(h);
    return NULL;
}

void hand_free(Hand *h) {
    if (!h) return;
    ts_stop_set(&h->stop, true);
    pthread_mutex_lock(&h->lock);
    h->is_ended = true;
    pthread_cond_broadcast(&h->change);
    pthread_mutex_unlock(&h->lock);
    pthread_join(h->thread, NULL);
    empty(&h->to_do);
    empty(&h->done);
    ts_worker_free(h->worker);
    pthread_mutex_destroy(&h->lock);
    pthread_cond_destroy(&h->change);
    free(h);
}

bool hand_put(Hand *h, MessageKind kind, char *text) {
    Message *m = calloc(1, sizeof *m);
    if (!m) {
        free(text);
        return false;
    }
    m->kind = kind;
    m->text = text;
    pthread_mutex_lock(&h->lock);
    put(&h->to_do, m);
    pthread_cond_broadcast(&h->change);
    pthread_mutex_unlock(&h->lock);
    return true;
}

Message *hand_get(Hand *h) {
    pthread_mutex_lock(&h->lock);
    Message *m = take(&h->done);
    pthread_mutex_unlock(&h->lock);
    return m;
}
