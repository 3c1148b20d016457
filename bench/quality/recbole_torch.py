# RecBole's LightGCN and BPR by its own settings, in plain PyTorch, on the splits that Hindcast is trained on: whether
# its published numbers are reached there.
#   node bench/quality/recbole.mjs --write FOLDER [--split 2020]
#   python bench/quality/recbole_torch.py FOLDER [--device cuda] [--models lightgcn bpr] [--seeds 0 1 2] [--splits 2020]
# Prints a line of JSON a run. What RecBole does, read from its source: Adam, the mean of -log(1e-10 + sigmoid) over
# batches of 4096 clicks in a new order each epoch, each with one item drawn uniformly from those the user did not
# click in training; Xavier's initial values, uniform for LightGCN and normal for BPR, with a row of padding in each
# table; a penalty for LightGCN alone; evaluation after each epoch over all items without those clicked in training
# and, in the test, in validation; the epoch of the best validation MRR@10 is tested.
import argparse
import json
import sys
import time
import warnings

import numpy as np
import torch

# CSR tensors announce that they are in beta.
warnings.filterwarnings("ignore", category=UserWarning)

K = 10
DIM, LAYERS, BATCH, EPOCHS, PATIENCE = 64, 3, 4096, 500, 10
LEARNING_RATE = {"lightgcn": 2e-3, "bpr": 1e-3}
PUBLISHED = {
    "lightgcn": {"recall": 0.1861, "mrr": 0.4388, "ndcg": 0.2538, "hit": 0.7330, "precision": 0.1863},
    "bpr": {"recall": 0.1776, "mrr": 0.4187, "ndcg": 0.2401, "hit": 0.7199, "precision": 0.1779},
}

arguments = argparse.ArgumentParser()
arguments.add_argument("folder")
arguments.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
arguments.add_argument("--models", nargs="+", choices=LEARNING_RATE, default=list(LEARNING_RATE))
arguments.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
arguments.add_argument("--splits", nargs="+", type=int, default=[2020])
arguments.add_argument("--threads", type=int)
arguments.add_argument("--learning-rate", type=float)
arguments.add_argument("--reg-weight", type=float, default=1e-4)
arguments.add_argument(
    "--penalty",
    choices=["square", "norm"],
    default="norm",
    help="the norm of a batch's rows, RecBole's default, or half its square (require_pow)",
)
options = arguments.parse_args()
device = torch.device(options.device)
if options.threads:
    torch.set_num_threads(options.threads)
with open(f"{options.folder}/sizes.json") as file:
    sizes = json.load(file)
USERS, ITEMS = sizes["users"], sizes["items"]


def pairs(part, split):
    """Users and items of a part of a split."""
    read = np.fromfile(f"{options.folder}/{part}-{split}", dtype=np.uint16).astype(np.int64)
    return torch.from_numpy(read.reshape(-1, 2).T.copy()).to(device)


def table_of(clicks):
    """Who clicked what, as a table of users by items."""
    table = torch.zeros(USERS, ITEMS, dtype=torch.bool, device=device)
    table[clicks[0], clicks[1]] = True
    return table


def initial(model, generator):
    """Users' rows, then items', with the spread they have beside a row of padding."""
    tables = []
    for rows in (USERS, ITEMS):
        table = torch.empty(rows + 1, DIM)
        fill = torch.nn.init.xavier_uniform_ if model == "lightgcn" else torch.nn.init.xavier_normal_
        tables.append(fill(table, generator=generator)[1:])
    return torch.cat(tables).to(device)


def propagation(clicks):
    """The mean over layers of E, AE, A²E …, A = D^-½ (clicks both ways) D^-½: symmetric, so its own gradient."""
    nodes = USERS + ITEMS
    row = torch.cat([clicks[0], USERS + clicks[1]])
    column = torch.cat([USERS + clicks[1], clicks[0]])
    scale = torch.bincount(row, minlength=nodes).clamp(min=1).float().rsqrt()
    matrix = torch.sparse_coo_tensor(
        torch.stack([row, column]), scale[row] * scale[column], (nodes, nodes)
    ).to_sparse_csr()

    def hops(table):
        result = table
        for _ in range(LAYERS):
            result = table + matrix @ result
        return result / (LAYERS + 1)

    class Propagation(torch.autograd.Function):
        @staticmethod
        def forward(context, table):
            return hops(table)

        @staticmethod
        def backward(context, gradient):
            return hops(gradient)

    return Propagation.apply


