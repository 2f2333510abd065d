"""Prints what a wallet has and builds a deposit into a vault. Needs nothing but Python 3.8.

    python3 examples/python-script.py http://127.0.0.1:8080 WALLET VAULT AMOUNT

The transaction is not signed: a wallet, or a library such as solders, signs and sends it.
"""

import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal


def call(base, path, body=None, attempts=3):
    """Returns the answer and its headers. Waits as long as a busy server asks for."""
    headers = {"accept": "application/json, application/problem+json"}
    data = None
    if body is not None:
        headers["content-type"] = "application/json"
        data = json.dumps(body).encode()
    request = urllib.request.Request(base + path, data=data, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=35) as response:
            # amounts are decimal strings; the few JSON numbers stay exact too
            return json.load(response, parse_float=Decimal), response.headers
    except urllib.error.HTTPError as error:
        if error.code in (429, 503) and attempts > 1:
            time.sleep(int(error.headers.get("retry-after", "1")))
            return call(base, path, body, attempts - 1)
        problem = json.load(error)
        sys.exit(f"{problem.get('code', error.code)}: {problem.get('detail', problem)}")


def main(base, wallet, vault, amount):
    portfolio, headers = call(base, f"/portfolio/{urllib.parse.quote(wallet, safe='')}")
    print(f"slot {headers['x-slot']}, {headers['x-data-age']} ms old")
    for loan in portfolio["lending"]:
        # unknown without a price
        ltv, limit = (Decimal(loan[name] or "NaN") for name in ("ltv", "liquidationLtv"))
        print(f"loan {loan['obligation']}: LTV {ltv:.4f}, liquidated from {limit:.4f}")
    positions, _ = call(base, f"/kvaults/users/{urllib.parse.quote(wallet, safe='')}/positions")
    for position in positions:
        print(f"vault {position['vaultAddress']}: {position['totalShares']} shares")

    body = {"wallet": wallet, "kvault": vault, "amount": amount}
    built, headers = call(base, "/ktx/kvault/deposit?preview=true", body)
    if not built["preview"]["success"]:
        sys.exit(built["preview"]["error"]["message"])
    print(built["preview"]["plan"]["summary"])
    print(f"valid until block {headers['x-last-valid-block-height']}")
    print(built["transaction"])


if __name__ == "__main__":
    main(*sys.argv[1:5])
