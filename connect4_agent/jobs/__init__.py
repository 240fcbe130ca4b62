"""Long work: executors, progress, interrupts."""
