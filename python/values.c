// Python's objects as values of the engine, and back: ints, tuples, frozensets, None, words (as texts) and functions. All of
// a call is one call from Python: its arguments are taken over, the primitive is run, and what it gives is made an object.
// cffi knows no objects; they come as addresses, in a list that Python holds meanwhile. It also lets go of Python's lock,
// which is taken again here, but for the time that the engine works.

enum { MOST_NESTED = 200, MOST_ITEMS = 1 << 24, FEW_ITEMS = 32, MOST_CALLS = 60 };

// What came of a call: a failure of the engine as it is, or one of these.
enum { CALL_RAISED = -1, CALL_TOO_LARGE = -2 };

typedef struct conversion {
    ts_context *context;
    PyObject *handles; // a list of the functions that only Python knows
    PyObject *make;    // make(primitive, parts): a function of the engine's as Python's
    PyObject *arity;   // arity(function): how many arguments one of Python's takes
    size_t items;      // objects taken over, and made
    int problem;       // one of the above, or a failure; 0 while all is well
    PyObject *error[3]; // what a function of Python's has raised
} conversion;

static ts_value value_in(conversion *c, PyObject *object, int depth);
static PyObject *value_out(conversion *c, ts_value value);

// ---- In ----

static ts_value refuse(conversion *c, int problem) {
    if (!c->problem) c->problem = problem;
    return ts_make_none();
}

static ts_value int_in(conversion *c, PyObject *object) {
    int overflow;
    long long n = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow) return refuse(c, TS_FAIL_OVERFLOW);
    return n == -1 && PyErr_Occurred() ? refuse(c, CALL_RAISED) : ts_make_int(c->context, n);
}

// A tuple, list or set; of the latter the order of the elements does not matter.
static ts_value items_in(conversion *c, PyObject *object, bool set, int depth) {
    Py_ssize_t count = PyObject_Size(object), k = 0;
    if (count < 0) return refuse(c, CALL_RAISED);
    ts_value few[FEW_ITEMS], *items = count > FEW_ITEMS ? malloc((size_t)count * sizeof *items) : few;
    if (!items) return refuse(c, TS_FAIL_BUDGET);
    if ((c->items += (size_t)count) > MOST_ITEMS) refuse(c, CALL_TOO_LARGE);
    if (PyTuple_Check(object)) {
        PyObject *before = NULL; // one that stands there many times is taken over once
        for (; k < count && !c->problem; k++) {
            PyObject *item = PyTuple_GetItem(object, k);
            items[k] = item == before ? items[k - 1] : value_in(c, item, depth);
            before = item;
        }
    } else {
        PyObject *each = PyObject_GetIter(object), *item = NULL;
        for (; each && k < count && !c->problem && (item = PyIter_Next(each)); k++) {
            items[k] = value_in(c, item, depth);
            Py_DECREF(item);
        }
        Py_XDECREF(each);
        if (PyErr_Occurred()) refuse(c, CALL_RAISED);
    }
    ts_value made = ts_make_none();
    if (!c->problem) made = set ? ts_make_set(c->context, items, (size_t)k) : ts_make_tuple(c->context, items, (size_t)k);
    if (items != few) free(items);
    return made;
}

static ts_value word_in(conversion *c, PyObject *object) {
    ts_value word = ts_make_none();
    PyObject *bytes = PyUnicode_AsUTF8String(object);
    if (!bytes) PyErr_Clear();
    if (!bytes || !ts_make_word(PyBytes_AsString(bytes), &word)) refuse(c, TS_FAIL_TYPE);
    Py_XDECREF(bytes);
    return word;
}

// A function that only Python knows is a handle; one that equals another has its number.
static ts_value handle_in(conversion *c, PyObject *object) {
    Py_ssize_t count = PyList_Size(c->handles), place = PySequence_Index(c->handles, object);
    if (place < 0) {
        PyErr_Clear(); // it is not there yet
        place = count;
        if (PyList_Append(c->handles, object) < 0) return refuse(c, CALL_RAISED);
    }
    PyObject *arity = PyObject_CallFunctionObjArgs(c->arity, object, NULL);
    if (!arity) return refuse(c, CALL_RAISED);
    int n = (int)PyLong_AsLong(arity);
    Py_DECREF(arity);
    return ts_make_handle(c->context, place, n);
}

