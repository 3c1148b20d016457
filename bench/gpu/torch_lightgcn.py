# Training steps and whole epochs of LightGCN with BPR by PyTorch, in several ways, on one data set.
#   python torch_lightgcn.py FOLDER DEVICE VARIANTS SECONDS EPOCHS
# FOLDER holds the arrays of arrays.mjs and, in `after`, the embeddings that Hindcast has after the first
# batches; DEVICE is cuda or cpu; VARIANTS are separated by commas; each is timed for five repetitions of SECONDS, and
# for EPOCHS epochs with its own sampling. Prints a line of JSON for each variant.
#
# How embeddings are propagated:
#   coo   the usual code: a sparse tensor of (users + items)², torch.sparse.mm, stack and mean, all by autograd, and
#         Adam as it comes
#   csr   a CSR matrix and Horner's scheme, E + A(E + A(E + AE)), without a copy of any layer; the matrix is
#         symmetric, so the gradient is propagated by the same function; fused Adam
#   bag   the same with embedding_bag as a sum over neighbours, degrees factored out, without a value for each edge
#   pyg   PyTorch Geometric's LightGCN with its own loss, on a list of edges as in its example
#   pygcsr  the same on a CSR matrix that is normalised once
# and what may be added to csr and bag:
#   +graph    the step is captured in a CUDA graph, so that nothing is launched from Python
#   +compile  what follows the propagation is compiled by torch.compile, and then captured
import gc
import json
import statistics
import sys
import time
import warnings

import numpy as np
import torch
import torch.nn.functional as F

# CSR tensors announce that they are in beta.
warnings.filterwarnings("ignore")

REPETITIONS = 5
# Epochs are repeated no further once they took so many seconds.
LONG_ENOUGH = 10
# Embeddings are compared after as many batches.
COMPARED = 3


class Data:
    """The arrays of a folder on the device: edges both ways, batches, and where training begins."""

    def __init__(self, folder, device):
        with open(f"{folder}/sizes.json") as file:
            self.sizes = json.load(file)
        self.device = device
        self.users, self.items = self.sizes["users"], self.sizes["items"]
        self.nodes = self.users + self.items
        self.layers, self.batch, self.l2 = (self.sizes[name] for name in ("layers", "batch", "l2"))

        def indices(name):
            values = np.fromfile(f"{folder}/{name}", dtype=np.int32)
            return torch.from_numpy(values).to(device).long()

        def embeddings(name):
            values = np.fromfile(f"{folder}/{name}", dtype=np.float32).reshape(self.nodes, -1)
            return torch.from_numpy(values).to(device)

        self.edge_users, self.edge_items = indices("edgeUsers"), indices("edgeItems")
        self.samples = torch.stack(
            [indices("users"), self.users + indices("positives"), self.users + indices("negatives")]
        )
        self.start, self.expected = embeddings("embeddings"), embeddings("after")

    def batches(self, samples):
        """Samples in batches of [user, positive, negative]; the last one may be smaller."""
        return [part.contiguous() for part in samples.split(self.batch, dim=1)]

    def edges(self):
        """Row, column and value of each entry of the normalised matrix, in the order of rows and columns."""
        row = torch.cat([self.edge_users, self.users + self.edge_items])
        column = torch.cat([self.users + self.edge_items, self.edge_users])
        order = torch.argsort(row * self.nodes + column)
        row, column = row[order], column[order]
        scale = torch.bincount(row, minlength=self.nodes).clamp(min=1).float().rsqrt()
        return row, column, scale[row] * scale[column]

    def csr(self):
        row, column, value = self.edges()
        starts = F.pad(torch.bincount(row, minlength=self.nodes).cumsum(0), (1, 0))
        # 32-bit indices halve what a product reads of them.
        return torch.sparse_csr_tensor(starts.int(), column.int(), value, (self.nodes, self.nodes))


