"""What can go wrong when a site is made."""


class SiteError(Exception):
    """The site cannot be made; the message says why, and what to do."""