// A function of ours says what it is made of: (number of the primitive, its parts…).
static ts_value function_in(conversion *c, PyObject *object, int depth) {
    PyObject *made = PyObject_GetAttrString(object, "_made");
    if (!made) PyErr_Clear();
    if (!made) return handle_in(c, object);
    ts_value parts[4], function = ts_make_none();
    Py_ssize_t count = PyTuple_Check(made) ? PyTuple_Size(made) - 1 : -1;
    size_t op = count < 0 ? 0 : PyLong_AsSize_t(PyTuple_GetItem(made, 0));
    if (count < 0 || count > 4 || op >= ts_ops_count()) {
        PyErr_Clear();
        function = handle_in(c, object); // no function of ours after all
    } else {
        for (Py_ssize_t k = 0; k < count && !c->problem; k++)
            parts[k] = value_in(c, PyTuple_GetItem(made, k + 1), depth);
        if (!c->problem) function = count ? ts_make_function(c->context, op, parts) : ts_make_op(op);
    }
    Py_DECREF(made);
    return function;
}

// What numpy has turns into Python's by tolist().
static ts_value other_in(conversion *c, PyObject *object, int depth) {
    PyObject *plain = PyObject_HasAttrString(object, "tolist") ? PyObject_CallMethod(object, "tolist", NULL) : NULL;
    if (!plain && !PyErr_Occurred() && PyIndex_Check(object)) plain = PyNumber_Index(object);
    if (!plain) return refuse(c, PyErr_Occurred() ? CALL_RAISED : TS_FAIL_TYPE);
    ts_value value = value_in(c, plain, depth);
    Py_DECREF(plain);
    return value;
}

static ts_value value_in(conversion *c, PyObject *object, int depth) {
    if (depth > MOST_NESTED) return refuse(c, TS_FAIL_DEPTH);
    if (PyLong_Check(object)) return int_in(c, object);
    if (PyTuple_Check(object)) return items_in(c, object, false, depth + 1);
    if (PyAnySet_Check(object)) return items_in(c, object, true, depth + 1);
    if (object == Py_None) return ts_make_none();
    if (PyUnicode_Check(object)) return word_in(c, object);
    if (PyCallable_Check(object)) return function_in(c, object, depth + 1);
    if (PyList_Check(object)) return items_in(c, object, false, depth + 1);
    return other_in(c, object, depth + 1);
}

// ---- Out ----

static PyObject *grid_out(conversion *c, ts_grid grid) {
    PyObject *rows = PyTuple_New(grid.height);
    c->items += (size_t)grid.height * (size_t)(1 + grid.width);
    for (int i = 0; rows && i < grid.height; i++) {
        PyObject *row = PyTuple_New(grid.width);
        for (int j = 0; row && j < grid.width; j++) PyTuple_SetItem(row, j, PyLong_FromLong(grid.cells[i * grid.width + j]));
        if (!row || PyTuple_SetItem(rows, i, row) < 0) Py_CLEAR(rows);
    }
    return rows;
}

// The elements of a tuple or a set, or the parts of a function. Equal ones that stand together are one object.
static PyObject *items_out(conversion *c, ts_value value, bool set) {
    size_t count = ts_value_length(value);
    PyObject *all = set ? PyFrozenSet_New(NULL) : PyTuple_New((Py_ssize_t)count), *item = NULL;
    uint64_t before = 0;
    c->items += count;
    if (c->items > MOST_ITEMS) c->problem = CALL_TOO_LARGE;
    for (size_t k = 0; all && !c->problem && k < count; k++) {
        ts_value here = ts_value_at(c->context, value, k);
        PyObject *made = NULL;
        if (item && here.bits == before) Py_INCREF(made = item);
        else made = value_out(c, here);
        before = here.bits;
        item = made; // alive as long as `all` is
        if (!made || (set ? PySet_Add(all, made) : 0) < 0) Py_CLEAR(all);
        else if (!set) PyTuple_SetItem(all, (Py_ssize_t)k, made);
        if (set) Py_XDECREF(made);
    }
    if (c->problem) Py_CLEAR(all);
    return all;
}

