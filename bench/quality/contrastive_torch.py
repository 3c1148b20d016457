"""Does a contrastive loss on the graph earn its place? XSimGCL (Yu et al. 2023) beside LightGCN with BPR and with the
softmax loss, iALS and EASE, in plain PyTorch on one card: MovieLens 100K and 1M (ratings of 4 and 5) and Gowalla.

    python3 bench/quality/contrastive_torch.py DATA [--seconds 500] [--sets ml-100k,ml-1m,gowalla] [--out FILE]

Clicks are held out by chance, 8:1:1. Every setting is trained until its NDCG@10 on the validation clicks has not risen for
five looks, and the best setting of each method by that number is measured on the test clicks. Results are written as they
come. Needs a GPU; about nine minutes on an H200.
"""
import argparse
import itertools
import json
import math
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as F

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DIM, TOP, LOOKS = 64, 10, 5
# Of the time, what the settings of each method have together: the one that is asked about takes the longest steps.
SHARES = {"bpr": 0.1, "softmax": 0.3, "xsimgcl": 0.6}


def movielens(path, separator):
    rows = [line.split(separator) for line in pathlib.Path(path).read_text(encoding="latin-1").strip().split("\n")]
    return np.array([(int(user), int(item)) for user, item, rating, *_ in rows if float(rating) >= 4])


def gowalla(folder):
    pairs = []
    for part in ("train.txt", "test.txt"):
        for line in (folder / part).read_text().strip().split("\n"):
            user, *items = map(int, line.split())
            pairs += [(user, item) for item in items]
    return np.array(pairs)


class Clicks:
    """Clicks in three parts, with dense ids of all users and items."""

    def __init__(self, pairs, seed=0):
        pairs = np.unique(pairs, axis=0)
        self.users, self.items = (len(np.unique(pairs[:, side])) for side in (0, 1))
        dense = np.stack([np.unique(pairs[:, side], return_inverse=True)[1] for side in (0, 1)], 1)
        part = np.random.default_rng(seed).choice(3, len(dense), p=[0.8, 0.1, 0.1])
        self.train, self.valid, self.test = (
            torch.from_numpy(dense[part == k]).to(DEVICE) for k in range(3)
        )

    def matrix(self, parts):
        where = torch.cat(parts).T
        return torch.sparse_coo_tensor(
            where, torch.ones(where.shape[1], device=DEVICE), (self.users, self.items)
        ).coalesce()


def ndcg(clicks, scores_of, wanted, hidden):
    """The mean NDCG@10 over users with clicks in `wanted`; items of `hidden` are not ranked."""
    wanted_rows, hidden_rows = clicks.matrix([wanted]), clicks.matrix(hidden)
    gains = 1 / torch.log2(torch.arange(2, TOP + 2, device=DEVICE, dtype=torch.float64))
    total, count = 0.0, 0
    for users in torch.arange(clicks.users, device=DEVICE).split(4096):
        truth = wanted_rows.index_select(0, users).to_dense()
        has = truth.sum(1)
        scores = scores_of(users).float()
        scores = scores.masked_fill(hidden_rows.index_select(0, users).to_dense() > 0, -math.inf)
        hits = truth.gather(1, scores.topk(TOP).indices).double()
        ideal = gains.cumsum(0)[(has.clamp(1, TOP) - 1).long()]
        total += ((hits * gains).sum(1) / ideal)[has > 0].sum().item()
        count += int((has > 0).sum())
    return total / count


def adjacency(clicks):
    """The symmetrically normalised graph of users and items, as one CSR matrix."""
    user, item = clicks.train.T
    item = item + clicks.users
    size = clicks.users + clicks.items
    rows, columns = torch.cat([user, item]), torch.cat([item, user])
    degree = torch.bincount(rows, minlength=size).clamp(min=1).float()
    values = (degree[rows] * degree[columns]).rsqrt()
    return torch.sparse_coo_tensor(torch.stack([rows, columns]), values, (size, size)).coalesce().to_sparse_csr()


class Propagate(torch.autograd.Function):
    """One hop; the graph is symmetric, so the way back is the same product."""

    @staticmethod
    def forward(ctx, graph, table):
        ctx.graph = graph
        return graph @ table

    @staticmethod
    def backward(ctx, gradient):
        return None, ctx.graph @ gradient