class Sampler:
    """An epoch at a time, on the device: clicks in a new order, negatives uniform over what the user has not clicked."""

    def __init__(self, data):
        self.data = data
        self.keys = torch.sort(data.edge_users * data.items + data.edge_items).values

    def epoch(self):
        data = self.data
        order = torch.randperm(len(self.keys), device=data.device)
        users, positives = data.edge_users[order], data.edge_items[order]
        negatives = torch.randint(data.items, users.shape, device=data.device)
        wrong = self.clicked(users, negatives).nonzero().squeeze(1)
        while len(wrong) > 0:
            drawn = torch.randint(data.items, wrong.shape, device=data.device)
            negatives[wrong] = drawn
            wrong = wrong[self.clicked(users[wrong], drawn)]
        return torch.stack([users, data.users + positives, data.users + negatives])

    def clicked(self, users, items):
        keys = users * self.data.items + items
        places = torch.searchsorted(self.keys, keys).clamp(max=len(self.keys) - 1)
        return self.keys[places] == keys


def coo(data):
    row, column, value = data.edges()
    matrix = torch.sparse_coo_tensor(torch.stack([row, column]), value, (data.nodes, data.nodes)).coalesce()

    def propagate(table):
        every = [table]
        for _ in range(data.layers):
            every.append(torch.sparse.mm(matrix, every[-1]))
        return torch.stack(every, dim=1).mean(dim=1)

    return propagate


def csr(data):
    matrix = data.csr()

    def hops(table):
        result = table
        for _ in range(data.layers):
            result = torch.addmm(table, matrix, result)
        return result.div_(data.layers + 1)

    return symmetric(hops)


def bag(data):
    row, column, _ = data.edges()
    degree = torch.bincount(row, minlength=data.nodes)
    neighbours = column.int()
    starts = (degree.cumsum(0) - degree).int()
    scale = degree.clamp(min=1).float().rsqrt().unsqueeze(1)
    inverse, share = scale.square(), scale * (data.layers + 1)

    def hops(table):
        start = table * scale
        result = start
        for _ in range(data.layers):
            result = torch.addcmul(start, F.embedding_bag(neighbours, result, starts, mode="sum"), inverse)
        return result.div_(share)

    return symmetric(hops)


def symmetric(hops):
    """Tells autograd that a propagation is its own gradient."""

    class Propagation(torch.autograd.Function):
        @staticmethod
        def forward(context, table):
            return hops(table)

        @staticmethod
        def backward(context, gradient):
            return hops(gradient.contiguous())

    return Propagation.apply


def usual_loss(data, propagate, table):
    def loss(nodes):
        user, positive, negative = nodes
        final = propagate(table)
        positive_scores = torch.mul(final[user], final[positive]).sum(dim=1)
        negative_scores = torch.mul(final[user], final[negative]).sum(dim=1)
        own = sum(table[rows].norm(2).pow(2) for rows in nodes) / (2 * len(user))
        return F.softplus(negative_scores - positive_scores).mean() + data.l2 * own

    return loss


def expert_loss(data, propagate, table, compiles):
    def of_rows(final, own):
        user, positive, negative = final
        size = user.shape[0]
        return (
            F.softplus((user * (negative - positive)).sum(1)).sum() + data.l2 / 2 * own.square().sum()
        ) / size

    compiled = torch.compile(of_rows, dynamic=False) if compiles else of_rows

    def loss(nodes):
        flat = nodes.flatten()
        final = propagate(table).index_select(0, flat).view(3, nodes.shape[1], -1)
        own = table.index_select(0, flat)
        # A smaller batch would be compiled again.
        return (compiled if nodes.shape[1] == data.batch else of_rows)(final, own)

    return loss


def pyg_loss(data, as_csr):
    """PyTorch Geometric's model and loss; its table is the parameter."""
    from torch_geometric.nn import LightGCN

    dim = data.start.shape[1]
    model = LightGCN(data.nodes, dim, data.layers, normalize=not as_csr).to(data.device)
    if as_csr:
        edges = data.csr()
    else:
        row, column, _ = data.edges()
        edges = torch.stack([row, column])

    def loss(nodes):
        user, positive, negative = nodes
        pairs = torch.stack([torch.cat([user, user]), torch.cat([positive, negative])])
        ranks = model(edges, pairs).chunk(2)
        # Its penalty is λ‖E‖²/B, ours half of that.
        return model.recommendation_loss(*ranks, node_id=nodes.flatten(), lambda_reg=data.l2 / 2)

    return loss, model.embedding.weight