static PyObject *value_out(conversion *c, ts_value value) {
    if (ts_value_is_grid(value)) return grid_out(c, ts_value_grid(value));
    switch (ts_value_kind(value)) {
    case TS_KIND_INT: return PyLong_FromLongLong(ts_value_int(value));
    case TS_KIND_TUPLE: return items_out(c, value, false);
    case TS_KIND_SET: return items_out(c, value, true);
    case TS_KIND_WORD: return PyUnicode_InternFromString(ts_value_name(value));
    case TS_KIND_HANDLE: {
        PyObject *function = PyList_GetItem(c->handles, (Py_ssize_t)ts_value_int(value));
        Py_XINCREF(function);
        return function;
    }
    case TS_KIND_FUNCTION: {
        PyObject *parts = items_out(c, value, false);
        PyObject *made = parts ? PyObject_CallFunction(c->make, "nO", (Py_ssize_t)ts_value_op(value), parts) : NULL;
        Py_XDECREF(parts);
        return made;
    }
    case TS_KIND_NONE: break;
    }
    Py_INCREF(Py_None);
    return Py_None;
}

// ---- A call ----

static _Thread_local int nested; // a function may call primitives with functions that call primitives …

// The engine calls a function that only Python knows. What it raises waits in the conversion until the call is over.
static ts_failure call_back(void *user, ts_context *context, int64_t n, const ts_value *arguments, size_t count,
                            ts_value *result) {
    conversion *c = user;
    (void)context; // that of the conversion
    if (nested >= MOST_CALLS) return TS_FAIL_DEPTH;
    PyGILState_STATE lock = PyGILState_Ensure();
    nested++;
    c->items = 0;
    PyObject *given = PyTuple_New((Py_ssize_t)count), *made = NULL;
    for (size_t k = 0; given && k < count; k++) {
        PyObject *item = value_out(c, arguments[k]);
        if (!item || PyTuple_SetItem(given, (Py_ssize_t)k, item) < 0) Py_CLEAR(given);
    }
    if (given) made = PyObject_CallObject(PyList_GetItem(c->handles, (Py_ssize_t)n), given);
    if (made) *result = value_in(c, made, 0);
    else refuse(c, CALL_RAISED);
    Py_XDECREF(given);
    Py_XDECREF(made);
    if (c->problem == CALL_RAISED) PyErr_Fetch(&c->error[0], &c->error[1], &c->error[2]);
    nested--;
    PyGILState_Release(lock);
    if (c->problem == CALL_TOO_LARGE) return TS_FAIL_BUDGET;
    return c->problem > 0 ? (ts_failure)c->problem : c->problem ? TS_FAIL_VALUE : TS_FAIL_NONE;
}

// ---- Primitives that Python registered ----

static PyObject *arguments_out(conversion *c, const ts_value *arguments, Py_ssize_t count) {
    PyObject *given = PyTuple_New(count);
    for (Py_ssize_t k = 0; given && k < count; k++) {
        PyObject *item = ts_value_kind(arguments[k]) == TS_KIND_HANDLE ? NULL : value_out(c, arguments[k]);
        if (!item || PyTuple_SetItem(given, k, item) < 0) Py_CLEAR(given);
    }
    return given;
}

// What is no value of the language, as the failure says it.
static ts_value refuse_object(ts_context *context, PyObject *object) {
    char message[100] = "it gave something that is no value of the language";
    PyObject *type = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
    PyObject *name = type ? PyUnicode_AsUTF8String(type) : NULL;
    if (name) snprintf(message, sizeof message, "a value of type %.40s is, or holds, no value of the language", PyBytes_AsString(name));
    Py_XDECREF(type);
    Py_XDECREF(name);
    return ts_context_fail(context, message);
}

// What came of the function: a tuple of its result, a text where it raised, None where the evaluation has to end.
static ts_value take_over(conversion *c, PyObject *came) {
    if (came == Py_None) return ts_context_fail_as(c->context, TS_FAIL_BUDGET);
    if (PyTuple_Check(came)) {
        ts_value value = value_in(c, PyTuple_GetItem(came, 0), 0);
        if (!c->problem && PyList_Size(c->handles) == 0) return value;
        if (c->problem > 0 && c->problem != TS_FAIL_TYPE) return ts_context_fail_as(c->context, (ts_failure)c->problem);
        if (c->problem == CALL_TOO_LARGE) return ts_context_fail_as(c->context, TS_FAIL_BUDGET);
        return refuse_object(c->context, PyTuple_GetItem(came, 0));
    }
    PyObject *text = PyUnicode_Check(came) ? PyUnicode_AsUTF8String(came) : NULL;
    ts_context_fail(c->context, text ? PyBytes_AsString(text) : "it raised an exception");
    Py_XDECREF(text);
    return ts_make_none();
}

