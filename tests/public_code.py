"""Networks as public code has them, transcribed for the CPU: bhargav104/MemoryNets at 9ae06bb (RNN.py, LSTM.py,
common.py, copytask.py), nke001/sparse_attentive_backtracking_release at aba9d76 and Lezcano/expRNN at 830ec83."""

import numpy as np
import torch
from torch import nn


def henaff(units, low=-np.pi, high=0.0):
    """common.py 10 to 13, and initialization.py 6 to 9 of expRNN, whose angles go up to π."""
    diagonal = np.zeros(units - 1)
    diagonal[::2] = np.random.uniform(low, high, size=units // 2)
    above = torch.from_numpy(np.diag(diagonal, k=1))
    return above - above.T


class ModReLU(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.b = nn.Parameter(torch.empty(features).uniform_(-0.01, 0.01))

    def forward(self, inputs):
        return torch.sign(inputs) * torch.relu(torch.abs(inputs) + self.b)


class Recurrent(nn.Module):
    """RNN; with `last_k` and `rsize` RelMemRNN."""

    def __init__(self, inputs, units, nonlinearity, initializer, last_k=0, rsize=0):
        super().__init__()
        self.nonlinearity = ModReLU(units) if nonlinearity == "modrelu" else nn.Tanh()
        self.U = nn.Linear(inputs, units)
        self.V = nn.Linear(units, units, bias=False)
        self.V.weight.data = torch.matrix_exp(henaff(units)).float()
        getattr(nn.init, f"{initializer}_normal_")(self.U.weight.data)
        self.screening = Screening(units, last_k, rsize) if last_k else None

    def forward(self, inputs):
        h, hidden = inputs.new_zeros(len(inputs), self.V.in_features), []
        if self.screening:
            self.screening.begin()
        for t, x in enumerate(inputs.unbind(1)):
            s = self.screening(hidden) if self.screening and t else h
            h = self.nonlinearity(self.U(x) + self.V(s))
            hidden.append(h)
        return torch.stack(hidden, 1)

    def named(self):
        weights = {"W_h": self.U.weight, "b_h": self.U.bias, "U_h": self.V.weight}
        weights |= {"m_h": self.nonlinearity.b} if isinstance(self.nonlinearity, ModReLU) else {}
        return weights | (self.screening.named() if self.screening else {})


class Gated(nn.Module):
    """LSTM; with `last_k` and `rsize` RelLSTM."""

    def __init__(self, inputs, units, last_k=0, rsize=0):
        super().__init__()
        self.units = units
        self.gates = nn.ModuleDict({path: nn.Linear(inputs + units, units) for path in "ifog"})
        for gate in self.gates.values():
            nn.init.xavier_normal_(gate.weight)
        self.screening = Screening(units, last_k, rsize) if last_k else None

    def forward(self, inputs):
        h = c = inputs.new_zeros(len(inputs), self.units)
        hidden = []
        if self.screening:
            self.screening.begin()
        for t, x in enumerate(inputs.unbind(1)):
            s = self.screening(hidden) if self.screening and t else h
            a = {path: gate(torch.cat([s, x], 1)) for path, gate in self.gates.items()}
            c = torch.sigmoid(a["f"]) * c + torch.sigmoid(a["i"]) * torch.tanh(a["g"])
            h = torch.sigmoid(a["o"]) * torch.tanh(c)
            hidden.append(h)
        return torch.stack(hidden, 1)

    def named(self):
        weights = {}
        for path, gate in self.gates.items():
            weights |= {f"U_{path}": gate.weight[:, : self.units], f"W_{path}": gate.weight[:, self.units :]}
            weights |= {f"b_{path}": gate.bias}
        return weights | (self.screening.named() if self.screening else {})


class Screening(nn.Module):
    """The attention of RelMemRNN and RelLSTM, (h + c)/2; one sequence, one stored state at a time."""

    def __init__(self, units, last_k, rsize):
        super().__init__()
        self.last_k, self.rsize = last_k, rsize
        self.Ua, self.Va = nn.Linear(units, units, bias=False), nn.Linear(units, units, bias=False)
        self.v = nn.Parameter(torch.empty(1, units))
        nn.init.xavier_normal_(self.v.data)

    def begin(self):
        self.st, self.scores, self.kept = None, {}, {}

    def forward(self, hidden):
        latest = len(hidden) - 1
        if self.st is None:
            self.st = torch.zeros_like(hidden[0])  # of one state the weight is 1, whatever the query
        rows = []
        for n in range(len(hidden[0])):
            relevant = self.kept.setdefault(n, {})
            candidate = latest - self.last_k
            if candidate >= 0:
                score = self.scores[n, candidate]
                if len(relevant) < self.rsize:
                    relevant[candidate] = score
                elif score > min(relevant.values()):
                    del relevant[min(relevant, key=lambda i: relevant[i])]
                    relevant[candidate] = score
            buffer = list(range(max(0, candidate + 1), latest + 1))
            states = torch.stack([hidden[i][n] for i in (*buffer, *relevant)])
            alphas = torch.softmax(torch.tanh(self.Va(self.st[n]) + self.Ua(states)) @ self.v[0], 0)
            for place, i in enumerate(buffer):
                self.scores[n, i] = self.scores.get((n, i), 0.0) + alphas[place].item()
            rows.append(0.5 * (hidden[latest][n] + alphas @ states))
        self.st = torch.stack(rows)
        return self.st

    def named(self):
        return {"U_a": self.Ua.weight, "W_a": self.Va.weight, "v_a": self.v[0]}


class Backtracking(nn.Module):
    """SAB: an LSTMCell, and the readout of [h; context]; attention by Algorithm 1 of the paper, of given weights."""

    def __init__(self, inputs, units, top_k, truncation, store_every=2):
        super().__init__()
        self.units, self.top_k, self.truncation, self.store_every = units, top_k, truncation, store_every
        self.lstm1 = nn.LSTMCell(inputs, units)
        self.Ua, self.Wa = nn.Linear(units, units, bias=False), nn.Linear(units, units, bias=False)
        self.v = nn.Parameter(torch.empty(units).normal_(mean=0, std=0.01))

    def forward(self, inputs):
        h = c = inputs.new_zeros(len(inputs), self.units)
        memory, outputs = [], []
        for t, x in enumerate(inputs.unbind(1)):
            if t % self.truncation == 0:
                h, c = h.detach(), c.detach()
            h, c = self.lstm1(x, (h, c))
            context = torch.zeros_like(h)
            if memory:
                states = torch.stack(memory, 1)
                scores = torch.tanh(self.Wa(h)[:, None] + self.Ua(states)) @ self.v
                least = scores.topk(min(self.top_k + 1, len(memory)), 1).values[:, -1:]
                weights = torch.clamp(scores - least, min=0)
                context = ((weights / (weights.sum(1, keepdim=True) + 1e-7))[..., None] * states).sum(1)
            h = h + context
            if (t + 1) % self.store_every == 0:
                memory.append(h)
            outputs.append(torch.cat([h, context], 1))
        return torch.stack(outputs, 1)

    def named(self):
        weights = {}
        for place, path in enumerate("ifgo"):  # the order of torch
            rows = slice(place * self.units, (place + 1) * self.units)
            weights |= {f"W_{path}": self.lstm1.weight_ih[rows], f"U_{path}": self.lstm1.weight_hh[rows]}
            weights |= {f"b_{path}": self.lstm1.bias_ih[rows] + self.lstm1.bias_hh[rows]}
        return weights | {"U_a": self.Ua.weight, "W_a": self.Wa.weight, "v_a": self.v}


class Exponential(nn.Module):
    """OrthogonalRNN of expRNN, and its readout: how they start."""

    def __init__(self, inputs, units, classes):
        super().__init__()
        self.A = henaff(units, -np.pi, np.pi)
        self.input_kernel, self.modrelu = nn.Linear(inputs, units, bias=False), ModReLU(units)
        self.lin = nn.Linear(units, classes)
        nn.init.kaiming_normal_(self.input_kernel.weight.data, nonlinearity="relu")
        nn.init.kaiming_normal_(self.lin.weight.data, nonlinearity="relu")
        nn.init.constant_(self.lin.bias.data, 0)

    def named(self):
        weights = {"W_h": self.input_kernel.weight, "A_h": self.A.triu(1), "m_h": self.modrelu.b}
        return weights | {"w": self.lin.weight, "b": self.lin.bias, "b_h": torch.zeros(len(self.A))}


class Model(nn.Module):
    """copytask.py 92 to 101."""

    def __init__(self, rnn, classes, width):
        super().__init__()
        self.rnn, self.lin = rnn, nn.Linear(width, classes)

    def forward(self, inputs):
        return self.lin(self.rnn(inputs))

    def named(self):
        return self.rnn.named() | {"w": self.lin.weight, "b": self.lin.bias}


def with_readout(rnn, units, classes):
    """`Model` of a network of the paper's code."""
    model = Model(rnn, classes, units)
    nn.init.xavier_normal_(model.lin.weight)
    return model
