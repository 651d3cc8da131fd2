# The BCa interval of a ratio of means, by R's package boot (r-recommended):
#   Rscript bca.R pairs.csv
# BenchmarkBCa times this process beside its own.
library(boot)
pairs <- read.csv(commandArgs(trailingOnly = TRUE)[1])
set.seed(1)
b <- boot(pairs, function(d, i) mean(d$x[i]) / mean(d$y[i]), R = 9999)
ci <- boot.ci(b, conf = 0.95, type = "bca")
cat(sprintf("%.17g %.17g\n", ci$bca[4], ci$bca[5]))