def unclicked(users, clicked, generator):
    """An item for each user, uniform over those not clicked."""
    items = torch.randint(ITEMS, users.shape, device=device, generator=generator)
    wrong = clicked[users, items].nonzero().squeeze(1)
    while len(wrong) > 0:
        items[wrong] = torch.randint(ITEMS, wrong.shape, device=device, generator=generator)
        wrong = wrong[clicked[users[wrong], items[wrong]]]
    return items


def penalty(rows, samples):
    if options.penalty == "square":
        return sum(row.square().sum() for row in rows) / (2 * samples)
    return sum(row.norm() for row in rows) / samples


def metrics(final, wanted, hidden):
    """Means over the users with a wanted item, hidden items left out of the rankings."""
    users = wanted.any(1).nonzero().squeeze(1)
    scores = final[:USERS][users] @ final[USERS:].T
    best = scores.masked_fill_(hidden[users], -torch.inf).topk(K).indices
    hits = wanted[users].gather(1, best).double()
    ranks = torch.arange(1, K + 1, device=device)
    discounts = (ranks + 1).double().log2().reciprocal()
    count = wanted[users].sum(1)
    first = (hits * ranks.flip(0)).max(1).values
    return {
        "recall": (hits.sum(1) / count).mean().item(),
        "mrr": torch.where(first > 0, 1 / (K + 1 - first), 0).mean().item(),
        "ndcg": ((hits @ discounts) / discounts.cumsum(0)[count.clamp(max=K) - 1]).mean().item(),
        "hit": (first > 0).double().mean().item(),
        "precision": hits.mean().item(),
        "users": len(users),
    }


def run(model, split, seed):
    clicks = pairs("train", split)
    clicked, validation, test = (table_of(pairs(part, split)) for part in ("train", "validation", "test"))
    generator = torch.Generator(device).manual_seed(seed)
    table = torch.nn.Parameter(initial(model, torch.Generator().manual_seed(seed)))
    propagate = propagation(clicks) if model == "lightgcn" else lambda rows: rows
    rate = options.learning_rate or LEARNING_RATE[model]
    optimiser = torch.optim.Adam([table], lr=rate, fused=True)
    best = {"mrr": -1.0}
    began = time.perf_counter()
    for epoch in range(1, EPOCHS + 1):
        order = torch.randperm(clicks.shape[1], device=device, generator=generator)
        users, positives = clicks[0][order], clicks[1][order]
        negatives = unclicked(users, clicked, generator)
        for batch in zip(users.split(BATCH), (USERS + positives).split(BATCH), (USERS + negatives).split(BATCH)):
            optimiser.zero_grad()
            final = propagate(table)
            user, positive, negative = (final[rows] for rows in batch)
            margin = (user * positive).sum(1) - (user * negative).sum(1)
            loss = -torch.log(1e-10 + torch.sigmoid(margin)).mean()
            if model == "lightgcn":
                loss = loss + options.reg_weight * penalty([table[rows] for rows in batch], len(batch[0]))
            loss.backward()
            optimiser.step()
        with torch.no_grad():
            final = propagate(table)
            found = metrics(final, validation, clicked)
            if found["mrr"] > best["mrr"]:
                best = {"mrr": found["mrr"], "epoch": epoch, "final": final.clone()}
        print(model, split, seed, epoch, found["mrr"], found["ndcg"], file=sys.stderr, flush=True)
        if epoch - best["epoch"] > PATIENCE:
            break
    tested = metrics(best["final"], test, clicked | validation)
    return {
        "model": model,
        "split": split,
        "seed": seed,
        "learningRate": rate,
        "penalty": None if model == "bpr" else {"kind": options.penalty, "weight": options.reg_weight},
        **tested,
        "trainingMaskedAlone": metrics(best["final"], test, clicked),
        "validationMrr": best["mrr"],
        "bestEpoch": best["epoch"],
        "epochs": epoch,
        "seconds": round(time.perf_counter() - began, 1),
        "device": str(device),
        "torch": torch.__version__,
        "published": PUBLISHED[model],
    }


for model in options.models:
    for split in options.splits:
        for seed in options.seeds:
            print(json.dumps(run(model, split, seed)), flush=True)
