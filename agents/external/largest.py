"""A bot: buys the largest patch that fits, else advances. It knows no rules: it asks for the legal actions."""
import random
import sys


def say(line):
    print(line, flush=True)


def squares(action):
    """The number of squares of an action such as 17:a1b1c2; none for A."""
    return len(action.partition(":")[2]) // 2


most_squares = 8
for line in sys.stdin:
    command, *words = line.split()
    if command == "patchwork":
        say("id name Largest")
        say("option name MostSquares type integer default 8 min 2 max 8")
        say("patchworkok 1")
    elif command == "setoption":
        most_squares = int(words[3])
    elif command == "isready":
        say("readyok")
    elif command == "newgame":
        random.seed(words[words.index("seed") + 1])
    elif command == "go":
        say("legal")
    elif command == "legal":
        allowed = [action for action in words if squares(action) <= most_squares] or words
        most = max(map(squares, allowed))
        say("bestaction " + random.choice([action for action in allowed if squares(action) == most]))
    elif command == "quit":
        break
