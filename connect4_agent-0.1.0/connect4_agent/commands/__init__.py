"""The subcommands of connect4-agent, a file each with `run(words) -> exit status`."""

GROUPS = {
    "play": {
        "play": "play at a board in the terminal",
        "web": "play in the browser, and see runs there",
        "puzzle": "find the one right column",
    },
    "host programs": {
        "new": "write a small agent to start from",
        "check": "say whether a program can play here, and what to repair",
        "match": "play two agents against each other",
        "tournament": "play many agents against each other, as a TOML file describes",
        "judge": "judge games that were played anywhere by their exact scores",
        "report": "show the results of a run as text, CSV, JSON or a page",
        "serve": "answer requests on standard input with moves (the default)",
        "move": "answer one request",
    },
    "learn": {
        "analyze": "give the exact score of every column, and why",
        "players": "list the built-in players, levels and evaluators",
        "help": "show the help of a command; help agents says what can play",
    },
    "research": {
        "label": "write positions with their exact scores, for NumPy",
        "export": "write the agent as one file for Kaggle",
    },
}
"""The subcommands and what they do, as the help groups them. Each has a module, which is imported when it runs."""

COMMANDS = {name: duty for group in GROUPS.values() for name, duty in group.items()}
