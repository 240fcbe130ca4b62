"""The check: does an agent keep the protocol?"""
