"""Matrix factorisation by (weighted) squared errors, plainly: biases, Adam, early stopping on validation ratings.

Reads a folder of bare numbers and prints the mean squared error over all pairs as JSON.
"""
import json
import sys
import time

import numpy as np

folder, weighted, seed, dim, rate, l2, patience, batch = (
    sys.argv[1], sys.argv[2] == "ips", int(sys.argv[3]), int(sys.argv[4]),
    float(sys.argv[5]), float(sys.argv[6]), int(sys.argv[7]), int(sys.argv[8]),
)
shape = json.load(open(f"{folder}/shape.json"))
users, items = shape["users"], shape["items"]
truth = np.fromfile(f"{folder}/ratings.f64").reshape(users, items)


def part(name):
    table = np.fromfile(f"{folder}/{name}.f64").reshape(-1, 4)
    return table[:, 0].astype(int), table[:, 1].astype(int), table[:, 2], table[:, 3]


train, validation = part("train"), part("validation")
u, i, r, p = train
w = 1 / p if weighted else np.ones(len(r))
centre = np.sum(w * r) / np.sum(w)
w = w / w.mean()
random = np.random.default_rng(seed)
tables = {
    "P": random.uniform(-1, 1, (users, dim)) * np.sqrt(6 / (users + dim)),
    "Q": random.uniform(-1, 1, (items, dim)) * np.sqrt(6 / (items + dim)),
    "a": np.zeros(users),
    "b": np.zeros(items),
}
means = {name: np.zeros_like(table) for name, table in tables.items()}
squares = {name: np.zeros_like(table) for name, table in tables.items()}


def predict(u, i):
    return centre + tables["a"][u] + tables["b"][i] + np.sum(tables["P"][u] * tables["Q"][i], axis=1)


def error_on(u, i, r, p):
    v = 1 / p if weighted else np.ones(len(r))
    return np.sum(v * (predict(u, i) - r) ** 2) / np.sum(v)


began, step, best = time.perf_counter(), 0, (np.inf, 0, None)
for epoch in range(1, 1001):
    order = random.permutation(len(r))
    for first in range(0, len(r), batch):
        rows = order[first : first + batch]
        bu, bi, n = u[rows], i[rows], len(rows)
        slope = 2 * w[rows] * (predict(bu, bi) - r[rows]) / n
        gradients = {name: np.zeros_like(table) for name, table in tables.items()}
        np.add.at(gradients["P"], bu, slope[:, None] * tables["Q"][bi] + l2 / n * tables["P"][bu])
        np.add.at(gradients["Q"], bi, slope[:, None] * tables["P"][bu] + l2 / n * tables["Q"][bi])
        np.add.at(gradients["a"], bu, slope + l2 / n * tables["a"][bu])
        np.add.at(gradients["b"], bi, slope + l2 / n * tables["b"][bi])
        step += 1
        for name, gradient in gradients.items():
            means[name] = 0.9 * means[name] + 0.1 * gradient
            squares[name] = 0.999 * squares[name] + 0.001 * gradient**2
            scaled = means[name] / (1 - 0.9**step)
            tables[name] -= rate * scaled / (np.sqrt(squares[name] / (1 - 0.999**step)) + 1e-8)
    error = error_on(*validation)
    if error < best[0] - 1e-4:
        best = (error, epoch, {name: table.copy() for name, table in tables.items()})
    if epoch - best[1] >= patience:
        break
seconds = time.perf_counter() - began
tables = best[2]
everything = centre + tables["a"][:, None] + tables["b"] + tables["P"] @ tables["Q"].T
print(json.dumps({
    "error": float(np.mean((everything - truth) ** 2)),
    "epoch": best[1],
    "seconds": seconds,
    "version": np.__version__,
}))
