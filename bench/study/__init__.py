"""The study: FRR and its peers on the same datasets and folds. See __main__.py."""
