"""Answers once, closes its input after as many seconds as its argument says, and lives on."""

import os
import sys
import time

sys.stdin.readline()
sys.stdout.write('{"move":0}\n')
sys.stdout.flush()
time.sleep(float(sys.argv[1]))
os.close(0)
time.sleep(3600)
