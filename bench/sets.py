"""The sets of training tasks that the search is made and measured on.

    A       ARC-1's training tasks (400): the engines were made on them
    B       the tasks of ARC-AGI-2's training set that are in no other set (233)
    B-look  one half of B, to look at; with A the tables of confidence and facts are made from it
    B-test  the other half, of which totals alone are looked at: what is found there is to be trusted
    made    A and B-look
    all     A and B
"""
import json
import random

FIRST, SECOND = "data/arcagi_aa922be.json", "data/arcagi2_f3283f7.json"
NAMES = ("A", "B", "B-look", "B-test", "made", "all")


def read_set(name):
    """The tasks of a set, by id."""
    first, second = json.load(open(FIRST)), json.load(open(SECOND))
    a = first["train"]
    b = {id: task for id, task in second["train"].items() if id not in {**a, **first["eval"], **second["eval"]}}
    ids = sorted(b)
    random.Random(15).shuffle(ids)
    half = (len(ids) + 1) // 2
    look, test = ({id: b[id] for id in sorted(part)} for part in (ids[:half], ids[half:]))
    return {"A": a, "B": b, "B-look": look, "B-test": test, "made": {**a, **look}, "all": {**a, **b}}[name]