// `user` is the tuple (enter, number of arguments, make, arity), which Python holds for ever.
static ts_value call_registered(ts_context *context, const ts_value *arguments, void *user) {
    if (nested >= MOST_CALLS) return ts_context_fail_as(context, TS_FAIL_DEPTH);
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *own = user, *came = NULL;
    conversion c = {.context = context,
                    .handles = PyList_New(0),
                    .make = PyTuple_GetItem(own, 2),
                    .arity = PyTuple_GetItem(own, 3)};
    nested++;
    PyObject *given = arguments_out(&c, arguments, PyLong_AsSsize_t(PyTuple_GetItem(own, 1)));
    if (given && c.handles) came = PyObject_CallObject(PyTuple_GetItem(own, 0), given);
    ts_value value = came ? take_over(&c, came) : ts_make_none();
    if (!given) ts_context_fail_as(context, c.problem == CALL_TOO_LARGE ? TS_FAIL_BUDGET : TS_FAIL_TYPE);
    else if (!came) ts_context_fail(context, "RecursionError or MemoryError before the function was called");
    nested--;
    PyErr_Clear();
    Py_XDECREF(came);
    Py_XDECREF(given);
    Py_XDECREF(c.handles);
    PyGILState_Release(lock);
    return value;
}

static bool add_primitive(ts_primitive *primitive, uintptr_t own, ts_status *status) {
    primitive->call = call_registered;
    primitive->user = (void *)own;
    return ts_primitive_add(primitive, status);
}

// ---- A call from Python ----

// With the list [function, arguments, make, arity]: calls a function of the engine, a primitive by its number, and appends what
// it gives.
static int call_with(conversion *c, ts_engine *engine, PyObject *call) {
    PyObject *function = PyList_GetItem(call, 0), *arguments = PyList_GetItem(call, 1);
    ts_value given[4], called;
    size_t count = (size_t)PyTuple_Size(arguments);
    if (count > 4) return TS_FAIL_ARITY;
    called = PyLong_Check(function) ? ts_make_op(PyLong_AsSize_t(function)) : value_in(c, function, 0);
    for (size_t k = 0; k < count && !c->problem; k++) given[k] = value_in(c, PyTuple_GetItem(arguments, (Py_ssize_t)k), 0);
    if (c->problem) return c->problem;
    bool calls_back = PyList_Size(c->handles) > 0;
    PyThreadState *state = PyEval_SaveThread();
    ts_result result = ts_call(engine, called, given, count, calls_back ? call_back : NULL, c);
    PyEval_RestoreThread(state);
    if (c->problem) return c->problem;
    if (result.failure) return (int)result.failure;
    PyObject *value = value_out(c, result.value);
    if (!value) return c->problem ? c->problem : CALL_RAISED;
    int bad = PyList_Append(call, value);
    Py_DECREF(value);
    return bad ? CALL_RAISED : 0;
}

// What was raised is appended, instead of a value: cffi has no way for it.
static void hand_over_error(conversion *c, PyObject *call) {
    PyObject **e = c->error;
    if (!e[0]) PyErr_Fetch(&e[0], &e[1], &e[2]);
    PyErr_NormalizeException(&e[0], &e[1], &e[2]);
    if (e[1] && e[2]) PyException_SetTraceback(e[1], e[2]);
    if (e[1]) PyList_Append(call, e[1]);
}

static int call_python(ts_engine *engine, uintptr_t address) {
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *call = (PyObject *)address;
    conversion c = {.context = ts_call_begin(engine),
                    .handles = PyList_New(0),
                    .make = PyList_GetItem(call, 2),
                    .arity = PyList_GetItem(call, 3)};
    int outcome = c.handles ? call_with(&c, engine, call) : CALL_RAISED;
    if (outcome == CALL_RAISED) hand_over_error(&c, call);
    PyErr_Clear();
    for (int k = 0; k < 3; k++) Py_XDECREF(c.error[k]);
    Py_XDECREF(c.handles);
    PyGILState_Release(lock);
    return outcome;
}
