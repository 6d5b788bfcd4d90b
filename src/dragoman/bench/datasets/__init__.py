"""Loaders of public data sets, one file each."""
