# The BCa interval of a ratio of means, by scipy's vectorized bootstrap:
#   python3 bca.py pairs.csv
# BenchmarkBCa times this process beside its own.
import sys

import numpy as np
from scipy.stats import bootstrap

x, y = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1, unpack=True)


def ratio(x, y, axis=-1):
    return np.mean(x, axis=axis) / np.mean(y, axis=axis)


ci = bootstrap((x, y), ratio, n_resamples=9999, paired=True, vectorized=True,
               confidence_level=0.95, method="BCa",
               random_state=1).confidence_interval
print(repr(float(ci.low)), repr(float(ci.high)))
