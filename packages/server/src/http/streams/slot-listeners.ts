import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Clusters } from '../../clusters/served-clusters.ts';

const WAIT_MS = 1_000;
/** While the slot does not change, data that has no slot is compared so often. */
const PAUSE_MS = 100;
/** Listeners give way to requests after this time. */
const TURN_MS = 5;

type Listener = () => void;

/** Calls listeners after each slot of a cluster, as long as there are any. */
export class SlotListeners {
  readonly #clusters: Clusters;
  /** By name or alias of the cluster; the primary one is the empty name. */
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(clusters: Clusters) {
    this.#clusters = clusters;
  }

  /** Returns what ends it. */
  add(env: string | undefined, listener: Listener): () => void {
    const name = env ?? '';
    const known = this.#listeners.get(name);
    const listeners = known ?? new Set<Listener>();
    listeners.add(listener);
    if (known === undefined) {
      this.#listeners.set(name, listeners);
      void this.#run(name, env, listeners);
    }
    return () => void listeners.delete(listener);
  }

  async #run(name: string, env: string | undefined, listeners: Set<Listener>): Promise<void> {
    let slot = this.#slotOf(env);
    while (listeners.size > 0) {
      const hasNext = await this.#waitForSlot(env, slot + 1n);
      if (!hasNext) await setTimeout(PAUSE_MS, undefined, { ref: false });
      // before the calls, so that a slot that comes meanwhile is not missed
      slot = this.#slotOf(env);
      await callInTurns([...listeners]);
    }
    this.#listeners.delete(name);
  }

  #slotOf(env: string | undefined): bigint {
    return this.#clusters.find(env)?.reader.at().slot ?? 0n;
  }

  async #waitForSlot(env: string | undefined, slot: bigint): Promise<boolean> {
    const cluster = this.#clusters.find(env);
    return (await cluster?.waitForSlot(slot, WAIT_MS).catch(() => false)) ?? false;
  }
}

async function callInTurns(listeners: readonly Listener[]): Promise<void> {
  let start = performance.now();
  for (const listener of listeners) {
    listener();
    if (performance.now() - start < TURN_MS) continue;
    await setImmediate();
    start = performance.now();
  }
}
