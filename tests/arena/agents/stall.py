"""Answers once and then never again."""

import sys
import time

sys.stdin.readline()
sys.stdout.write('{"move":0}\n')
sys.stdout.flush()
time.sleep(3600)
