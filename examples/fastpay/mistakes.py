#!/usr/bin/env python3
"""Mistakes that validators of payment networks are written with, each planted in the node beside this file.

`python3 mistakes.py NAME` runs a node with one of them; without a name it prints the names. They show what `quorumlab
fuzz` finds: every mistake is the change of one rule.
"""

import sys

from node import Node, serve


class LockReleasedAtRestart(Node):
    def restore_locks(self, payments):
        """A restarted validator votes as if it had never voted."""


class LockNotPersisted(Node):
    def persist_lock(self, op):
        """The lock is kept in memory only."""


class LockReleasedByTimeout(Node):
    def on_timer(self, name):
        """Locks are let go after a while, to free the accounts of owners that signed twice."""
        if name == "sync":
            self.locks.clear()
        super().on_timer(name)


class SecondVoteForOneNonce(Node):
    def lock(self, op):
        """Locks the nonce, and votes for whatever payment it is asked for."""
        super().lock(op)
        return True


class SignerCountedTwice(Node):
    """The same vote, sent again after a retry, counts again."""

    def collect(self, votes, vote):
        votes.append(vote)

    def has_quorum(self, votes):
        return len(votes) >= self.quorum


class QuorumOfTwoF(Node):
    def has_quorum(self, votes):
        return len({voter for voter, _ in votes}) >= max(1, self.quorum - 1)


class QuorumOfAll(Node):
    def has_quorum(self, votes):
        """Waits for all: one validator that is away stops every payment."""
        return len({voter for voter, _ in votes}) >= len(self.validators)


class BalanceNotChecked(Node):
    def is_funded(self, op):
        return True


class BalanceCheckedWithoutTheFee(Node):
    def is_funded(self, op):
        return self.balance(op["sender"], op["token"]) >= int(op["amount"])


class BalanceCheckedAtTheVoteOnly(Node):
    def on_certificate(self, _sender, certificate):
        """Applies a payment before the credit that it spends has arrived."""
        if self.is_next(certificate["op"]) and self.is_valid(certificate):
            self.confirm(certificate)
        else:
            super().on_certificate(_sender, certificate)


class NonceComparedWithAtLeast(Node):
    def is_next(self, op):
        return op["nonce"] >= self.next_nonce(op["sender"])


class CertificateOutOfOrder(Node):
    def on_certificate(self, _sender, certificate):
        """Applies a payment though an earlier one of its account is missing."""
        op = certificate["op"]
        if not self.is_over(op) and self.is_funded(op) and self.is_valid(certificate):
            self.confirm(certificate)
        else:
            super().on_certificate(_sender, certificate)


class ConfirmationAppliedTwice(Node):
    def is_over(self, op):
        """A certificate that arrives again is taken for a new one."""
        return False

    def is_applicable(self, op):
        return op["nonce"] <= self.next_nonce(op["sender"]) and self.is_funded(op)


class FeeNotPaid(Node):
    def cost(self, op):
        return int(op["amount"])


class FeeToNobody(Node):
    def collect_fee(self, token):
        """The sender pays the fee, and the pool stays as it is."""


class RecipientNotCredited(Node):
    def credit(self, account, token, amount):
        """Changes the balances of accounts that have one already."""
        if (account, token) in self.balances:
            super().credit(account, token, amount)


class SelfPaymentCreatesMoney(Node):
    def move(self, op):
        """Reads both balances before it writes one of them."""
        token = op["token"]
        received = self.balance(op["recipient"], token) + int(op["amount"])
        self.credit(op["sender"], token, -self.cost(op))
        self.balances[(op["recipient"], token)] = received
        self.collect_fee(token)


class SignatureNotChecked(Node):
    def is_signed(self, op):
        return True


class ForeignChainAccepted(Node):
    def fault_of(self, op):
        return super().fault_of({**op, "chain": self.chain})

    def is_signed(self, op):
        """The signature is that of the other chain."""
        return True


class FinalBeforeApplied(Node):
    def confirm(self, certificate):
        """Tells the clients as soon as there is a certificate, before the payment is applied."""
        self.tell_all(certificate["op"])
        super().confirm(certificate)


class SupersededToldAsFinal(Node):
    def tell(self, client, op, winner):
        self.reply(client, op["id"], "final")


class ClientToldTwice(Node):
    def tell(self, client, op, winner):
        super().tell(client, op, winner)
        super().tell(client, op, winner)


class ClientNotTold(Node):
    """Clients hear of payments that were applied before they asked, and of no others."""

    def tell_all(self, op):
        self.clients.clear()
        super().tell_all(op)


class SyncTimerNotSetAgain(Node):
    def on_timer(self, name):
        """Asks once for what it lacks, and never again."""
        super().on_timer(name)
        if name == "sync":
            self.out("cancel", name="sync")


class PaymentsNotPersisted(Node):
    def persist_certificate(self, certificate):
        """What was applied is forgotten at a restart."""


class RecordsOverwritten(Node):
    def persist_certificate(self, certificate):
        """The key lacks the nonce: an account has one record."""
        op = certificate["op"]
        super().persist_certificate({**certificate, "op": op})
        for nonce in range(op["nonce"]):
            self.out("erase", key=f"applied/{op['sender']}/{nonce}")


class OrderOfASet(Node):
    def send(self, to, tag, value):
        """The order of a set of texts differs between two processes."""
        super().send(list(set(to)), tag, value)


MISTAKES = {
    "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-"): mistake
    for name, mistake in list(globals().items())
    if isinstance(mistake, type) and issubclass(mistake, Node) and mistake is not Node
}


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in MISTAKES:
        sys.exit("usage: mistakes.py NAME, with one of\n" + "\n".join(MISTAKES))
    serve(MISTAKES[sys.argv[1]])
