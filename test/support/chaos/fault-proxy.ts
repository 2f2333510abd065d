import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A TCP proxy in front of a service, whose connections can be cut, delayed, or left without an answer. */
export class FaultProxy {
  readonly #server: Server;
  readonly #connectUpstream: () => Socket;
  readonly #pairs = new Set<Pair>();
  #accepted = 0;
  #delayMs = 0;
  #isRejecting = false;
  #isSilent = false;

  private constructor(connectUpstream: () => Socket) {
    this.#connectUpstream = connectUpstream;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async start(connectUpstream: () => Socket): Promise<FaultProxy> {
    const proxy = new FaultProxy(connectUpstream);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** Connections since the start. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Resets all connections; new ones work. */
  cut(): void {
    for (const { client, upstream } of this.#pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
  }

  /** Resets all connections and rejects new ones, as if the service were down. */
  reject(): void {
    this.#isRejecting = true;
    this.cut();
  }

  /** Delays all data, in both directions. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /**
   * Leaves all connections open for ever and forwards nothing, as a firewall that has forgotten them. The service closes
   * its side. New connections work.
   */
  halfOpen(): void {
    for (const pair of this.#pairs) pair.goSilent();
  }

  /** Also accepts new connections that never get an answer, as a network that drops packets. */
  blackHole(): void {
    this.#isSilent = true;
    this.halfOpen();
  }

  /** Ends all faults. Connections that were left open stay so, until their client closes them. */
  heal(): void {
    this.#delayMs = 0;
    this.#isRejecting = false;
    this.#isSilent = false;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  #accept(client: Socket): void {
    if (this.#isRejecting) {
      client.resetAndDestroy();
      return;
    }
    this.#accepted += 1;
    const pair = new Pair(client, this.#connectUpstream(), () => this.#delayMs);
    this.#pairs.add(pair);
    client.once('close', () => this.#pairs.delete(pair));
    if (this.#isSilent) pair.goSilent();
  }
}

class Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  #isSilent = false;

  constructor(client: Socket, upstream: Socket, delayMs: () => number) {
    this.client = client;
    this.upstream = upstream;
    client.setNoDelay(true);
    client.pipe(delayed(delayMs)).pipe(upstream);
    upstream.pipe(delayed(delayMs)).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => {
      if (!this.#isSilent) client.destroy();
    });
  }

  goSilent(): void {
    this.#isSilent = true;
    this.client.unpipe();
    this.upstream.unpipe();
    // read and drop, so that a close of the client is noticed
    this.client.resume();
    this.upstream.destroy();
  }
}

const delayed = (delayMs: () => number): Transform =>
  new Transform({
    transform(chunk, _encoding, done) {
      const ms = delayMs();
      if (ms === 0) done(null, chunk);
      else setTimeout(() => done(null, chunk), ms);
    },
  });
