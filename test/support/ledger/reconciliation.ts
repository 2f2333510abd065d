import { createSeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { startSimulationApi } from '../history/recorded-simulation.ts';
import type { RunningApi } from '../http/test-api.ts';
import type { LedgerTime } from './account-ledger.ts';
import type { BusySimulation } from './busy-simulation.ts';
import { LedgerReserves } from './ledger-reserves.ts';
import { VaultIndex } from './vault-index.ts';

/** The server, and the ledger that its responses are compared with. */
export type Reconciliation = BusySimulation & {
  readonly api: RunningApi;
  readonly reserves: LedgerReserves;
  readonly vaults: VaultIndex;
  readonly random: ProofDice;
  /** The end of the simulation, which is the server's current time. */
  readonly end: LedgerTime;
};

type Range = { readonly start: bigint; readonly end: bigint };

type ProofDice = {
  /** A random selection of at most this many items. */
  some<Item>(items: readonly Item[], count: number): readonly Item[];
  /** A random range that is served hourly, or by the minute within the minute samples. */
  range(frequency?: 'minute' | 'hour' | 'day'): Range;
  /** Like `range`, or sometimes a longer range that is served daily. */
  rangeOfDays(days: bigint): Range & { readonly frequency: 'hour' | 'day' };
  /** A random time of the simulation. */
  instant(): bigint;
};

/** Indexes that all reconciliations share. */
export type LedgerIndexes = { readonly reserves: LedgerReserves; readonly vaults: VaultIndex };

export function createLedgerIndexes({ ledger }: BusySimulation): LedgerIndexes {
  const reserves = new LedgerReserves(ledger);
  return { reserves, vaults: new VaultIndex(ledger, reserves) };
}

export async function startReconciliation(
  days: BusySimulation,
  indexes: LedgerIndexes,
  seed: string,
): Promise<Reconciliation> {
  const end = days.state.at();
  const first = days.ledger.samples[0]?.unix ?? 0n;
  return {
    ...days,
    api: await startSimulationApi(days),
    ...indexes,
    end,
    random: createProofDice(seed, { first, last: end.unix }),
  };
}

type Span = { readonly first: bigint; readonly last: bigint };

function createProofDice(seed: string, { first, last }: Span): ProofDice {
  const random = createSeededRandom(seed);
  const range: ProofDice['range'] = (frequency = 'hour') => {
    const from = frequency === 'minute' ? last - (last % 3_600n) : first - 3_600n;
    const middle = from + (last - from) / 2n;
    return { start: random.between(from, middle), end: random.between(middle, last - 1n) };
  };
  return {
    range,
    rangeOfDays(days) {
      if (random.between(0n, 2n) > 0n) return { ...range(), frequency: 'hour' };
      const { end } = range();
      return { start: end - days * 86_400n - random.between(1n, 86_400n), end, frequency: 'day' };
    },
    some(items, count) {
      const left = [...items];
      const chosen: typeof left = [];
      while (chosen.length < count && left.length > 0) {
        chosen.push(...left.splice(Number(random.between(0n, BigInt(left.length - 1))), 1));
      }
      return chosen;
    },
    instant: () => random.between(first, last),
  };
}
