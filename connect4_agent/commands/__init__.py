"""The subcommands of connect4-agent, a file each with `run(words) -> exit status`."""
