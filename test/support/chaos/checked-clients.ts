import { Agent, type IncomingHttpHeaders, get as sendGet } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type Slot, toSlot } from '#core/base/time.ts';
import { createSeededRandom, type SeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import type { ChaosCluster } from './chaos-cluster.ts';
import type { LedgerIndex } from './ledger-index.ts';
import { isOfOneAccount, type ReferenceAnswers } from './reference-answers.ts';
import type { Member, RunningMember, Topology } from './topology.ts';

const CLIENTS = 64;
const PAUSES_MS = [100n, 500n] as const;
/** Longer than a server works on a request. */
const TIMEOUT_MS = 45_000;
const EVENTS_PATH = '/events/recent?limit=100';
/** As many events are in a list. */
const MAX_EVENTS = 100;
const MAX_PROBLEMS = 10;
const MAX_UNDECIDED = 1_000;

type Reply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

type Sent = {
  readonly api: Member;
  readonly running: RunningMember;
  readonly path: string;
  /** Undefined if the request names none. */
  readonly minSlot: bigint | undefined;
  readonly newestSlot: bigint;
  readonly rollBacks: number;
};

type Undecided = {
  readonly path: string;
  readonly slot: Slot;
  readonly text: string;
  readonly description: string;
};

export type CheckedClientsOptions = {
  readonly cluster: ChaosCluster;
  readonly topology: Topology;
  readonly reference: ReferenceAnswers;
  readonly ledger: LedgerIndex;
  readonly seed: string;
  /** The first slot whose events are recorded. */
  readonly eventsSince: Slot;
};

/** 64 clients that read all the time, and check each answer against the cluster at the slot that it names. */
export class CheckedClients {
  readonly #problems: string[] = [];
  /** Answers that are right only if the writer polled. Its log may say so later than the answer. */
  #undecided: Undecided[] = [];
  readonly counts = {
    right: 0,
    polled: 0,
    undone: 0,
    events: 0,
    unavailable: 0,
    stale: 0,
    broken: 0,
  };
  /** Whether what was rolled back may still be served, until all slots were repeated. */
  mayServeUndone = false;
  readonly #options: CheckedClientsOptions;
  readonly #running: Promise<unknown>;
  #isStopped = false;

  constructor(options: CheckedClientsOptions) {
    this.#options = options;
    this.#running = Promise.all(Array.from({ length: CLIENTS }, (_, i) => this.#runClient(i)));
  }

  /** What was wrong, in words. */
  async findProblems(): Promise<readonly string[]> {
    const answers = this.#undecided;
    this.#undecided = [];
    for (const answer of answers) {
      if (await this.#isPolled(answer)) this.counts.polled += 1;
      else this.#undecided.push(answer);
    }
    return [
      ...this.#problems,
      ...(await Promise.all(this.#undecided.map((each) => this.#describe(each)))),
    ];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #runClient(index: number): Promise<void> {
    const { seed } = this.#options;
    const random = createSeededRandom(`${seed}/client/${index}`);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!this.#isStopped) {
      await this.#request(agent, this.#choose(random)).catch((error: unknown) =>
        this.#report(`a client failed: ${error}`),
      );
      await sleep(Number(random.between(...PAUSES_MS)));
    }
    agent.destroy();
  }

  #choose(random: SeededRandom): Sent {
    const { topology, reference, cluster } = this.#options;
    const { bank } = cluster.localnet;
    const pick = <Item>(items: readonly Item[]): Item =>
      items[Number(random.between(0n, BigInt(items.length - 1)))] as Item;
    const api = pick(topology.apis.filter(({ running }) => !running.isDraining));
    const isEvents = random.between(0n, 9n) === 0n;
    // what is confirmed is one slot behind
    const minSlot = isEvents || random.between(0n, 4n) === 0n ? bank.slot - 2n : undefined;
    const { running } = api;
    const path = isEvents ? EVENTS_PATH : pick(reference.paths);
    const rollBacks = bank.rollBacks.length;
    return { api, running, path, minSlot, newestSlot: running.newestSlot, rollBacks };
  }

  async #request(agent: Agent, sent: Sent): Promise<void> {
    const { path, minSlot, running } = sent;
    const separator = path.includes('?') ? '&' : '?';
    const query = minSlot === undefined ? '' : `${separator}minContextSlot=${minSlot}`;
    let reply: Reply;
    try {
      reply = await get(`${running.url}${path}${query}`, agent);
    } catch (error) {
      this.counts.broken += 1;
      if (!running.isEnding) this.#reportReply(sent, `no answer: ${error}`);
      return;
    }
    if (reply.status === 200) await this.#check(sent, reply);
    else this.#checkRejection(sent, reply);
  }

  async #check(sent: Sent, { headers, text }: Reply): Promise<void> {
    const slot = BigInt(String(headers['x-slot'] ?? -1));
    const { running, newestSlot, minSlot, path } = sent;
    if (slot < newestSlot) this.#reportReply(sent, `slot ${slot} after slot ${newestSlot}`);
    if (slot > running.newestSlot) running.newestSlot = slot;
    if (minSlot !== undefined && slot < minSlot) {
      this.#reportReply(sent, `slot ${slot}, but at least ${minSlot} was required`);
    }
    if (path === EVENTS_PATH) {
      this.#checkEvents(sent, text);
      return;
    }
    const expected = await this.#options.reference.at(toSlot(slot), path);
    if (expected === undefined) this.#reportReply(sent, `slot ${slot} is not one of the cluster`);
    else if (expected.has(text)) this.counts.right += 1;
    else if (this.mayServeUndone && this.#options.cluster.undoneSlots.has(slot)) {
      this.counts.undone += 1;
    } else if (this.#undecided.length < MAX_UNDECIDED) {
      const description = `${sent.api.name} ${path}: ${describeDifference(slot, expected, text)}`;
      this.#undecided.push({ path, slot: toSlot(slot), text, description });
    }
  }

  async #describe({ path, slot, text, description }: Undecided): Promise<string> {
    const { topology, reference } = this.#options;
    const [first, ...others] = await reference.slotsOf(path, text);
    const right = first === undefined ? 'no slot' : `slots ${first} to ${others.at(-1) ?? first}`;
    const source = topology.polled.has(slot) ? 'polled' : 'streamed';
    return `${description} (${source}; it is the answer of ${right})`;
  }

  /** While a writer polls, each account is at least as new as the slot. An answer from one account shows that. */
  async #isPolled({ path, slot, text }: Undecided): Promise<boolean> {
    const { topology, reference } = this.#options;
    if (!topology.polled.has(slot)) return false;
    if (!isOfOneAccount(path)) return true;
    return (await reference.slotsOf(path, text)).some((each) => each >= slot);
  }

  #checkEvents(sent: Sent, text: string): void {
    const { ledger, cluster, eventsSince } = this.#options;
    const { bank, transactions } = cluster.localnet;
    const { events } = JSON.parse(text) as { events: { signature: string }[] };
    const listed = new Set(events.map(({ signature }) => signature));
    // a rollback during the request changes what is right
    if (sent.rollBacks !== bank.rollBacks.length || this.mayServeUndone) return;
    const unknown = [...listed].find(
      (signature) => transactions.ledger.slotOf(signature) === undefined,
    );
    if (unknown !== undefined) this.#reportReply(sent, `${unknown} is not in the ledger`);
    const expected = ledger
      .between(eventsSince, toSlot(sent.minSlot ?? 0n))
      .filter(({ actions }) => actions.some((action) => LISTED_ACTIONS.has(action)));
    // a transaction may have several events
    const newest = events.length < MAX_EVENTS ? expected : expected.slice(-MAX_EVENTS / 4);
    const missing = newest.find(({ signature }) => !listed.has(signature));
    if (missing !== undefined) {
      const { signature, slot } = missing;
      this.#reportReply(sent, `without ${signature} of slot ${slot}, required ${sent.minSlot}`);
    } else this.counts.events += 1;
  }

  /** A read of the present always works; one that requires a slot or the database may be rejected for a while. */
  #checkRejection(sent: Sent, { status, headers, text }: Reply): void {
    const { running, minSlot } = sent;
    const isTemporary = status === 503 && headers['retry-after'] !== undefined;
    if (isTemporary && text.includes('STALE_READ') && minSlot !== undefined) this.counts.stale += 1;
    else if (isTemporary && (sent.path === EVENTS_PATH || !running.isReady)) {
      this.counts.unavailable += 1;
    } else this.#reportReply(sent, `${status} ${text}`);
  }

  #reportReply({ api, path }: Sent, text: string): void {
    this.#report(`${api.name} ${path}: ${text}`);
  }

  #report(text: string): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(text);
  }
}

const LISTED_ACTIONS: ReadonlySet<string> = new Set([
  ...['lend', 'take out', 'borrow', 'repay', 'buy shares', 'sell shares'],
]);

/** The first part that differs. */
function describeDifference(slot: bigint, expected: ReadonlySet<string>, text: string): string {
  const [first = ''] = expected;
  const at = [...text].findIndex((character, i) => character !== first[i]);
  const part = (from: string) => from.slice(Math.max(0, at - 60), at + 60);
  return `wrong at slot ${slot}: …${part(text)}… instead of …${part(first)}…`;
}

function get(url: string, agent: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = sendGet(url, { agent, timeout: TIMEOUT_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const isZipped = response.headers['content-encoding'] === 'gzip';
        const text = (isZipped ? gunzipSync(bytes) : bytes).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
  });
}
