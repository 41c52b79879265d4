-------------------------------- MODULE Slot --------------------------------
(* One account's slot with 4 validators, of which the last is Byzantine: two payments, x and y, and a skip by a       *)
(* cancellation, in rounds 0 and 1. The same model as slot.qnt; README.md says what is equal to the explored program. *)
EXTENDS Naturals, FiniteSets, TLC

CONSTANT Honest, Nothing

Values == {"x", "y", "skip"}
\* Honest signatures that the Byzantine validator completes to a quorum of 3.
Enough == 2

VARIABLES votes0, votes1, commits0, commits1, changes
vars == <<votes0, votes1, commits0, commits1, changes>>

HasQuorum(ballots, value) == Cardinality({v \in Honest : ballots[v] = value}) >= Enough

\* Locks that a validator may name when it leaves round 0: what it committed to, else any certificate that exists.
Locks(v) ==
  IF commits0[v] # Nothing THEN {commits0[v]}
  ELSE {"none"} \cup {value \in Values : HasQuorum(votes0, value)}

\* The Byzantine proposer needs the changes of 2 honest validators: without a lock, or with the one that forces `value`.
IsJustified(value) ==
  \/ Cardinality({v \in Honest : changes[v] = "none"}) >= Enough
  \/ /\ Cardinality({v \in Honest : changes[v] # Nothing}) >= Enough
     /\ HasQuorum(votes0, value)

\* Enters round 1 with a lock, unless it has.
Enter(v, lock) == changes' = IF changes[v] = Nothing THEN [changes EXCEPT ![v] = lock] ELSE changes

Empty == [v \in Honest |-> Nothing]

Init ==
  /\ votes0 = Empty
  /\ votes1 = Empty
  /\ commits0 = Empty
  /\ commits1 = Empty
  /\ changes = Empty

Vote0(v, value) ==
  /\ value # "skip"
  /\ votes0[v] = Nothing
  /\ changes[v] = Nothing
  /\ votes0' = [votes0 EXCEPT ![v] = value]
  /\ UNCHANGED <<votes1, commits0, commits1, changes>>

Commit0(v, value) ==
  /\ HasQuorum(votes0, value)
  /\ commits0[v] = Nothing
  /\ changes[v] = Nothing
  /\ commits0' = [commits0 EXCEPT ![v] = value]
  /\ UNCHANGED <<votes0, votes1, commits1, changes>>

Change(v, lock) ==
  /\ changes[v] = Nothing
  /\ changes' = [changes EXCEPT ![v] = lock]
  /\ UNCHANGED <<votes0, votes1, commits0, commits1>>

Vote1(v, value, lock) ==
  /\ IsJustified(value)
  /\ votes1[v] = Nothing
  /\ votes1' = [votes1 EXCEPT ![v] = value]
  /\ Enter(v, lock)
  /\ UNCHANGED <<votes0, commits0, commits1>>

Commit1(v, value, lock) ==
  /\ HasQuorum(votes1, value)
  /\ commits1[v] = Nothing
  /\ commits1' = [commits1 EXCEPT ![v] = value]
  /\ Enter(v, lock)
  /\ UNCHANGED <<votes0, votes1, commits0>>

Next ==
  \E v \in Honest :
    \/ \E value \in Values : Vote0(v, value) \/ Commit0(v, value)
    \/ \E lock \in Locks(v) :
         \/ Change(v, lock)
         \/ \E value \in Values : Vote1(v, value, lock) \/ Commit1(v, value, lock)

Spec == Init /\ [][Next]_vars

IsFinal(value) == HasQuorum(commits0, value) \/ HasQuorum(commits1, value)

\* No two values have a quorum of commits (protocol 7.1).
Agreement == \A one, other \in Values : IsFinal(one) /\ IsFinal(other) => one = other

Symmetry == Permutations(Honest)
=============================================================================
