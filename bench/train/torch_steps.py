# Takes training steps of LightGCN with PyTorch; prints milliseconds of each, losses and peak memory.
#   python torch_steps.py FOLDER VARIANT THREADS WARM_UP STEPS
# The variants differ in how they propagate embeddings:
#   coo   the usual code: a sparse tensor of (users + items)², torch.sparse.mm, stack and mean, all by autograd
#   csr   a CSR matrix and Horner's scheme, E + A(E + A(E + AE)), without a copy of any layer; the matrix is
#         symmetric, so the gradient is propagated by the same function
#   pair  the same with R and its transpose, two matrices instead of one
#   bag   the same with embedding_bag as a sum over neighbours, degrees factored out, without a value for each edge
import json
import resource
import sys
import time
import warnings

import numpy as np
import torch
import torch.nn.functional as F

# CSR tensors announce that they are in beta.
warnings.filterwarnings("ignore", category=UserWarning)

folder, variant = sys.argv[1:3]
threads, warm_up, steps = map(int, sys.argv[3:6])
torch.set_num_threads(threads)
with open(f"{folder}/sizes.json") as file:
    sizes = json.load(file)
users, items, edges = sizes["users"], sizes["items"], sizes["edges"]
layers, batch = sizes["layers"], sizes["batch"]
nodes = users + items


def read_indices(name):
    return torch.from_numpy(np.fromfile(f"{folder}/{name}", dtype=np.uint32).astype(np.int64))


edge_users, edge_items = read_indices("edgeUsers"), read_indices("edgeItems")
row = torch.cat([edge_users, users + edge_items])
column = torch.cat([users + edge_items, edge_users])
degree = torch.bincount(row, minlength=nodes)
scale = degree.clamp(min=1).float().rsqrt()
value = scale[row] * scale[column]


def coo():
    matrix = torch.sparse_coo_tensor(torch.stack([row, column]), value, (nodes, nodes)).coalesce()

    def propagate(table):
        every = [table]
        for _ in range(layers):
            every.append(torch.sparse.mm(matrix, every[-1]))
        return torch.stack(every, dim=1).mean(dim=1)

    return propagate


def csr():
    matrix = csr_matrix(row, column, value, (nodes, nodes))

    def hops(table):
        result = table
        for _ in range(layers):
            result = torch.addmm(table, matrix, result)
        return result.div_(layers + 1)

    return symmetric(hops)


def pair():
    by_user = csr_matrix(edge_users, edge_items, value[:edges], (users, items))
    by_item = csr_matrix(edge_items, edge_users, value[:edges], (items, users))

    def hops(table):
        result = table
        for _ in range(layers):
            after = torch.empty_like(table)
            torch.addmm(table[:users], by_user, result[users:], out=after[:users])
            torch.addmm(table[users:], by_item, result[:users], out=after[users:])
            result = after
        return result.div_(layers + 1)

    return symmetric(hops)


def bag():
    neighbours = column[torch.argsort(row * nodes + column)].int()
    starts = (degree.cumsum(0) - degree).int()
    root, inverse = scale.unsqueeze(1), scale.square().unsqueeze(1)
    share = root * (layers + 1)

    def hops(table):
        start = table * root
        result = start
        for _ in range(layers):
            result = torch.addcmul(start, F.embedding_bag(neighbours, result, starts, mode="sum"), inverse)
        return result.div_(share)

    return symmetric(hops)


def csr_matrix(rows, columns, values, shape):
    order = torch.argsort(rows * shape[1] + columns)
    starts = F.pad(torch.bincount(rows, minlength=shape[0]).cumsum(0), (1, 0))
    # MKL wants 32-bit indices; wider ones would be converted at every product.
    return torch.sparse_csr_tensor(starts.int(), columns[order].int(), values[order], shape)


def symmetric(hops):
    """Tells autograd that a propagation is its own gradient."""

    class Propagation(torch.autograd.Function):
        @staticmethod
        def forward(context, table):
            return hops(table)

        @staticmethod
        def backward(context, gradient):
            return hops(gradient)

    return Propagation.apply


def adam(parameters):
    settings = {"lr": sizes["learningRate"]}
    if variant == "coo":
        return torch.optim.Adam(parameters, **settings)
    try:
        return torch.optim.Adam(parameters, fused=True, **settings)
    except RuntimeError:
        # Before 2.4 there was none for the CPU.
        return torch.optim.Adam(parameters, foreach=True, **settings)


def rows_of(table, user, positive, negative):
    if variant == "coo":
        return table[user], table[positive], table[negative]
    return table.index_select(0, torch.cat([user, positive, negative])).view(3, len(user), -1)


propagate = {"coo": coo, "csr": csr, "pair": pair, "bag": bag}[variant]()
start = np.fromfile(f"{folder}/embeddings", dtype=np.float32).reshape(nodes, sizes["dim"])
table = torch.nn.Parameter(torch.from_numpy(start))
optimiser = adam([table])
batch_users = read_indices("users")
positives, negatives = users + read_indices("positives"), users + read_indices("negatives")


def step(at):
    chosen = slice(at * batch, (at + 1) * batch)
    nodes_of_batch = batch_users[chosen], positives[chosen], negatives[chosen]
    optimiser.zero_grad()
    user, positive, negative = rows_of(propagate(table), *nodes_of_batch)
    loss = F.softplus((user * negative).sum(1) - (user * positive).sum(1)).mean()
    own = sum(rows.square().sum() for rows in rows_of(table, *nodes_of_batch))
    (loss + sizes["l2"] * own / (2 * len(user))).backward()
    optimiser.step()
    return loss.item()


milliseconds, losses = [], []
batches = -(-batch_users.numel() // batch)
for at in range(warm_up + steps):
    started = time.perf_counter()
    losses.append(step(at % batches))
    milliseconds.append(1000 * (time.perf_counter() - started))

print(
    json.dumps(
        {
            "milliseconds": milliseconds[warm_up:],
            "losses": losses,
            "peakMegabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
            "version": torch.__version__,
        }
    )
)