class Training:
    """One variant: its parameters, its optimiser, and a step, captured or not."""

    def __init__(self, data, variant):
        base, *extras = variant.split("+")
        self.data = data
        if base.startswith("pyg"):
            loss, self.table = pyg_loss(data, base == "pygcsr")
        else:
            self.table = torch.nn.Parameter(data.start.clone())
            propagate = {"coo": coo, "csr": csr, "bag": bag}[base](data)
            loss = (
                usual_loss(data, propagate, self.table)
                if base == "coo"
                else expert_loss(data, propagate, self.table, "compile" in extras)
            )
        self.loss = loss
        captured = len(extras) > 0 and data.device == "cuda"
        settings = {"lr": data.sizes["learningRate"]}
        if base in ("csr", "bag"):
            settings["fused"] = True
        if captured:
            settings["capturable"] = True
        self.optimiser = torch.optim.Adam([self.table], **settings)
        self.begin()
        self.graph = None
        if captured:
            self.capture()
            self.begin()

    def begin(self):
        with torch.no_grad():
            self.table.copy_(self.data.start)
            for state in self.optimiser.state.values():
                for value in state.values():
                    value.zero_()

    def eager(self, nodes):
        self.optimiser.zero_grad(set_to_none=True)
        self.loss(nodes).backward()
        self.optimiser.step()

    def capture(self):
        self.nodes = self.data.samples[:, : self.data.batch].contiguous()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.eager(self.nodes)
        torch.cuda.current_stream().wait_stream(side)
        self.optimiser.zero_grad(set_to_none=True)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.loss(self.nodes).backward()
            self.optimiser.step()

    def step(self, nodes):
        if self.graph is None or nodes.shape[1] != self.data.batch:
            self.eager(nodes)
        else:
            self.nodes.copy_(nodes)
            self.graph.replay()


def seconds_of(device, work):
    """Seconds until everything that `work` asked of the device is done."""
    if device == "cuda":
        torch.cuda.synchronize()
    started = time.perf_counter()
    work()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - started


def measure(data, sampler, variant, seconds, epochs):
    device = data.device
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
    training = Training(data, variant)
    batches = [part for part in data.batches(data.samples) if part.shape[1] == data.batch]
    for nodes in batches[:COMPARED]:
        training.step(nodes)
    # JSON has no NaN.
    difference = (training.table.detach() - data.expected).abs().nan_to_num(nan=1e30).max().item()

    def run(count):
        for at in range(count):
            training.step(batches[at % len(batches)])

    run(10)
    a_step = seconds_of(device, lambda: run(10)) / 10
    count = max(3, min(2000, round(seconds / a_step)))
    milliseconds = [1000 * seconds_of(device, lambda: run(count)) / count for _ in range(REPETITIONS)]

    def epoch():
        for nodes in data.batches(sampler.epoch()):
            training.step(nodes)

    of_epochs = []
    if epochs > 0:
        seconds_of(device, epoch)  # warms the sampler up
    while len(of_epochs) < epochs and sum(of_epochs) < LONG_ENOUGH:
        of_epochs.append(seconds_of(device, epoch))
    return {
        "milliseconds": milliseconds,
        "steps": count,
        "epochSeconds": statistics.median(of_epochs) if of_epochs else None,
        "difference": difference,
        "deviceMegabytes": round(torch.cuda.max_memory_allocated() / 1e6) if device == "cuda" else None,
    }


def main():
    folder, device, variants, seconds, epochs = sys.argv[1:6]
    versions = {
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
    }
    data = Data(folder, device)
    sampler = Sampler(data)
    for variant in variants.split(","):
        try:
            result = measure(data, sampler, variant, float(seconds), int(epochs))
        except Exception as error:  # one variant that does not run here is no reason to lose the others
            said = str(error).strip().splitlines()
            result = {"failed": f"{type(error).__name__}: {said[0] if said else 'no message'}"}
        print(json.dumps({"variant": variant, **versions, **result}), flush=True)
        gc.collect()
        if device == "cuda":
            torch.cuda.empty_cache()


main()
