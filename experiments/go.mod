module fieldbook-experiments

go 1.26.0
