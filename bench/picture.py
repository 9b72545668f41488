"""Curves over a logarithmic axis, and shares against shares, as SVG; what the pictures of docs/ are drawn with."""
import math


class Picture:
    WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 60, 24, 40, 56

    def __init__(self, x_range, y_most):
        self.low, self.high = math.log10(x_range[0]), math.log10(x_range[1])
        self.y_most = y_most
        self.parts = []

    def x(self, value):
        return self.LEFT + (math.log10(value) - self.low) / (self.high - self.low) * (self.WIDTH - self.LEFT - self.RIGHT)

    def y(self, value):
        return self.HEIGHT - self.BOTTOM - value / self.y_most * (self.HEIGHT - self.TOP - self.BOTTOM)

    def line(self, points, color, more=""):
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" {more}/>')

    def dot(self, x, y, color):
        self.parts.append(f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="4" fill="{color}"/>')

    def text(self, x, y, words, anchor="middle", color="#333", more=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" {more}>{words}</text>')

    def axes(self, title, x_title, y_step=50):
        for value in (0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000):
            if self.low <= math.log10(value) <= self.high:
                self.line([(value, 0), (value, self.y_most)], "#ddd")
                self.text(self.x(value), self.HEIGHT - self.BOTTOM + 18, f"{value:g}")
        for value in range(0, self.y_most + 1, y_step):
            self.line([(10 ** self.low, value), (10 ** self.high, value)], "#ddd")
            self.text(self.LEFT - 8, self.y(value) + 4, value, "end")
        self.text(self.WIDTH / 2, 22, title, more='font-size="15"')
        self.text(self.WIDTH / 2, self.HEIGHT - 14, x_title)

    def write(self, path):
        with open(path, "w") as out:
            out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.WIDTH} {self.HEIGHT}" '
                      f'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="#fff"/>\n'
                      + "\n".join(self.parts) + "\n</svg>\n")


class Shares(Picture):
    """What came true against what was foretold: both axes go from 0 to 1."""
    WIDTH, HEIGHT = 480, 480

    def __init__(self):
        self.y_most = 1
        self.parts = []

    def x(self, value):
        return self.LEFT + value * (self.WIDTH - self.LEFT - self.RIGHT)

    def axes(self, title, x_title):
        for k in range(6):
            value = k / 5
            self.line([(value, 0), (value, 1)], "#ddd")
            self.line([(0, value), (1, value)], "#ddd")
            self.text(self.x(value), self.HEIGHT - self.BOTTOM + 18, f"{value:g}")
            self.text(self.LEFT - 8, self.y(value) + 4, f"{value:g}", "end")
        self.line([(0, 0), (1, 1)], "#999", 'stroke-dasharray="5 4"')
        self.text(self.WIDTH / 2, 22, title, more='font-size="15"')
        self.text(self.WIDTH / 2, self.HEIGHT - 14, x_title)
