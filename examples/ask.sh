#!/bin/sh
# Puts four Connect Four positions to an agent and prints what it answers.
#
# Usage: [AGENT="COMMAND LINE"] sh examples/ask.sh
# The command line (default: connect4-agent) runs in the repository's top level.
set -u

agent=${AGENT:-connect4-agent}

fail() {
    printf 'ask.sh: %s\n' "$1" >&2
    exit 1
}

# Each position is a line with its description, then a line with its request.
positions() {
    cat <<'POSITIONS'
opening move on an empty board
{"grid":[[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0]],"height":6,"player":1,"width":7}
player 2 begins
{"grid":[[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0]],"height":6,"player":2,"width":7}
a win to take in column 3
{"grid":[[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,2],[0,0,0,1,1,1],[0,0,0,0,2,2],[0,0,0,0,0,0],[0,0,0,0,0,0]],"height":6,"player":1,"width":7}
a threat to block in column 1
{"grid":[[0,0,0,0,0,0],[0,0,0,2,2,2],[1,2,2,1,2,1],[0,0,0,0,2,1],[0,0,0,0,1,1],[0,0,0,1,2,2],[0,0,0,0,1,1]],"height":6,"player":1,"width":7}
POSITIONS
}

top_level=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd) || fail "cannot find the folder above $0"
cd -- "$top_level" || fail "cannot enter $top_level"

# The pipe's status is that of the agent, its last command.
answers=$(positions | sed -n 'n;p' | sh -c "$agent")
status=$?

case $status in
    0) ;;
    126 | 127) fail "cannot run the agent \"$agent\"; set AGENT to a command line that starts one" ;;
    *) fail "the agent \"$agent\" ended with status $status; allowed: 0" ;;
esac

# An empty text has no lines, though printf would make one of it.
asked=$(positions | sed -n 'n;p' | wc -l | tr -d ' ')
answered=$(printf '%s' "${answers:+$answers
}" | wc -l | tr -d ' ')
[ "$answered" -eq "$asked" ] ||
    fail "the agent \"$agent\" gave $answered lines for $asked requests; allowed: one for each"

number=0
positions | sed -n 'p;n' | while IFS= read -r description; do
    number=$((number + 1))
    answer=$(printf '%s\n' "$answers" | sed -n "${number}p")
    printf '%-32s %s\n' "$description" "$answer"
    case $answer in
        *'"move"'*) ;;
        *) fail "the agent \"$agent\" answered without a \"move\": $answer" ;;
    esac
done
