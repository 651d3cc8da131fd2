# Rscript render.R PAGE FOLDER: renders a page into a folder, with all that it makes on the way.
args <- commandArgs(trailingOnly = TRUE)
rmarkdown::render(args[1], output_dir = args[2], intermediates_dir = args[2], quiet = TRUE)
