"""The training step of src/network.hpp, compiled by JAX, for comparison with `training step`.

    python jax_network.py DIRECTORY [WAY...]      as written by `frr_bench step`

Prints one line of JSON: the differences of loss and gradient from those that FRR wrote. Each line of standard input
then names one of the ways; the output is the seconds of one step.

The ways are "step tree", "step flat", "scan tree" and "scan flat"; the default is all of them. A batch is the dense
matrix U, prepared beforehand. "step" calls a compiled step repeatedly, "scan" a compiled epoch; "tree" keeps the four
blocks of parameters separate, "flat" in one vector. Groups of labels of different sizes are padded to the largest.
"""

import json
import sys
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_cpu_enable_async_dispatch", False)  # small steps are faster without

BLOCKS = ("w2", "w3", "a", "w4")


def gate(w, beta, temperature, mask=None):
    """The gate of gate.hpp over the last axis; `mask` is true for members and false for padding."""
    if mask is None:
        members = w.shape[-1]
    else:
        members = mask.sum(-1, keepdims=True)
        w = jnp.where(mask, w, -jnp.inf)
    soft = jax.nn.softmax(w / temperature, axis=-1)
    top = 1 / (1 + beta * (members - 1))
    first = jnp.arange(w.shape[-1]) == jnp.argmax(w, axis=-1, keepdims=True)
    f = jax.lax.stop_gradient(jnp.where(first, top, beta * top))
    f = f + soft - jax.lax.stop_gradient(soft)  # straight through: df/dw~ = 1
    g = f * soft
    return g / g.sum(-1, keepdims=True)


