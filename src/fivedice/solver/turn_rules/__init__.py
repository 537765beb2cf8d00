"""Rules whose turns differ from those that the kernels know, solved with NumPy."""
