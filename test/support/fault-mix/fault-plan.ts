import { createSeededRandom, type SeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { accountFaults } from './account-faults.ts';
import { clusterFaults } from './cluster-faults.ts';
import type { Fault } from './fault.ts';
import { httpFaults } from './http-faults.ts';
import { ledgerFaults } from './ledger-faults.ts';
import { streamFaults } from './stream-faults.ts';

export const nodeFaults: readonly Fault[] = [
  ...httpFaults,
  ...accountFaults,
  ...ledgerFaults,
  ...streamFaults,
  ...clusterFaults,
];

const MAX_FAULTS = 4n;
/** One case in each group of this size compares the histories of positions. */
const HISTORY_EVERY = 10;

export type FaultPlan = {
  readonly seed: number;
  readonly faults: readonly Fault[];
  /** Whether there is a second endpoint, without faults. */
  readonly hasSecondNode: boolean;
  /** Whether connections break when the faults begin, so that all is read again. */
  readonly dropsSockets: boolean;
  /** Whether the histories of positions are compared, which takes several times as long as the rest. */
  readonly hasHistory: boolean;
  /** Slots that pass with the faults. */
  readonly slots: number;
  readonly random: SeededRandom;
};

/** One to four faults at the same time. */
export function planCase(seed: number): FaultPlan {
  const random = createSeededRandom(`faults ${seed}`);
  const left = [...nodeFaults];
  const count = Number(random.between(1n, MAX_FAULTS));
  const faults = Array.from({ length: count }, () =>
    left.splice(Number(random.between(0n, BigInt(left.length - 1))), 1),
  ).flat();
  const hasSecondNode = random.between(1n, 10n) <= 3n;
  const dropsSockets = random.between(1n, 2n) === 1n;
  const slots = Number(random.between(40n, 90n));
  const hasHistory = seed % HISTORY_EVERY === 0;
  return { seed, faults, hasSecondNode, dropsSockets, hasHistory, slots, random };
}

/** A single fault, by its name. */
export function planFault(name: string): FaultPlan {
  const fault = nodeFaults.find((each) => each.name === name);
  if (fault === undefined) throw new Error(`There is no fault "${name}".`);
  const random = createSeededRandom(`fault ${name}`);
  const rest = { hasSecondNode: false, dropsSockets: true };
  const hasHistory = ledgerFaults.includes(fault);
  return { seed: 0, faults: [fault], ...rest, hasHistory, slots: 80, random };
}

/** The cases of CI: few that together have every fault. */
export const DEFAULT_FAULT_SEEDS = [3, 6, 8, 11, 12, 19, 21, 29, 35, 75, 77, 84, 144, 146, 163];

/** `FAULT_SEED` runs one case, `FAULT_SEEDS` a number of them or a range such as 51-100. */
export function readFaultSeeds(): readonly number[] {
  const { FAULT_SEED: seed, FAULT_SEEDS: range } = process.env;
  if (seed !== undefined) return [Number(seed)];
  if (range === undefined) return DEFAULT_FAULT_SEEDS;
  const [first = 1, last = first] = range.split('-').map(Number);
  const begin = range.includes('-') ? first : 1;
  return Array.from({ length: last - begin + 1 }, (_, i) => begin + i);
}
