def a(I):
    x = \
  fill(I, # c

   5, {
(0,0)})
    return x
def b(I): x = 1; return x;
