"""One measurement by NumPy: the inverse of a matrix, or sweeps of iALS on MovieLens 1M, as ours.mjs makes them."""

import json
import os
import resource
import sys
import time

import numpy as np


def inverse(size):
    n = int(size)
    rows = np.arange(n)
    matrix = 1 / (1 + np.abs(rows[:, None] - rows[None, :])) + 40 * np.eye(n)
    began = time.perf_counter()
    solved = np.linalg.inv(matrix)
    return time.perf_counter() - began, float(np.trace(solved))


def clicks():
    users, items, pairs = {}, {}, []
    path = os.path.join(os.environ["HINDCAST_DATA"], "ml-1m", "ratings.dat")
    with open(path, encoding="latin1") as lines:
        for line in lines:
            user, item, rating = line.rstrip().split("::")[:3]
            if int(rating) >= 4:
                pairs.append((users.setdefault(user, len(users)), items.setdefault(item, len(items))))
    by_user = [[] for _ in users]
    by_item = [[] for _ in items]
    for user, item in pairs:
        by_user[user].append(item)
        by_item[item].append(user)
    return [np.array(own) for own in by_user], [np.array(own) for own in by_item]


def half(neighbours, other, unobserved, penalty):
    gram = unobserved * other.T @ other
    solved = np.zeros((len(neighbours), other.shape[1]))
    for row, own in enumerate(neighbours):
        y = other[own]
        matrix = gram + y.T @ y
        matrix.flat[:: other.shape[1] + 1] += penalty * (len(own) + unobserved * len(other))
        solved[row] = np.linalg.solve(matrix, y.sum(axis=0))
    return solved


def objective(by_user, by_item, users, items, unobserved, penalty):
    total = sum(float(((1 - items[own] @ users[row]) ** 2).sum()) for row, own in enumerate(by_user))
    total += unobserved * float(((users.T @ users) * (items.T @ items)).sum())
    for neighbours, own, other in ((by_user, users, items), (by_item, items, users)):
        counts = np.array([len(one) for one in neighbours]) + unobserved * len(other)
        total += penalty * float((counts * (own**2).sum(axis=1)).sum())
    return total


def sweep(settings):
    given = json.loads(settings)
    by_user, by_item = clicks()
    dim, unobserved, penalty = given["dim"], given["unobserved"], given["lambda"]
    items = 0.02 * np.sin(np.arange(len(by_item) * dim) + 1).reshape(-1, dim)
    users = half(by_user, items, unobserved, penalty)
    began = time.perf_counter()
    for _ in range(given["sweeps"]):
        items = half(by_item, users, unobserved, penalty)
        users = half(by_user, items, unobserved, penalty)
    seconds = (time.perf_counter() - began) / given["sweeps"]
    return seconds, objective(by_user, by_item, users, items, unobserved, penalty)


what, given = sys.argv[1:3]
seconds, check = {"inverse": inverse, "plain": inverse, "sweep": sweep}[what](given)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps({"seconds": seconds, "check": check, "peakMegabytes": peak}))
