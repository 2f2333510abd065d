import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom, type SeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import type { SimulatedMainnet } from './simulated-mainnet.ts';

/** The cluster waits if the server is further behind than this. */
const MAX_LAG_SLOTS = 60n;
const WAIT_MS = 10;
const LONG_WAIT_MS = 30;
/** Slots between two turns of the event loop, in which sockets are written. */
const SLOTS_PER_TURN = 4;
/** Slots from the end of a fault to the next. */
const MIN_QUIET_SLOTS = 60n;
const MAX_QUIET_SLOTS = 240n;

/** What happened. */
export type WeekReport = {
  drops: number;
  reorgs: number;
  deadSlots: number;
  slots: number;
};

export type WeekOptions = {
  readonly mainnet: SimulatedMainnet;
  /** The slot that the server serves; undefined while it serves none. */
  readonly servedSlot: () => bigint | undefined;
  readonly seed: string;
};

/** Lets slots pass as fast as a server follows, with faults between them. */
export class MainnetWeek {
  readonly report: WeekReport = { drops: 0, reorgs: 0, deadSlots: 0, slots: 0 };
  readonly #options: WeekOptions;
  readonly #random: SeededRandom;

  constructor(options: WeekOptions) {
    this.#options = options;
    this.#random = createSeededRandom(`${options.seed}/week`);
  }

  /** Lets a number of slots pass, without faults. */
  async pass(slots: number): Promise<void> {
    for (let left = slots; left > 0; left--) await this.#advance();
  }

  /** Lets slots pass until the condition is met. */
  async passUntil(isMet: () => Promise<boolean>): Promise<void> {
    while (!(await isMet())) {
      await this.#advance();
      await sleep(WAIT_MS);
    }
  }

  /** Lets at least a number of slots pass, with a fault after some of them. */
  async passWithFaults(slots: number): Promise<void> {
    const faults = [() => this.#dropSockets(), () => this.#reorganize(), () => this.#loseSlot()];
    const end = this.report.slots + slots;
    for (let turn = 0; this.report.slots < end; turn++) {
      await this.pass(Number(this.#random.between(MIN_QUIET_SLOTS, MAX_QUIET_SLOTS)));
      await faults[turn % faults.length]?.();
    }
  }

  /** Up to 20 seconds of the cluster's time. */
  async #dropSockets(): Promise<void> {
    const { mainnet } = this.#options;
    mainnet.dropSockets();
    this.report.drops++;
    const slots = Number(this.#random.between(5n, 50n));
    for (let slot = 0; slot < slots; slot++) await this.#advance(true);
    mainnet.acceptSockets();
  }

  /** Confirmed slots too: deeper than any cluster does. */
  async #reorganize(): Promise<void> {
    const slots = Number(this.#random.between(2n, 12n));
    await this.#options.mainnet.rollBack(slots);
    this.report.reorgs++;
    await this.pass(slots);
  }

  async #loseSlot(): Promise<void> {
    await this.#options.mainnet.loseSlot();
    this.report.deadSlots++;
  }

  async #advance(isUnserved = false): Promise<void> {
    const { mainnet, servedSlot } = this.#options;
    await mainnet.advance();
    this.report.slots++;
    if (this.report.slots % SLOTS_PER_TURN === 0) await sleep(0);
    if (isUnserved) return;
    while (mainnet.slot - (servedSlot() ?? mainnet.slot) > MAX_LAG_SLOTS) {
      await sleep(LONG_WAIT_MS);
      // a slot is complete for the server only when later ones follow
      await mainnet.advance();
      this.report.slots++;
    }
  }
}
