"""A class tournament: from a folder of submissions to standings, feedback and grades."""
