// Python as models write it, as a tree: what the second reader (python_reader.c) reads when a text is more
// than lines of calls. The parser knows expressions and statements by their form alone; what they mean is the
// business of who lowers them (python_lower.h). Each problem is noted, and reading goes on with the next
// statement.
#ifndef TESSERA_PROGRAM_PYTHON_SYNTAX_H
#define TESSERA_PROGRAM_PYTHON_SYNTAX_H

#include "base/index.h"
#include "program/draft.h"
#include "program/symbols.h"

typedef enum {
    PYTHON_BAD, // has been reported
    // Expressions.
    PYTHON_NAME,
    PYTHON_INT,
    PYTHON_STRING,
    PYTHON_TUPLE, // a: the elements; so of a list and a set
    PYTHON_LIST,
    PYTHON_SET,
    PYTHON_CALL,      // a(b …), with keywords and stars among b
    PYTHON_KEYWORD,   // name = a
    PYTHON_STAR,      // *a
    PYTHON_INDEX,     // a[b]
    PYTHON_SLICE,     // a:b:c, each perhaps NULL
    PYTHON_ATTRIBUTE, // a.name
    PYTHON_BINARY,    // a op b
    PYTHON_COMPARE,   // a, and in b the parts that follow
    PYTHON_COMPARED,  // op a
    PYTHON_AND,       // a and b
    PYTHON_OR,
    PYTHON_NOT,
    PYTHON_SIGN,          // op a
    PYTHON_CHOICE,        // b if a else c
    PYTHON_LAMBDA,        // a: parameters; b: the value
    PYTHON_COMPREHENSION, // a for … in …; b: clauses; op is its bracket
    PYTHON_CLAUSE,        // for a in b, c: conditions
    PYTHON_PARAMETER,     // name, a: what it is without an argument, or NULL
    // Statements.
    PYTHON_ASSIGN,     // b to each of the targets a
    PYTHON_AUGMENT,    // a op= b
    PYTHON_RETURN,     // a, or NULL
    PYTHON_IF,         // a; b: then; c: else
    PYTHON_FOR,        // for a in b: c
    PYTHON_DEF,        // name, a: parameters; b: the body
    PYTHON_EXPRESSION, // a
    PYTHON_PASS,
    PYTHON_REFUSED, // reported; a: what it held
} PythonKind;

typedef struct PythonNode PythonNode;
struct PythonNode {
    uint8_t kind;
    bool returns;   // a return is in it
    bool is_broken; // at the top: something in it could not be read
    uint32_t op;    // of an operator: its characters, the last one lowest
    uint32_t name;  // its number among the names of the text
    uint32_t line, length;
    const char *at;
    uint64_t value;
    PythonNode *a, *b, *c, *next; // next: of the list that it is in
};

// A name of the text: what it means from the start, and the definition that has it at the top, if any.
typedef struct {
    Token token;
    const Symbol *known;
    PythonNode *def;
    bool is_called; // the definition, by another one
    bool is_module; // of the language, imported as such
    bool is_stored; // something gives it a value
} PythonName;

// Problems are bounded, in one definition and in all; and so is how deep things may stand in others.
enum { PYTHON_MOST_OF_DEF = 20, PYTHON_MOST_PROBLEMS = 1000, PYTHON_DEEPEST = 120 };

typedef struct {
    ts_programs *set;
    const char *file, *text;
    size_t length;
    Lexer lexer;
    Token t;
    uint32_t op; // of the token, where it is an operator
    int depth;
    Arena arena; // the tree, terms, scopes: until the next text
    PythonName *names;
    uint32_t name_count, name_room;
    Index index; // of the names
    StatusPlace known;
    Status *problems;
    int count, room, first; // first: of the statement at the top that is in hand
    bool starved;
    bool is_fenced;              // later definitions replace those before
    PythonNode *tops, **top_end; // statements at the top, in order
} PythonText;

// Notes a problem; with a remedy where that is not "". Always false.
bool python_problem(PythonText *p, const char *at, size_t length, ts_problem kind, const char *remedy,
                    const char *format, ...) __attribute__((format(printf, 6, 7)));
bool python_is_full(const PythonText *p);        // of problems: what else is wrong is of no interest
void *python_alloc(PythonText *p, size_t bytes); // NULL where memory is short, which is noted

// Reads the statements of a part of the text.
void python_parse(PythonText *p, const char *start, const char *end, uint32_t line);
// Reads one expression; NULL where it is none.
PythonNode *python_parse_expression(PythonText *p);

// An operator by its characters.
#define PYTHON_OP(a, b) ((uint32_t)(a) << 8 | (uint32_t)(b))

#endif
