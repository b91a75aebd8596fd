"""How measuring is carried out: the store, chunks of work, executors, deadlines."""
