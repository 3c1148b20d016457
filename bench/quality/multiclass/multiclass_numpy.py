"""Multi-class data as a bandit log, and the yardsticks on it: POEM and Norm-POEM, written plainly, by L-BFGS.

Writes the log and the test examples into a folder, as bare numbers, and prints errors in per cent as JSON. The
protocol is that of Swaminathan and Joachims (2015): a softmax trained on 5 % of the training examples logs one label
for each of them, four times over, and it is logged whether the label was right.
"""
import json
import os
import sys
import time

# Threads on matrices this small cost more than they bring.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np
import scipy
import sklearn
from scipy.optimize import minimize

folder, name, seed, sharpness = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
REPLAYS, VALIDATION = 4, 0.25
VARIANCE_GRID, RIDGE_GRID = [0.01, 0.1, 1.0], [1e-4, 1e-3]


def letters(examples=2000, classes=26, features=16):
    """Like UCI's letters: 26 classes of two shapes each, 16 features from 0 to 15. The same for every seed."""
    random = np.random.default_rng(0)
    shapes = random.uniform(3, 12, (classes, 2, features))
    label = random.integers(classes, size=examples)
    style = random.integers(2, size=examples)
    x = shapes[label, style] + random.normal(0, 2.2, (examples, features))
    return np.clip(np.round(x), 0, 15), label


def digits():
    from sklearn.datasets import load_digits

    return load_digits(return_X_y=True)


def softmax(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def fit(x, classes, loss):
    """L-BFGS from 0; loss gives the value and the slopes along the scores."""

    def objective(flat):
        w = flat.reshape(x.shape[1], classes)
        value, slopes, ridge = loss(softmax(x @ w))
        return value + ridge / 2 * np.sum(w * w), (x.T @ slopes + ridge * w).ravel()

    found = minimize(objective, np.zeros(x.shape[1] * classes), jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return found.x.reshape(x.shape[1], classes)


def likelihood(y, ridge):
    rows = np.arange(len(y))

    def loss(p):
        slopes = p / len(y)
        slopes[rows, y] -= 1 / len(y)
        return -np.mean(np.log(p[rows, y])), slopes, ridge

    return loss


def through_weights(p, y, slope_along_weight, b):
    """Slopes along the scores, from those along w = p/b of the shown label."""
    rows = np.arange(len(y))
    own = slope_along_weight * p[rows, y] / b
    slopes = -own[:, None] * p
    slopes[rows, y] += own
    return slopes


def poem(y, r, b, variance, ridge, largest):
    """Mean of min(w, M)·(−r), and λ of its standard error."""
    n = len(y)

    def loss(p):
        w = p[np.arange(n), y] / b
        u = -r * np.minimum(w, largest)
        spread = np.sqrt(np.var(u, ddof=1) / n) + 1e-12
        along = (1 + variance * (u - u.mean()) / ((n - 1) * spread)) / n
        return u.mean() + variance * spread, through_weights(p, y, along * -r * (w < largest), b), ridge

    return loss


def norm_poem(y, r, b, variance, ridge):
    """Self-normalised −r, and λ of its standard error by linearisation."""
    n = len(y)

    def loss(p):
        w = p[np.arange(n), y] / b
        total = w.sum()
        mean = -(w @ r) / total
        off = -r - mean
        squares = np.sum(w * w * off * off)
        spread = np.sqrt(squares) / total + 1e-12
        along_mean = off / total
        along_squares = 2 * w * off * off - 2 * np.sum(w * w * off) * along_mean
        along_spread = along_squares / (2 * total**2 * spread) - spread / total
        return mean + variance * spread, through_weights(p, y, along_mean + variance * along_spread, b), ridge

    return loss


def errors(p, y):
    return {"best": 100 * np.mean(p.argmax(axis=1) != y), "expected": 100 * (1 - p[np.arange(len(y)), y].mean())}


features, labels = {"digits": digits, "letters": letters}[name]()
classes = int(labels.max()) + 1
random = np.random.default_rng(seed + 1)
order = random.permutation(len(labels))
test, training = order[: len(order) // 4], order[len(order) // 4 :]
few = training[: len(training) // 20]


def scaled(of):
    mean, deviation = features[training].mean(axis=0), features[training].std(axis=0)
    return np.c_[(features[of] - mean) / np.where(deviation > 0, deviation, 1), np.ones(len(of))]


logging = sharpness * fit(scaled(few), classes, likelihood(labels[few], 1e-2))
example = np.tile(training, REPLAYS)
b_all = softmax(scaled(example) @ logging)
shown = (b_all.cumsum(axis=1) < random.uniform(size=(len(example), 1))).sum(axis=1).clip(0, classes - 1)
b = b_all[np.arange(len(example)), shown]
r = (shown == labels[example]).astype(float)
is_held = np.tile(random.uniform(size=len(training)) < VALIDATION, REPLAYS)

results, seconds = {"logging": errors(softmax(scaled(test) @ logging), labels[test])}, {}


def tried(method, losses, choose):
    began = time.perf_counter()
    fits = [fit(x_train, classes, loss) for loss in losses]
    held = [softmax(x_held @ w) for w in fits]
    best = max(range(len(fits)), key=lambda k: choose(held[k]))
    results[method] = errors(softmax(scaled(test) @ fits[best]), labels[test])
    seconds[method] = time.perf_counter() - began


x_train, x_held = scaled(example[~is_held]), scaled(example[is_held])
y, rr, bb = shown[~is_held], r[~is_held], b[~is_held]
# The ratio of the 90th to the 10th percentile of propensities, as in the paper.
largest = np.percentile(bb, 90) / np.percentile(bb, 10)
ones = [(v, ridge) for v in VARIANCE_GRID for ridge in RIDGE_GRID]


def held_weights(p):
    return p[np.arange(is_held.sum()), shown[is_held]] / b[is_held]


tried("poem, NumPy", [poem(y, rr, bb, v, ridge, largest) for v, ridge in ones],
      lambda p: np.mean(held_weights(p) * r[is_held]))
tried("norm-poem, NumPy", [norm_poem(y, rr, bb, v, ridge) for v, ridge in ones],
      lambda p: held_weights(p) @ r[is_held] / held_weights(p).sum())
tried("full information", [likelihood(labels[example[~is_held]], ridge) for ridge in RIDGE_GRID],
      lambda p: np.mean(p.argmax(axis=1) == labels[example[is_held]]))

log = np.c_[example, shown, r, b, is_held, features[example]]
log.astype("<f8").tofile(f"{folder}/log.f64")
np.c_[labels[test], features[test]].astype("<f8").tofile(f"{folder}/test.f64")
versions = f"NumPy {np.__version__}, SciPy {scipy.__version__}, scikit-learn {sklearn.__version__}"
print(json.dumps({"classes": classes, "features": features.shape[1], "rows": len(log), "errors": results,
                  "seconds": seconds, "versions": versions}))
