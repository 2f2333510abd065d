import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Slot } from '#core/base/time.ts';
import { createSeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { type ChaosCluster, startChaosCluster } from './chaos-cluster.ts';
import { CheckedClients } from './checked-clients.ts';
import type { Fault, FaultOutcome } from './fault.ts';
import { planFaults } from './fault-plan.ts';
import { LedgerIndex } from './ledger-index.ts';
import { type ProcessFigures, readProcessFigures } from './process-figures.ts';
import { compareEvents, readEventsCheckpoint, readRecordedEvents } from './recorded-events.ts';
import { findWrongPositions } from './recorded-positions.ts';
import { ReferenceAnswers } from './reference-answers.ts';
import { answersReady, Topology } from './topology.ts';
import { startParts } from './topology-parts.ts';

/** Served slots that are at most this far behind count as current; while a writer polls, which it does every 15 s. */
const CURRENT_SLOTS = 8n;
const CURRENT_SLOTS_POLLING = 60n;
const POLL = { interval: 100 };
const MAX_PROBLEMS = 10;

/** `recoveryMs`: from the end of the fault until everything is current again. */
export type FaultReport = FaultOutcome & {
  readonly seed: number;
  readonly fault: string;
  readonly faultMs: number;
  readonly recoveryMs: number;
};

export type MemberFigures = Readonly<Record<string, ProcessFigures>>;

/** A running deployment under load, with everything that its answers are checked against. */
export class ChaosRun {
  readonly topology: Topology;
  /** Of all faults until now. */
  readonly reports: FaultReport[] = [];
  readonly cluster: ChaosCluster;
  readonly #reference: ReferenceAnswers;
  readonly #ledger: LedgerIndex;
  readonly #eventsSince: Slot;

  private constructor(parts: RunParts) {
    this.topology = parts.topology;
    this.cluster = parts.cluster;
    this.#reference = parts.reference;
    this.#ledger = parts.ledger;
    this.#eventsSince = parts.eventsSince;
  }

  /** `previousRelease`: the program of an earlier release with which all processes begin. */
  static async start(previousRelease?: string): Promise<ChaosRun> {
    const cluster = await startChaosCluster();
    const ledger = new LedgerIndex(cluster);
    const reference = new ReferenceAnswers(cluster);
    const parts = await startParts(cluster.port);
    const topology = await Topology.start(parts, previousRelease);
    const eventsSince = await readEventsCheckpoint(parts.database, 'events-since');
    return new ChaosRun({ cluster, ledger, reference, topology, eventsSince });
  }

  /** Runs faults under load, those of the seed by default. Each must leave right answers and complete events. */
  async runSeed(seed: number, planned: readonly Fault[] = planFaults(seed)): Promise<void> {
    const clients = new CheckedClients({
      cluster: this.cluster,
      topology: this.topology,
      reference: this.#reference,
      ledger: this.#ledger,
      seed: `${seed}`,
      eventsSince: this.#eventsSince,
    });
    try {
      await this.waitUntilCurrent();
      for (const fault of planned) this.reports.push(await this.#runFault(fault, seed, clients));
    } finally {
      await clients.stop();
    }
    expect(clients.counts.right).toBeGreaterThan(0);
  }

  async #runFault(fault: Fault, seed: number, clients: CheckedClients): Promise<FaultReport> {
    const random = createSeededRandom(`${seed}/${fault.name}`);
    clients.mayServeUndone = fault.name === 'slots rolled back';
    const startedAt = performance.now();
    const outcome = await fault.run({ cluster: this.cluster, topology: this.topology, random });
    const endedAt = performance.now();
    const { slot } = this.cluster.localnet.bank;
    await this.waitUntilCurrent();
    const recoveryMs = Math.round(performance.now() - endedAt);
    const faultMs = Math.round(endedAt - startedAt);
    await this.#expectAllEvents(slot);
    clients.mayServeUndone = false;
    const findProblems = async () => (await clients.findProblems()).slice(0, MAX_PROBLEMS);
    await expect
      .poll(findProblems, { ...POLL, message: `after: ${fault.name}, ${outcome.detail}` })
      .toEqual([]);
    return { seed, fault: fault.name, ...outcome, faultMs, recoveryMs };
  }

  /** One index process writes, and all api processes are ready and serve slots that were confirmed after this call. */
  async waitUntilCurrent(): Promise<void> {
    const { bank } = this.cluster.localnet;
    const minSlot = bank.slot + 1n;
    const findProblems = async (): Promise<readonly string[]> => {
      const writer = await this.topology.findWriter();
      const problems = writer === undefined ? ['no index process writes'] : [];
      const isPolling = await this.topology.isPolling();
      const maxLag = isPolling ? CURRENT_SLOTS_POLLING : CURRENT_SLOTS;
      for (const { name, running } of this.topology.apis) {
        if (!(await answersReady(running))) problems.push(`${name} is not ready`);
        const slot = await servedSlot(running.url);
        if (slot < minSlot || bank.slot - slot > maxLag)
          problems.push(`${name} is ${bank.slot - slot} behind`);
      }
      return problems;
    };
    await expect.poll(findProblems, POLL).toEqual([]);
  }

  /** Everything up to the slot is recorded once. */
  async #expectAllEvents(slot: Slot): Promise<void> {
    const { database } = this.topology.parts;
    await expect.poll(async () => (await readEventsCheckpoint(database)) >= slot, POLL).toBe(true);
    const after = this.#eventsSince;
    const compare = async () => {
      const recorded = await readRecordedEvents(database);
      const inRange = recorded.filter((each) => each.slot > after && each.slot <= slot);
      return compareEvents(this.#ledger.between(after, slot), inRange);
    };
    await expect.poll(compare, POLL).toEqual([]);
    const { bank } = this.cluster.localnet;
    // what was recorded of undone slots is deleted when the writer has noticed
    await expect.poll(() => findWrongPositions(database, { bank, after }), POLL).toEqual([]);
  }

  figures(): MemberFigures {
    return Object.fromEntries(
      this.topology.members.flatMap(({ name, running }) => {
        const figures = readProcessFigures(running.role.child.pid ?? 0);
        return figures === undefined ? [] : [[name, figures]];
      }),
    );
  }

  async stop(): Promise<void> {
    await this.topology.stop();
    await this.topology.parts.remove();
    await this.cluster.stop();
    await this.#reference.close();
  }
}

type RunParts = {
  readonly cluster: ChaosCluster;
  readonly ledger: LedgerIndex;
  readonly reference: ReferenceAnswers;
  readonly topology: Topology;
  readonly eventsSince: Slot;
};

async function servedSlot(url: string): Promise<bigint> {
  try {
    const { headers } = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) });
    return BigInt(headers.get('x-slot') ?? 0);
  } catch {
    await sleep(POLL.interval);
    return 0n;
  }
}
