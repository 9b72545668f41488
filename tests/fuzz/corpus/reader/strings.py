"""a
b"""
'x'
def a(I):
    r"doc\"
    return I
"open
