"""Kills the process above its guard, or sends it the signal that its argument names; then plays on."""

import os
import signal
import sys
from pathlib import Path

guard = Path(f"/proc/{os.getppid()}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
os.kill(int(guard[1]), getattr(signal, f"SIG{(*sys.argv[1:], 'KILL')[0]}"))
for _ in sys.stdin:
    sys.stdout.write('{"move":0}\n')
    sys.stdout.flush()
