# Block contrasts of the frozen pipelining session beside this file, in base R
# alone: intervals and p-values that TestFrozenDataAgreesWithR expects from the
# analysis. Run in this folder, its output is contrasts.csv:
#
#   Rscript contrasts.R > contrasts.csv
#
# Made with R 4.2.2.

trials <- read.csv("pipelining/20261130T153423Z-epyc-2cpu/trials.csv", colClasses = "character")
trials <- trials[trials$phase == "measured" & trials$status == "ok", ]
trials$y <- log(as.numeric(trials$elapsed))
trials$block <- as.integer(trials$block)
factors <- c("communication", "sessions", "workers", "placement")

# side is the mean logarithm of the trials that match, by block.
side <- function(levels) {
  keep <- rep(TRUE, nrow(trials))
  for (f in names(levels)) keep <- keep & trials[[f]] %in% levels[[f]]
  tapply(trials$y[keep], trials$block[keep], mean)
}

# flip is the two-sided randomization p-value of a mean over all assignments
# of signs.
flip <- function(d) {
  n <- length(d)
  sums <- 0
  for (x in d) sums <- c(sums + x, sums - x)
  mean(abs(sums) >= abs(sum(d)) * (1 - 1e-12))
}

number <- function(x) trimws(formatC(x, digits = 17, format = "g"))

contrast <- function(text, left, right) {
  d <- side(left) - side(right)
  t95 <- t.test(d)
  t90 <- t.test(d, conf.level = 0.90)
  w95 <- wilcox.test(d, exact = TRUE, conf.int = TRUE)
  w90 <- wilcox.test(d, exact = TRUE, conf.int = TRUE, conf.level = 0.90)
  row <- c(exp(mean(d)), exp(t95$conf.int), exp(t90$conf.int), t95$p.value,
           exp(w95$estimate), exp(w95$conf.int), exp(w90$conf.int), w95$p.value, flip(d))
  cat(sprintf('"%s",%d,', text, length(d)), paste(number(row), collapse = ","), "\n", sep = "")
}

cat("comparison,blocks,ratio,lo95,hi95,lo90,hi90,p_t,hl,hl_lo95,hl_hi95,hl_lo90,hl_hi90,p_signed_rank,p_sign_flip\n")
written <- function(levels) paste(sprintf("%s=%s", names(levels), sapply(levels, paste, collapse = ",")), collapse = " ")
compare <- function(left, right, where) {
  text <- paste(written(left), "/", written(right), "where", written(where))
  contrast(text, c(left, where), c(right, where))
}

placements <- c("one-cpu", "two-cpus", "apart")
workers <- c("2", "8", "32")
for (p in placements) for (w in workers) {
  for (s in c("1", "2")) for (c in c("threaded", "batched"))
    compare(list(communication = c), list(communication = "queue"), list(sessions = s, workers = w, placement = p))
  for (c in c("queue", "batched", "threaded"))
    compare(list(sessions = "2"), list(sessions = "1"), list(communication = c, workers = w, placement = p))
}
for (p in placements) for (s in c("1", "2")) # averaged over the workers, with equal weights
  compare(list(communication = "threaded"), list(communication = "queue"), list(sessions = s, workers = workers, placement = p))
for (c in c("queue", "batched", "threaded")) # across whole plots
  compare(list(placement = "one-cpu"), list(placement = "two-cpus"), list(communication = c, sessions = c("1", "2"), workers = workers))
