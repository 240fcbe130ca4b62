"""Play for a bot that speaks HTTP: POST every request to the URL on the command line, and print the bot's answer."""

import json
import sys
import urllib.request

for line in sys.stdin.buffer:
    request = urllib.request.Request(sys.argv[1], line, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        print(json.dumps(json.load(response)), flush=True)  # on one line, and at once
