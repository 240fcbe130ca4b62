"""Answers once and ends, while a child of it still holds its pipes."""

import os
import sys
import time

sys.stdin.readline()
sys.stdout.write('{"move":0}\n')
sys.stdout.flush()
if os.fork() == 0:
    time.sleep(3600)
os._exit(0)
