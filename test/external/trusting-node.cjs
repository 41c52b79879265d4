/**
 * A node that trusts its peers: who has a payment applies it in the order of nonces, and tells all others. `mistake`: what
 * it does wrong. Run as a program it speaks over its standard input and output.
 */
function createNode(mistake = "") {
  let node;
  return (input) => {
    if (input.input === "start") node = start(input);
    node.out = [];
    if (input.input === "start") begin(node, input);
    else if (input.input === "submit") submit(node, input);
    else if (input.input === "message") receive(node, JSON.parse(Buffer.from(input.bytes, "hex").toString()));
    else if (input.input === "timer") sync(node, input.at);
    else state(node, input.accounts);
    if (mistake === "random" && input.input === "submit")
      node.out.push(timer("chance", Math.floor(Math.random() * 1e9)));
    return node.out;
  };

  function start({ self, validators, tokens, balances }) {
    const fees = new Map(tokens.map(({ token, fee }) => [token, BigInt(fee)]));
    const held = new Map(balances.map(([account, token, amount]) => [`${account} ${token}`, BigInt(amount)]));
    const peers = validators.filter((name) => name !== self);
    return { peers, fees, held, pools: new Map(), next: new Map(), known: new Map(), clients: new Map(), done: [] };
  }

  function begin(node, { at, records = [] }) {
    node.out.push({ output: "ready", version: 1, operations: ["payment"] });
    for (const [, bytes] of records) take(node, JSON.parse(Buffer.from(bytes, "hex").toString()), false);
    node.out.push(timer("sync", at + 500));
  }

  function submit(node, { client, operation }) {
    if (operation.signature === "0".repeat(64)) {
      const refused = { status: "refused", code: "validation_signature", disclosed: false };
      node.out.push({ output: "reply", client, id: operation.id, ...refused });
      return;
    }
    const winner = node.done.find(({ sender, nonce }) => sender === operation.sender && nonce === operation.nonce);
    if (winner !== undefined) return reply(node, client, operation.id, winner);
    node.clients.set(operation.id, [...(node.clients.get(operation.id) ?? []), client]);
    node.out.push({ output: "reply", client, id: operation.id, status: "pending" });
    take(node, operation, true);
  }

  function receive(node, operations) {
    for (const operation of operations) take(node, operation, false);
  }

  function take(node, operation, isFirst) {
    const place = `${operation.sender} ${operation.nonce}`;
    if (node.known.has(place)) return;
    node.known.set(place, operation);
    if (isFirst) send(node, [operation]);
    let progress = true;
    while (progress) {
      progress = false;
      for (const one of node.known.values()) progress = applyNext(node, one) || progress;
    }
  }

  function applyNext(node, operation) {
    const { id, sender, nonce, token, recipient, amount } = operation;
    const fee = mistake === "no fee" ? 0n : node.fees.get(token);
    const cost = BigInt(amount) + fee;
    if (nonce !== (node.next.get(sender) ?? 0) || balance(node, sender, token) < cost) return false;
    node.out.push({ output: "persist", key: `done/${sender}/${nonce}`, bytes: hex(operation) });
    node.held.set(`${sender} ${token}`, balance(node, sender, token) - cost);
    node.held.set(
      `${recipient} ${token}`,
      balance(node, recipient, token) + BigInt(amount) + (mistake === "mints" ? 1n : 0n),
    );
    node.pools.set(token, (node.pools.get(token) ?? 0n) + fee);
    node.next.set(sender, nonce + 1);
    node.done.push(operation);
    const accounts = [...new Set([sender, recipient])];
    node.out.push({
      output: "applied",
      id,
      success: true,
      fee: String(fee),
      balances: accounts.map((account) => [account, token, String(balance(node, account, token))]),
      nonces: [[sender, nonce + 1]],
      pools: [[token, String(node.pools.get(token))]],
    });
    for (const one of node.done.filter((other) => other.sender === sender && other.nonce === nonce))
      for (const client of new Set(node.clients.get(one.id))) reply(node, client, one.id, operation);
    return true;
  }

  function reply(node, client, id, winner) {
    const status = winner.id === id ? { status: "final" } : { status: "superseded", by: winner.id };
    node.out.push({ output: "reply", client, id, ...status });
    node.clients.delete(id);
  }

  function sync(node, at) {
    node.out.push(timer("sync", at + 500));
    send(node, node.done);
  }

  function state(node, accounts) {
    const tokens = [...node.fees.keys()];
    node.out.push({
      output: "state",
      balances: accounts.flatMap((account) =>
        tokens.map((token) => [account, token, String(balance(node, account, token))]),
      ),
      nonces: accounts.map((account) => [account, (node.next.get(account) ?? 0) + (mistake === "false state" ? 1 : 0)]),
    });
  }

  function send(node, operations) {
    if (operations.length > 0)
      node.out.push({ output: "send", to: node.peers, tag: "payments", bytes: hex(operations) });
  }

  function balance(node, account, token) {
    return node.held.get(`${account} ${token}`) ?? 0n;
  }
}

function timer(name, at) {
  return { output: "timer", name, at, background: true };
}

function hex(value) {
  return Buffer.from(JSON.stringify(value)).toString("hex");
}

exports.createNode = () => createNode(process.env.MISTAKE);

if (require.main === module) {
  const node = createNode(process.argv[2]);
  require("node:readline")
    .createInterface({ input: process.stdin })
    .on("line", (line) => process.stdout.write(`${JSON.stringify(node(JSON.parse(line)))}\n`));
}
