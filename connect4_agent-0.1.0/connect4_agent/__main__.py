"""python -m connect4_agent."""

import sys

from connect4_agent.cli import main

sys.exit(main())
