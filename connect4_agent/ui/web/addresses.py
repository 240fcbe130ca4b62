"""Addresses: where other machines on the network reach this one."""

from __future__ import annotations

import ipaddress
import socket

PROBES = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses reserved for documentation: nobody is there, and nothing is sent."""


def network_address(bound: str) -> str | None:
    """The numeric address under which other machines reach a server bound to this one; None if they cannot.

    For a server on all addresses, it is that of the interface which leads out.
    """
    address = ipaddress.ip_address(bound.partition("%")[0])
    if address.is_loopback:
        return None
    if not address.is_unspecified:
        return str(address)
    families = (socket.AF_INET,) if address.version == 4 else (socket.AF_INET, socket.AF_INET6)
    for family in families:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((PROBES[family], 9))  # chooses an interface
                own_address = str(probe.getsockname()[0])
        except OSError:
            continue
        if not ipaddress.ip_address(own_address).is_loopback:
            return own_address
    return None


def url_of(host: str, port: int, path: str = "") -> str:
    """The address of a page."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/{path}"
