/** Prometheus metrics at /metrics: requests of this interface and the state of its network. */
import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { EntryValidator } from "./entry-validator.ts";

/** Histogram buckets in real seconds: a read takes milliseconds, a write waits for the network. */
const DURATION_BUCKETS_S: readonly number[] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const METRICS_PATH = "/metrics";

/** Serves the metrics of `app` and the network at `METRICS_PATH`. `countSockets` returns the number of websockets. */
export function installMetrics(app: FastifyInstance, entry: EntryValidator, countSockets: () => number): void {
  const registry = new Registry();
  addRequestMetrics(app, registry);
  addNetworkMetrics(entry, registry);
  addGauge(
    registry,
    "quorumlab_requests_waiting",
    "Requests that wait for the network.",
    () => entry.writeLimit.waiting + entry.readLimit.waiting,
  );
  addGauge(registry, "quorumlab_websockets", "Open websockets.", countSockets);
  app.get(METRICS_PATH, { schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

function addRequestMetrics(app: FastifyInstance, registry: Registry): void {
  const labelNames = ["route", "method", "status"] as const;
  const registers = [registry];
  const requests = new Counter({ name: "http_requests_total", help: "Requests answered.", labelNames, registers });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's headers to the end of its response.",
    labelNames: ["route", "method"],
    buckets: [...DURATION_BUCKETS_S],
    registers,
  });
  app.addHook("onResponse", (request, reply, done) => {
    // The route and not the path: the number of labels must not grow with the paths that clients send.
    const labels = { route: request.routeOptions.url ?? "none", method: request.method };
    requests.inc({ ...labels, status: reply.statusCode });
    durations.observe(labels, reply.elapsedTime / 1_000);
    done();
  });
}

function addNetworkMetrics({ host, node }: EntryValidator, registry: Registry): void {
  const { network } = host;
  addGauge(registry, "quorumlab_virtual_seconds", "Virtual time of the network.", () => network.now / 1_000);
  addGauge(registry, "quorumlab_steps", "Events of the network so far.", () => network.steps);
  addGauge(registry, "quorumlab_checkpoint_number", "Last checkpoint that this validator has applied.", () =>
    network.checkpointOf(node),
  );
  addGauge(registry, "quorumlab_node_up", "Whether this validator runs.", () =>
    network.ledgerOf(node) === undefined ? 0 : 1,
  );
  addGauge(registry, "quorumlab_operations_pending", "Pending operations.", () => network.pendingCount);
  addGauge(registry, "quorumlab_operations_final", "Final operations.", () => network.archive.finals);
  new Gauge({
    name: "quorumlab_findings",
    help: "Violations of invariants so far.",
    labelNames: ["invariant"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { invariant } of network.findings) this.inc({ invariant });
    },
  });
}

/** Adds a gauge that is read when metrics are collected. */
function addGauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}
