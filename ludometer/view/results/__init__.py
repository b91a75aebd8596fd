"""Results of solving and measuring as text, documents, tables and plots."""