def embeddings(graph, table, layers, noise=0.0, with_table=True):
    """The mean of the layers, and the first one: the two views of XSimGCL when noise is added to each layer."""
    seen = [table] if with_table else []
    first = None
    for _ in range(layers):
        table = Propagate.apply(graph, table)
        if noise > 0:
            table = table + table.sign() * F.normalize(torch.rand_like(table), dim=1) * noise
        first = table if first is None else first
        seen.append(table)
    return torch.stack(seen).mean(0), first


def contrast(one, other, temperature):
    one, other = F.normalize(one, dim=1), F.normalize(other, dim=1)
    logits = one @ other.T / temperature
    return F.cross_entropy(logits, torch.arange(len(one), device=DEVICE))


def train_graph(clicks, graph, of, deadline):
    """Trains LightGCN by one of three losses; returns the validation and test NDCG of its best look."""
    torch.manual_seed(0)
    table = torch.nn.Parameter(torch.empty(clicks.users + clicks.items, DIM, device=DEVICE))
    torch.nn.init.xavier_uniform_(table)
    optimiser = torch.optim.Adam([table], lr=of["rate"], fused=DEVICE == "cuda")
    contrastive = of["loss"] == "xsimgcl"
    began, best, since, epoch = time.time(), (-1.0, -1.0, 0), 0, 0
    steps = math.ceil(len(clicks.train) / 2048)
    every = max(1, round(of["look"] / steps))
    while since < LOOKS and time.time() < deadline:
        epoch += 1
        for batch in clicks.train[torch.randperm(len(clicks.train), device=DEVICE)].split(2048):
            user, item = batch.T
            final, first = embeddings(
                graph, table, of["layers"], of.get("noise", 0.0), with_table=not contrastive
            )
            users, positives = final[user], final[clicks.users + item]
            drawn = of.get("drawn", 1)
            others = torch.randint(clicks.items, (len(batch), drawn), device=DEVICE)
            negatives = final[clicks.users + others]
            right = (users * positives).sum(1, keepdim=True)
            wrong = torch.einsum("bd,bnd->bn", users, negatives)
            if of["loss"] == "softmax":
                loss = F.cross_entropy(
                    torch.cat([right, wrong], 1), torch.zeros(len(batch), dtype=torch.long, device=DEVICE)
                )
            else:
                loss = F.softplus(wrong - right).mean()
            squares = table[user].square().sum() + table[clicks.users + item].square().sum()
            squares = squares + table[clicks.users + others].square().sum() / drawn
            loss = loss + of["l2"] * squares / len(batch)
            if contrastive:
                nodes = [torch.unique(user), clicks.users + torch.unique(item)]
                loss = loss + of["weight"] * sum(contrast(final[k], first[k], of["temperature"]) for k in nodes)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
        if epoch % every:
            continue
        with torch.no_grad():
            final, _ = embeddings(graph, table, of["layers"], with_table=not contrastive)
            users, items = final[: clicks.users], final[clicks.users :]
            value = ndcg(clicks, lambda chosen: users[chosen] @ items.T, clicks.valid, [clicks.train])
            since += 1
            if value > best[0]:
                test = ndcg(clicks, lambda chosen: users[chosen] @ items.T, clicks.test, [clicks.train, clicks.valid])
                best, since = (value, test, epoch), 0
    return {"valid": best[0], "test": best[1], "epoch": best[2], "epochs": epoch, "seconds": time.time() - began}


def ease(clicks, l2):
    """Steck 2019, in float64; only where the items' matrix fits."""
    began = time.time()
    matrix = clicks.matrix([clicks.train])
    gram = torch.zeros(clicks.items, clicks.items, device=DEVICE, dtype=torch.float64)
    for users in torch.arange(clicks.users, device=DEVICE).split(4096):
        dense = matrix.index_select(0, users).to_dense().double()
        gram += dense.T @ dense
    gram.diagonal().add_(l2)
    inverse = torch.cholesky_inverse(torch.linalg.cholesky(gram))
    weights = (-inverse / inverse.diagonal()).float()
    weights.fill_diagonal_(0)
    scores = lambda users: matrix.index_select(0, users).to_dense() @ weights
    return measured(clicks, scores, began)


