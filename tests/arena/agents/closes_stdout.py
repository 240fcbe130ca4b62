"""Answers once, then closes its output and lives on."""

import os
import sys
import time

sys.stdin.readline()
sys.stdout.write('{"move":0}\n')
sys.stdout.flush()
sys.stdin.readline()
os.close(1)
time.sleep(3600)
