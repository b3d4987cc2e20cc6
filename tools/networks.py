"""Former's networks in PyTorch and ONNX Runtime beside Ludens, one thread each, in turn.

python tools/networks.py target/release/examples/nn_speed [rounds]

Needs torch, onnx, onnxruntime. Rates are positions per second of processor time; the best
round of each counts. PyTorch runs folded, channels last, in inference mode; it learns with batch
normalisation, cross-entropy over all cells and Adam, in both memory formats.
"""

import os
import subprocess
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

torch.set_num_threads(1)
SECONDS = 1.0


def layers(width, depth):
    rng = np.random.default_rng(1)
    shapes = [(width, 5, 7, 7)] + [(width, width, 3, 3)] * (depth - 1) + [(1, width, 1, 1)]
    return [(rng.normal(0, (2 / np.prod(s[1:])) ** 0.5, s).astype(np.float32),
             rng.normal(0, 0.1, s[0]).astype(np.float32)) for s in shapes]


def in_torch(parts):
    modules = []
    for weight, bias in parts:
        conv = torch.nn.Conv2d(weight.shape[1], weight.shape[0], weight.shape[2], padding=weight.shape[2] // 2)
        conv.weight.data, conv.bias.data = torch.tensor(weight), torch.tensor(bias)
        modules += [conv, torch.nn.ReLU()]
    net = torch.nn.Sequential(*modules[:-1]).eval().to(memory_format=torch.channels_last)
    return lambda x: net(x)


def in_onnx(parts):
    nodes, tensors, name = [], [], "x"
    for i, (weight, bias) in enumerate(parts):
        tensors += [numpy_helper.from_array(weight, f"w{i}"), numpy_helper.from_array(bias, f"b{i}")]
        pad = [weight.shape[2] // 2] * 4
        nodes.append(helper.make_node("Conv", [name, f"w{i}", f"b{i}"], [f"c{i}"], pads=pad))
        name = f"c{i}"
        if i + 1 < len(parts):
            nodes.append(helper.make_node("Relu", [name], [f"r{i}"]))
            name = f"r{i}"
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 5, 9, 7])]
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", 1, 9, 7])]
    graph = helper.make_graph(nodes, "net", inputs, outputs, tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {"x": x})


def rate(run, x):
    for _ in range(3):
        run(x)
    begin, count = time.thread_time(), 0
    while time.thread_time() - begin < SECONDS:
        run(x)
        count += len(x)
    return count / (time.thread_time() - begin)


def learner(width, depth, last):
    modules, planes, kernel = [], 5, 7
    for _ in range(depth):
        modules += [torch.nn.Conv2d(planes, width, kernel, padding=kernel // 2, bias=False),
                    torch.nn.BatchNorm2d(width), torch.nn.ReLU()]
        planes, kernel = width, 3
    net = torch.nn.Sequential(*modules, torch.nn.Conv2d(width, 1, 1), torch.nn.Flatten())
    net = net.to(memory_format=torch.channels_last) if last else net
    adam = torch.optim.Adam(net.parameters())

    def step(x):
        adam.zero_grad()
        torch.nn.functional.cross_entropy(net(x), torch.zeros(len(x), dtype=torch.long)).backward()
        adam.step()

    return step


def main():
    binary, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    for width, depth in [(32, 5), (64, 10)]:
        parts = layers(width, depth)
        torch_net, onnx_net = in_torch(parts), in_onnx(parts)
        for batch in [1, 36, 512]:
            planes = np.random.default_rng(2).integers(0, 5, (batch, 9, 7))
            x = np.ascontiguousarray(np.eye(5, dtype=np.float32)[planes].transpose(0, 3, 1, 2))
            xt = torch.tensor(x).to(memory_format=torch.channels_last)
            best = {}
            for _ in range(rounds):
                with torch.inference_mode():
                    best["PyTorch"] = max(best.get("PyTorch", 0), rate(torch_net, xt))
                best["ONNX Runtime"] = max(best.get("ONNX Runtime", 0), rate(onnx_net, x))
                args = [binary, "run", str(width), str(depth), str(batch), str(SECONDS)]
                ours = float(subprocess.run(args, capture_output=True, check=True, text=True).stdout)
                best["Ludens"] = max(best.get("Ludens", 0), ours)
            text = ", ".join(f"{name} {value:,.0f}" for name, value in best.items())
            ratios = f"{best['Ludens'] / best['PyTorch']:.2f} of PyTorch, {best['Ludens'] / best['ONNX Runtime']:.2f} of ONNX Runtime"
            print(f"({width},{depth}) batch {batch}: {text}; {ratios}", flush=True)
        x = torch.eye(5)[torch.randint(0, 5, (128, 9, 7))].permute(0, 3, 1, 2)
        steps = {False: learner(width, depth, False), True: learner(width, depth, True)}
        torch_rate = ours = 0
        for _ in range(rounds):
            for last, step in steps.items():
                layout = torch.channels_last if last else torch.contiguous_format
                torch_rate = max(torch_rate, rate(step, x.contiguous(memory_format=layout)))
            args = [binary, "train", str(width), str(depth), "128", str(2 * SECONDS)]
            ours = max(ours, float(subprocess.run(args, capture_output=True, check=True, text=True).stdout))
        print(f"({width},{depth}) learning, batch 128: PyTorch {torch_rate:,.0f}, Ludens {ours:,.0f}; {ours / torch_rate:.2f} of PyTorch", flush=True)


main()
