import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type LoadResult = {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p99: number;
};

type Load = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
};

const HEADER_END = Buffer.from('\r\n\r\n');

/**
 * Sends the same request over a number of connections, one at a time on each, for a number of seconds.
 * It reads no more of an answer than where it ends, so that the server is what is measured: a client
 * that parses headers costs more than the servers compared here.
 */
export async function load({ url, headers = {}, connections, seconds }: Load): Promise<LoadResult> {
  const { hostname, port, pathname, search } = new URL(url);
  const fields = Object.entries({ host: `${hostname}:${port}`, ...headers });
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${lines}\r\n`);
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const awake = keepAwake();
  const start = performance.now();
  const end = start + seconds * 1000;
  const latencies: number[] = [];
  await Promise.all(sockets.map((socket) => askUntil(socket, { request, end, latencies })));
  const elapsed = (performance.now() - start) / 1000;
  awake.stop();
  for (const socket of sockets) socket.destroy();
  latencies.sort((a, b) => a - b);
  const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
  return { requests: latencies.length, seconds: elapsed, p99 };
}

/**
 * Keeps this process from sleeping between answers. Otherwise the server pays for waking it up, the more
 * often the more time it takes, and a small difference between two servers is shown as a large one.
 */
function keepAwake(): { stop: () => void } {
  let turning = true;
  const turn = () => {
    if (turning) setImmediate(turn);
  };
  turn();
  return {
    stop: () => {
      turning = false;
    },
  };
}

type Asking = { readonly request: Buffer; readonly end: number; readonly latencies: number[] };

function askUntil(socket: Socket, { request, end, latencies }: Asking): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = performance.now();
    let missing = 0;
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk) => {
      missing = missing > 0 ? missing - chunk.length : bytesAfter(chunk);
      if (missing > 0) return;
      const now = performance.now();
      latencies.push(now - sent);
      sent = now;
      if (now < end) socket.write(request);
      else resolve();
    });
    socket.write(request);
  });
}

/** Bytes of an answer that follow its first chunk, which holds all of its headers. */
function bytesAfter(chunk: Buffer): number {
  const headEnd = chunk.indexOf(HEADER_END);
  const head = chunk.toString('latin1', 0, headEnd);
  if (headEnd === -1 || !head.startsWith('HTTP/1.1 200')) throw new Error(`refused: ${head}`);
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  return Number(length) - (chunk.length - headEnd - HEADER_END.length);
}
