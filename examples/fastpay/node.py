#!/usr/bin/env python3
"""A small payment network in the manner of FastPay, as a node that quorumlab can judge.

Nothing orders the operations of different accounts. The owner of an account signs one payment for each nonce; a
validator votes for the first one that it sees and locks the nonce; a quorum of votes is a certificate; whoever has a
certificate applies it. Read docs/node-interface.md beside this file: each line on standard input is an input, and each
gets one line of outputs on standard output.
"""

import hashlib
import json
import sys

RETRY_MS = 400
RETRY_MAX_MS = 6_400
SYNC_MS = 2_000


def signature(signer, text):
    """The stand-in for signatures of the node interface, which no fault computes."""
    return hashlib.sha256(f"{signer}\n{text}".encode()).hexdigest()


def signed_text(op):
    """The text that a client signs."""
    return " ".join(str(op[key]) for key in ("id", "kind", "chain", "nonce", "token", "recipient", "amount"))


def pack(value):
    return json.dumps(value, sort_keys=True).encode().hex()


def unpack(digits):
    return json.loads(bytes.fromhex(digits))


class Node:
    def __init__(self, start):
        """Begins from the genesis, and repeats what its records say that it has applied."""
        self.outputs = [{"output": "ready", "version": 1, "operations": ["payment"]}]
        self.now = start["at"]
        self.name = start["self"]
        self.peers = [name for name in start["validators"] if name != self.name]
        self.validators = start["validators"]
        self.quorum = start["quorum"]
        self.chain = start["chain"]
        self.tokens = {token["token"]: token for token in start["tokens"]}
        self.balances = {(account, token): int(amount) for account, token, amount in start["balances"]}
        self.pools = {}
        self.next = {}  # account -> next nonce
        self.locks = {}  # (account, nonce) -> the payment that this validator votes for
        self.certificates = {}  # (account, nonce) -> what was applied
        self.votes = {}  # id -> payment, votes and time until the next try, of payments that this validator relays
        self.clients = {}  # id -> clients that wait for the outcome
        self.waiting = {}  # (account, nonce) -> certificates and submissions that are early
        self.restore(start.get("records", []))
        self.set_timer("sync", SYNC_MS, background=True)

    # What the validator keeps over a crash

    def restore(self, records):
        values = [(key.split("/")[0], unpack(digits)) for key, digits in records]
        self.restore_locks([value for kind, value in values if kind == "lock"])
        self.restore_payments([value for kind, value in values if kind == "applied"])

    def restore_locks(self, payments):
        for op in payments:
            self.locks[(op["sender"], op["nonce"])] = op

    def restore_payments(self, certificates):
        """Applies the payments again, each after those that it follows from."""
        while certificates:
            ready = [one for one in certificates if self.is_applicable(one["op"])]
            if not ready:
                raise ValueError(f"the records of {len(certificates)} payments do not follow from the genesis")
            self.apply(ready[0])
            certificates.remove(ready[0])

    def persist_lock(self, op):
        self.out("persist", key=f"lock/{op['sender']}/{op['nonce']}", bytes=pack(op))

    def persist_certificate(self, certificate):
        op = certificate["op"]
        self.out("persist", key=f"applied/{op['sender']}/{op['nonce']}", bytes=pack(certificate))

    # Outputs

    def out(self, output, **members):
        self.outputs.append({"output": output, **members})

    def send(self, to, tag, value):
        to = [name for name in to if name != self.name]
        if to:
            self.out("send", to=to, tag=tag, bytes=pack(value))

    def set_timer(self, name, after_ms, background=False):
        self.out("timer", name=name, at=self.now + after_ms, background=background)

    def reply(self, client, op_id, status, **members):
        self.out("reply", client=client, id=op_id, status=status, **members)

    # Rules

    def fault_of(self, op):
        """The code for which every correct validator refuses it, or None."""
        if op["chain"] != self.chain:
            return "validation_chain_id"
        if not self.is_signed(op):
            return "validation_signature"
        if op["token"] not in self.tokens:
            return "resource_token_not_found"
        if self.tokens[op["token"]]["paused"]:
            return "business_token_paused"
        return None

    def is_signed(self, op):
        return op["signature"] == signature(op["sender"], signed_text(op))

    def cost(self, op):
        return int(op["amount"]) + int(self.tokens[op["token"]]["fee"])

    def balance(self, account, token):
        return self.balances.get((account, token), 0)

    def is_funded(self, op):
        return self.balance(op["sender"], op["token"]) >= self.cost(op)

    def next_nonce(self, account):
        return self.next.get(account, 0)

    def is_next(self, op):
        return op["nonce"] == self.next_nonce(op["sender"])

    def is_over(self, op):
        """True if its nonce is used, by this payment or by another one."""
        return op["nonce"] < self.next_nonce(op["sender"])

    def is_applicable(self, op):
        return self.is_next(op) and self.is_funded(op)

    def lock(self, op):
        """True if this validator may vote for the payment: it has locked the nonce for it, now or before."""
        place = (op["sender"], op["nonce"])
        if place not in self.locks:
            self.locks[place] = op
            self.persist_lock(op)
        return self.locks[place]["id"] == op["id"]

    def is_vote(self, voter, op_id, vote):
        return voter in self.validators and vote == signature(voter, f"vote {op_id}")

    def has_quorum(self, votes):
        return len({voter for voter, _ in votes}) >= self.quorum

    def is_valid(self, certificate):
        op = certificate["op"]
        votes = [[voter, vote] for voter, vote in certificate["votes"] if self.is_vote(voter, op["id"], vote)]
        return self.fault_of(op) is None and self.has_quorum(votes)

    # Clients

    def on_submit(self, client, op):
        fault = self.fault_of(op)
        if fault is not None:
            self.reply(client, op["id"], "refused", code=fault, disclosed=False)
            return
        done = self.certificates.get((op["sender"], op["nonce"]))
        if done is not None:
            self.tell(client, op, done["op"]["id"])
            return
        self.clients.setdefault(op["id"], set()).add(client)
        self.reply(client, op["id"], "pending")
        self.offer(op)

    def tell(self, client, op, winner):
        if winner == op["id"]:
            self.reply(client, op["id"], "final")
        else:
            self.reply(client, op["id"], "superseded", by=winner)

    def offer(self, op):
        """Asks all validators for their votes, and asks again until the nonce is used; an early payment waits here."""
        relayed = self.votes.setdefault(op["id"], {"op": op, "votes": [], "wait": RETRY_MS})
        self.set_timer(f"retry/{op['id']}", relayed["wait"])
        relayed["wait"] = min(2 * relayed["wait"], RETRY_MAX_MS)
        if self.is_next(op):
            self.send(self.peers, "order", op)
            self.on_order(self.name, op)

    # Messages

    def on_message(self, sender, tag, digits):
        handlers = {
            "order": self.on_order,
            "vote": self.on_vote,
            "certificate": self.on_certificate,
            "state": self.on_state,
        }
        try:
            handlers[tag](sender, unpack(digits))
        except (KeyError, TypeError, ValueError, AttributeError):
            self.out("report", peer=sender, text=f"sent a malformed {tag}")

    def on_order(self, sender, op):
        if self.fault_of(op) is not None:
            return
        done = self.certificates.get((op["sender"], op["nonce"]))
        if done is not None:
            self.send([sender], "certificate", done)
        elif self.is_applicable(op) and self.lock(op):
            self.vote(sender, op)

    def vote(self, collector, op):
        vote = {"id": op["id"], "voter": self.name, "vote": signature(self.name, f"vote {op['id']}")}
        if collector == self.name:
            self.on_vote(self.name, vote)
        else:
            self.send([collector], "vote", vote)

    def on_vote(self, sender, vote):
        collected = self.votes.get(vote["id"])
        if collected is None or not self.is_vote(sender, vote["id"], vote["vote"]):
            return
        self.collect(collected["votes"], [sender, vote["vote"]])
        if self.has_quorum(collected["votes"]):
            certificate = {"op": collected["op"], "votes": sorted(collected["votes"])}
            self.send(self.peers, "certificate", certificate)
            self.on_certificate(self.name, certificate)

    def collect(self, votes, vote):
        if vote not in votes:
            votes.append(vote)

    def on_certificate(self, _sender, certificate):
        op = certificate["op"]
        if self.is_over(op) or not self.is_valid(certificate):
            return
        if self.is_applicable(op):
            self.confirm(certificate)
        else:
            self.waiting[(op["sender"], op["nonce"])] = certificate

    def confirm(self, certificate):
        self.persist_certificate(certificate)
        self.apply(certificate)
        self.apply_waiting()

    def apply_waiting(self):
        """A payment may have been waited for by the next one of its account, or by one of its payee."""
        for place, certificate in sorted(self.waiting.items()):
            if self.is_applicable(certificate["op"]):
                del self.waiting[place]
                self.on_certificate(self.name, certificate)
                return

    def apply(self, certificate):
        op = certificate["op"]
        place = (op["sender"], op["nonce"])
        token = op["token"]
        self.certificates[place] = certificate
        self.move(op)
        self.next[op["sender"]] = op["nonce"] + 1
        accounts = sorted({op["sender"], op["recipient"]})
        self.out(
            "applied",
            id=op["id"],
            success=True,
            fee=self.tokens[token]["fee"],
            balances=[[account, token, str(self.balance(account, token))] for account in accounts],
            nonces=[[op["sender"], self.next[op["sender"]]]],
            pools=[[token, str(self.pools.get(token, 0))]],
        )
        self.out("cancel", name=f"retry/{op['id']}")
        self.votes.pop(op["id"], None)
        self.tell_all(op)
        self.offer_next(op["sender"])

    def move(self, op):
        """Moves the amount and the fee."""
        token = op["token"]
        self.credit(op["sender"], token, -self.cost(op))
        self.credit(op["recipient"], token, int(op["amount"]))
        self.collect_fee(token)

    def credit(self, account, token, amount):
        self.balances[(account, token)] = self.balance(account, token) + amount

    def collect_fee(self, token):
        self.pools[token] = self.pools.get(token, 0) + int(self.tokens[token]["fee"])

    def tell_all(self, op):
        """Tells the clients of the payment, and of those that lost its nonce."""
        losers = [
            one["op"]
            for one in self.votes.values()
            if (one["op"]["sender"], one["op"]["nonce"]) == (op["sender"], op["nonce"])
        ]
        for one in [op, *losers]:
            for client in sorted(self.clients.pop(one["id"], ())):
                self.tell(client, one, op["id"])
            self.votes.pop(one["id"], None)
            self.out("cancel", name=f"retry/{one['id']}")

    def offer_next(self, account):
        for one in list(self.votes.values()):
            if one["op"]["sender"] == account and self.is_next(one["op"]):
                self.offer(one["op"])

    # Validators that were away ask for what they lack

    def on_timer(self, name):
        if name == "sync":
            self.set_timer("sync", SYNC_MS, background=True)
            self.send(self.peers, "state", sorted(self.next.items()))
        else:
            pending = self.votes.get(name.removeprefix("retry/"))
            if pending is not None:
                self.offer(pending["op"])

    def on_state(self, sender, nonces):
        theirs = dict(nonces)
        for (account, nonce), certificate in sorted(self.certificates.items()):
            if nonce >= theirs.get(account, 0):
                self.send([sender], "certificate", certificate)

    def state_of(self, accounts):
        self.out(
            "state",
            balances=[
                [account, token, str(self.balance(account, token))] for account in accounts for token in self.tokens
            ],
            nonces=[[account, self.next_nonce(account)] for account in accounts],
        )

    def handle(self, event):
        self.now = event["at"]
        kind = event["input"]
        if kind == "submit":
            self.on_submit(event["client"], event["operation"])
        elif kind == "message":
            self.on_message(event["from"], event["tag"], event["bytes"])
        elif kind == "timer":
            self.on_timer(event["name"])
        elif kind == "query":
            self.state_of(event["accounts"])


def serve(node_class):
    node = None
    for line in sys.stdin:
        event = json.loads(line)
        if event["input"] == "start":
            node = node_class(event)
        else:
            node.handle(event)
        sys.stdout.write(json.dumps(node.outputs) + "\n")
        sys.stdout.flush()
        node.outputs = []


if __name__ == "__main__":
    serve(Node)
