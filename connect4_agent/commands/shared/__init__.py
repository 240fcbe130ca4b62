"""Code that several commands share: options, running the arena, printing."""
