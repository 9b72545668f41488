// Programs in English: what a program does, in a few sentences, for a person who knows neither the language
// nor the task.
//
// A program is straight-line code. What it does to a grid step by step, from the input to the result, is told
// as steps: "Fill the largest object with blue." All else is told as part of a sentence where it is used,
// "the largest object of the input"; what is long or used often gets a name first: "Let A be …". Functions
// are told by what they give for some thing: they are applied to a thing without a name, "it", until only
// primitives are left. The phrases are in phrases.def, one row for each primitive.
#ifndef TESSERA_TELL_TELL_H
#define TESSERA_TELL_TELL_H

#include "program/program.h"

// A few sentences on one line. Long programs are told in part, and it is said how much is left out.
void tell_program(Text *t, const Program *p);

#endif
