def a(I):
	x = rot90(I)

	return x
