import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { latenciesOf } from '../mixed/load-plan.ts';
import type { RatePlan, RateReport } from './rate-plan.ts';

/** Sends requests at a fixed rate in a process of its own, whether or not earlier ones are answered. */
const HEADER_END = Buffer.from('\r\n\r\n');
const TICK_MS = 2;

type Reply = { readonly status: number; readonly hasRetryAfter: boolean };

/** Connections stay open between two runs. */
const pool: Connection[] = [];

process.on('message', async (plan: RatePlan) => {
  process.send?.(await run(plan));
});

class Run {
  readonly accepted: number[] = [];
  readonly counts = { rejected: 0, rejectedWithoutRetry: 0, failed: 0 };
  readonly #idle: Connection[] = [];
  readonly #waiting: number[] = [];
  readonly #requests: readonly Buffer[];
  readonly #url: string;
  readonly #maxConnections: number;
  #sent = 0;

  constructor({ url, paths, connections }: RatePlan) {
    const { host } = new URL(url);
    this.#url = url;
    this.#maxConnections = connections;
    this.#idle.push(...pool);
    this.#requests = paths.map((path) =>
      Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`),
    );
  }

  /** A request takes a connection that is free, or a new one; its time counts from when it was due. */
  schedule(dueAt: number): void {
    const connection = this.#idle.pop() ?? this.#open();
    if (connection === undefined) this.#waiting.push(dueAt);
    else this.#send(connection, dueAt);
  }

  #open(): Connection | undefined {
    if (pool.length >= this.#maxConnections) return undefined;
    const connection = new Connection(this.#url);
    pool.push(connection);
    return connection;
  }

  #addIdle(connection: Connection): void {
    const dueAt = this.#waiting.shift();
    if (dueAt === undefined) this.#idle.push(connection);
    else this.#send(connection, dueAt);
  }

  /** Requests that were not sent. */
  get waiting(): number {
    return this.#waiting.length;
  }

  #send(connection: Connection, dueAt: number): void {
    const request = this.#requests[this.#sent++ % this.#requests.length] ?? Buffer.alloc(0);
    connection.send(request, (reply) => {
      if (reply === undefined) this.counts.failed += 1;
      else if (reply.status === 200) this.accepted.push(performance.now() - dueAt);
      else if (reply.status !== 503) this.counts.failed += 1;
      else if (reply.hasRetryAfter) this.counts.rejected += 1;
      else this.counts.rejectedWithoutRetry += 1;
      this.#addIdle(connection);
    });
  }
}

/** One connection with one request at a time. It is opened again after an error. */
class Connection {
  readonly #target: { readonly host: string; readonly port: number };
  #socket: Socket | undefined;
  #done: ((reply: Reply | undefined) => void) | undefined;
  #missing = 0;
  #reply: Reply | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#target = { host: hostname, port: Number(port) };
  }

  send(request: Buffer, done: (reply: Reply | undefined) => void): void {
    this.#done = done;
    this.#socket ??= this.#open();
    this.#socket.write(request);
  }

  /** Closes the connection if it has not answered its last request. */
  endRun(): void {
    if (this.#done === undefined) return;
    this.#done = undefined;
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#missing = 0;
  }

  #open(): Socket {
    const socket = connect({ ...this.#target, noDelay: true });
    socket.on('data', (chunk) => {
      if (this.#socket === socket) this.#onData(chunk);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#missing = 0;
      this.#finish(undefined);
    });
    return socket;
  }

  #onData(chunk: Buffer): void {
    if (this.#missing > 0) this.#missing -= chunk.length;
    else {
      const headEnd = chunk.indexOf(HEADER_END);
      const head = chunk.toString('latin1', 0, headEnd);
      const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
      this.#missing = length - (chunk.length - headEnd - HEADER_END.length);
      const hasRetryAfter = head.includes('\r\nretry-after: ');
      this.#reply = { status: Number(head.slice(9, 12)), hasRetryAfter };
    }
    if (this.#missing <= 0) this.#finish(this.#reply);
  }

  #finish(reply: Reply | undefined): void {
    const done = this.#done;
    this.#done = undefined;
    done?.(reply);
  }
}

async function run(plan: RatePlan): Promise<RateReport> {
  const { perSecond, seconds } = plan;
  const all = new Run(plan);
  const start = performance.now();
  const idle = performance.eventLoopUtilization();
  const total = Math.round(perSecond * seconds);
  let scheduled = 0;
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / 1_000));
    for (; scheduled < due; scheduled++) all.schedule(start + (scheduled * 1_000) / perSecond);
  }, TICK_MS);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  clearInterval(timer);
  const { waiting, counts } = all;
  const connections = pool.length;
  const { utilization } = performance.eventLoopUtilization(idle);
  const elapsed = (performance.now() - start) / 1_000;
  const accepted = latenciesOf(all.accepted);
  // an answer that is still to come would be taken for that of the next run
  for (const connection of pool) connection.endRun();
  const acceptedPerSecond = accepted.count / elapsed;
  return { accepted, ...counts, waiting, acceptedPerSecond, connections, utilization };
}

await once(process, 'disconnect');