def ials(clicks, l2, alpha, sweeps=12):
    """Implicit alternating least squares with the ridge scaled by frequency (Rendle et al. 2022)."""
    began = time.time()
    torch.manual_seed(0)
    sides = [torch.randn(n, DIM, device=DEVICE) * 0.1 / DIM**0.5 for n in (clicks.users, clicks.items)]
    for _ in range(sweeps):
        for side in (0, 1):
            ours, theirs = clicks.train[:, side], clicks.train[:, 1 - side]
            order = ours.argsort()
            ours, rows = ours[order], sides[1 - side][theirs[order]]
            gram = alpha * sides[1 - side].T @ sides[1 - side]
            count = torch.bincount(ours, minlength=len(sides[side]))
            ends = count.cumsum(0)
            chunks = torch.arange(len(sides[side]), device=DEVICE).split(2048)
            for chosen in chunks:
                begin = int(ends[chosen[0]] - count[chosen[0]])
                end = int(ends[chosen[-1]])
                part = rows[begin:end]
                place = ours[begin:end] - chosen[0]
                left = torch.zeros(len(chosen), DIM, DIM, device=DEVICE)
                for k in torch.arange(end - begin, device=DEVICE).split(200_000):
                    left.index_add_(0, place[k], part[k, :, None] * part[k, None, :])
                right = torch.zeros(len(chosen), DIM, device=DEVICE).index_add_(0, place, part)
                ridge = l2 * (count[chosen] + alpha * len(sides[1 - side]))
                left = left + gram + torch.diag_embed(ridge[:, None].expand(-1, DIM))
                sides[side][chosen] = torch.linalg.solve(left, right)
    users, items = sides
    return measured(clicks, lambda chosen: users[chosen] @ items.T, began)


def measured(clicks, scores, began):
    seconds = time.time() - began
    return {
        "valid": ndcg(clicks, scores, clicks.valid, [clicks.train]),
        "test": ndcg(clicks, scores, clicks.test, [clicks.train, clicks.valid]),
        "seconds": seconds,
    }


def grid(**choices):
    names = list(choices)
    return [dict(zip(names, values)) for values in itertools.product(*choices.values())]


def settings(look):
    """What is tried of each method, the most usual first; graphs are looked at every `look` steps."""
    shared = {"look": look}
    return {
        "bpr": [
            {**shared, "loss": "bpr", **one} for one in grid(rate=[5e-3], l2=[1e-4], layers=[2])
        ],
        "softmax": [
            {**shared, "loss": "softmax", "drawn": 64, **one}
            for one in grid(rate=[1e-2], l2=[1e-2, 1e-3], layers=[2])
        ],
        "xsimgcl": [
            {**shared, "loss": "xsimgcl", "l2": 1e-4, "temperature": 0.2, **one}
            for one in grid(rate=[5e-3, 2e-3], weight=[0.1, 0.02], noise=[0.2], layers=[2])
        ],
    }


def main():
    read = argparse.ArgumentParser()
    read.add_argument("data", type=pathlib.Path)
    read.add_argument("--seconds", type=float, default=500)
    read.add_argument("--sets", default="ml-100k,ml-1m,gowalla")
    read.add_argument("--out", type=pathlib.Path)
    asked = read.parse_args()
    sets = {
        "ml-100k": lambda: movielens(asked.data / "ml-100k" / "u.data", "\t"),
        "ml-1m": lambda: movielens(asked.data / "ml-1m" / "ratings.dat", "::"),
        "gowalla": lambda: gowalla(asked.data / "gowalla"),
    }
    shares = {"ml-100k": 1, "ml-1m": 2, "gowalla": 3}
    names = asked.sets.split(",")
    results = {"device": torch.cuda.get_device_name() if DEVICE == "cuda" else "cpu", "sets": {}}
    for name in names:
        clicks = Clicks(sets[name]())
        graph = adjacency(clicks)
        found = results["sets"][name] = {"clicks": len(clicks.train), "users": clicks.users, "items": clicks.items, "runs": []}

        def note(method, of, outcome):
            found["runs"].append({"method": method, **of, **outcome})
            print(name, method, {k: v for k, v in of.items() if k not in ("loss", "look")}, outcome, flush=True)
            if asked.out:
                asked.out.write_text(json.dumps(results, indent=2) + "\n")

        for l2 in (200, 500) if clicks.items < 20_000 else (200,):
            note("ease", {"l2": l2}, ease(clicks, l2))
        for of in grid(l2=[3e-3, 1e-2], alpha=[0.1, 0.3]):
            note("ials", of, ials(clicks, **of))
        plan = [(method, of) for method, ofs in settings(look=200).items() for of in ofs]
        # Each set has its share of the time, and each method its share of that, so that no setting starves the others.
        share = asked.seconds * shares[name] / sum(shares[one] for one in names)
        for method, of in plan:
            limit = share * SHARES[method] / sum(one == method for one, _ in plan)
            note(method, of, train_graph(clicks, graph, of, time.time() + limit))


if __name__ == "__main__":
    main()
