def a(I): return compose(rot90, lbind(power, rot90)(2))(I)
