"""The players inside other harnesses: Kaggle, PettingZoo, OpenSpiel."""