class Network:
    def __init__(self, meta: dict):
        self.meta = meta
        first = np.array(meta["first"])
        sizes = np.diff(first)
        self.features, self.most = len(sizes), int(sizes.max())
        rules, slots, classes = meta["rules"], meta["slots"], meta["classes"]
        self.shapes = {"w2": (rules, self.features, self.most),
                       "w3": (rules, slots, self.features), "a": (rules, slots, 2),
                       "w4": (rules, classes)}
        self.mask = None
        if (sizes != self.most).any():
            self.mask = jnp.array(np.arange(self.most) < sizes[:, None])
        # The position of label d among the padded ones.
        feature = np.repeat(np.arange(self.features), sizes)
        self.place = feature * self.most + np.arange(first[-1]) - first[feature]

    def unflatten(self, flat: np.ndarray) -> dict:
        """The blocks of FRR's flat vector: W2 [r][d], W3 [r][k][j], a [r][k][2], W4 [r][c]."""
        meta, at, tree = self.meta, 0, {}
        for name in BLOCKS:
            shape = self.shapes[name] if name != "w2" else (meta["rules"], meta["labels"])
            size = int(np.prod(shape))
            tree[name] = flat[at:at + size].reshape(shape)
            at += size
        padded = np.zeros((meta["rules"], self.features * self.most), np.float32)
        padded[:, self.place] = tree["w2"]
        tree["w2"] = padded.reshape(self.shapes["w2"])
        return {name: jnp.array(block) for name, block in tree.items()}

    def pad(self, u: np.ndarray) -> np.ndarray:
        padded = np.zeros((len(u), self.features * self.most), np.float32)
        padded[:, self.place] = u
        return padded

    def loss(self, tree, batch, point):
        meta = self.meta
        u, y, weight = batch
        rules, slots = meta["rules"], meta["slots"]
        choose = partial(gate, beta=point["beta"], temperature=meta["temperature"])
        g2, g3 = choose(tree["w2"], mask=self.mask), choose(tree["w3"])
        keep, g4 = choose(tree["a"]), choose(tree["w4"])
        # Layers 2 and 3 as one matrix E[d, (k, r)].
        e = jnp.einsum("rkj,rjv->jvkr", g3, g2).reshape(-1, slots * rules)
        a = (u @ e).reshape(-1, slots, rules)
        c = keep[:, :, 0].T * a + keep[:, :, 1].T
        rule = jnp.prod(c, axis=1) + point["gamma"] * a.sum(1)
        score = rule[:, None, :] * g4.T
        sharpness = point["sharpness"]
        out = jax.nn.logsumexp(sharpness * score, axis=2) / sharpness
        logits = jax.nn.log_softmax(meta["kappa"] * out)
        true_class = jnp.take_along_axis(logits, y[:, None], axis=1)[:, 0]
        return -(weight * true_class).mean()

    def flat_loss(self, vector, batch, point):
        tree, at = {}, 0
        for name in BLOCKS:
            size = int(np.prod(self.shapes[name]))
            tree[name] = vector[at:at + size].reshape(self.shapes[name])
            at += size
        return self.loss(tree, batch, point)

    def step(self, loss, state, batch, point):
        """Gradient and Adam as in src/optimizer.hpp."""
        w, m, v, count = state
        value, g = jax.value_and_grad(loss)(w, batch, point)
        count = count + 1
        each = jax.tree_util.tree_map
        m = each(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = each(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
        rate = point["rate"] / (1 - 0.9 ** count)
        scale = 1 / (1 - 0.999 ** count)
        w = each(lambda w, m, v: w - rate * m / (jnp.sqrt(v * scale) + 1e-8), w, m, v)
        return (w, m, v, count), value


def points(meta: dict, batches: int) -> dict[str, np.ndarray]:
    """The schedules of src/trainer.hpp over one epoch."""
    done = np.arange(batches) / batches
    linear = {name: meta[name][0] + (meta[name][1] - meta[name][0]) * done
              for name in ("beta", "gamma")}
    start, end = meta["sharpness"]
    found = {**linear, "sharpness": start * (end / start) ** done,
             "rate": meta["learning_rate"] * 0.5 * (1 + np.cos(np.pi * done))}
    return {name: values.astype(np.float32) for name, values in found.items()}


def relative(ours: np.ndarray, theirs: np.ndarray) -> float:
    return float(np.linalg.norm(ours - theirs) / max(np.linalg.norm(theirs), 1e-30))


def differences(network: Network, directory: Path, u: np.ndarray, y: np.ndarray) -> float:
    """The largest relative difference of a loss or of a block of the gradient."""
    worst = 0.0
    for check in network.meta["checks"]:
        read = partial(np.fromfile, dtype=np.float32)
        tree = network.unflatten(read(directory / f"{check['name']}-parameters.f32"))
        expected = network.unflatten(read(directory / f"{check['name']}-gradient.f32"))
        rows = check["rows"]
        batch = (u[:rows], y[:rows], np.ones(rows, np.float32))
        point = {name: check[name] for name in ("beta", "gamma", "sharpness")}
        value, gradient = jax.jit(jax.value_and_grad(network.loss))(tree, batch, point)
        worst = max(worst, abs(float(value) - check["loss"]) / abs(check["loss"]))
        for name in BLOCKS:
            worst = max(worst, relative(np.array(gradient[name]), np.array(expected[name])))
    return worst


class Timer:
    """Measures the seconds of one step in each way. All ways are compiled beforehand."""

    def __init__(self, network: Network, start: dict, u: np.ndarray, y: np.ndarray,
                 ways: list[str]):
        size = network.meta["batch"]
        self.batches = len(y) // size
        kept = self.batches * size
        cut = [values[:kept].reshape(self.batches, size, *values.shape[1:])
               for values in (u, y, np.ones(len(y), np.float32))]
        self.epoch = tuple(jnp.array(values) for values in cut)
        self.points = {name: jnp.array(values)
                       for name, values in points(network.meta, self.batches).items()}
        self.each = [(tuple(values[b] for values in self.epoch),
                      {name: values[b] for name, values in self.points.items()})
                     for b in range(self.batches)]
        vector = jnp.concatenate([start[name].ravel() for name in BLOCKS])
        self.starts = {"tree": start, "flat": vector}
        self.run, self.repeats = {}, {}
        for form, loss in (("tree", network.loss), ("flat", network.flat_loss)):
            step = partial(network.step, loss)
            self.run[f"step {form}"] = self.stepped(jax.jit(step, donate_argnums=0))
            self.run[f"scan {form}"] = self.scanned(step)
        for way in ways:
            self.seconds(way, 1)  # compiles
            self.repeats[way] = max(1, int(0.2 / self.seconds(way, 1)))

    def stepped(self, step):
        def epoch(state):
            for batch, point in self.each:
                state, _ = step(state, batch, point)
            return state
        return epoch

    def scanned(self, step):
        def one(state, item):
            return step(state, *item)
        whole = jax.jit(lambda state, epoch, points: jax.lax.scan(one, state, (epoch, points)),
                        donate_argnums=0)
        return lambda state: whole(state, self.epoch, self.points)[0]

    def seconds(self, way: str, repeats: int) -> float:
        """Processor time of `repeats` epochs, as measured by frr_bench."""
        start = jax.tree_util.tree_map(jnp.array, self.starts[way.split()[1]])
        zero = jax.tree_util.tree_map(jnp.zeros_like, start)
        state = (start, zero, jax.tree_util.tree_map(jnp.zeros_like, start), jnp.float32(0))
        jax.block_until_ready(state)
        began = time.process_time()
        for _ in range(repeats):
            state = self.run[way](state)
        jax.block_until_ready(state)
        return time.process_time() - began

    def __call__(self, way: str) -> float:
        return self.seconds(way, self.repeats[way]) / (self.repeats[way] * self.batches)


def main() -> None:
    directory = Path(sys.argv[1])
    meta = json.loads((directory / "meta.json").read_text())
    network = Network(meta)
    u = np.fromfile(directory / "u.f32", np.float32).reshape(meta["rows"], meta["labels"])
    u, y = network.pad(u), np.fromfile(directory / "classes.i32", np.int32)
    difference = differences(network, directory, u, y)
    start = network.unflatten(np.fromfile(directory / "start-parameters.f32", np.float32))
    ways = sys.argv[2:] or ["step tree", "step flat", "scan tree", "scan flat"]
    timer = Timer(network, start, u, y, ways)
    print(json.dumps({"difference": difference, "ways": ways}), flush=True)
    for line in sys.stdin:
        print(f"{timer(line.strip()):.9g}", flush=True)


if __name__ == "__main__":
    main()
