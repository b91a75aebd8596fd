"""One module per command of the command line: its options, the call, and how the answer is printed."""
