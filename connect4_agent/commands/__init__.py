"""The subcommands of connect4-agent, a file each with `run(words) -> exit status`."""

COMMANDS = {
    "serve": "the server (the default)",
    "move": "answer one position",
    "players": "list the built-in players, levels and evaluators",
    "match": "play two agents against each other",
    "tournament": "play many agents against each other, as a TOML file describes",
    "report": "report the results of a run as text, JSON or one self-contained page",
    "check": "check whether an agent keeps the protocol",
    "new": "write a small agent to start from, in Python, JavaScript, Racket or C",
    "analyze": "give the exact score of every column",
    "label": "write positions with their exact scores, for training and measuring",
    "play": "play at a board in the terminal",
    "puzzle": "solve a puzzle: find the one right column",
    "web": "play and see runs in the browser",
    "export": "write the agent as one self-contained file for Kaggle",
    "help": "show the help of a command",
}
"""The subcommands and what they do. Each has a module in this package, which is imported only when it runs."""
