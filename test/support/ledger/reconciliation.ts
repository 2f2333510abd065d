import { createSeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { startSimulationApi } from '../history/recorded-simulation.ts';
import type { RunningApi } from '../http/test-api.ts';
import type { LedgerTime } from './account-ledger.ts';
import type { BusySimulation } from './busy-simulation.ts';
import { LedgerReserves } from './ledger-reserves.ts';
import { VaultIndex } from './vault-index.ts';

/** What a proof is made with: the server, and the ledger that it is held against. */
export type Reconciliation = BusySimulation & {
  readonly api: RunningApi;
  readonly reserves: LedgerReserves;
  readonly vaults: VaultIndex;
  readonly random: ProofDice;
  /** When the play ended, which is now for the server. */
  readonly end: LedgerTime;
};

type Range = { readonly start: bigint; readonly end: bigint };

type ProofDice = {
  /** So many of them, or all where there are no more; which ones is chance. */
  some<Item>(items: readonly Item[], count: number): readonly Item[];
  /** Within the play, of a length that is still told by the hour; of minutes within those that were sampled. */
  range(frequency?: 'minute' | 'hour' | 'day'): Range;
  /** The same, or sometimes a range that is longer than so many days and told by the day. */
  rangeOfDays(days: bigint): Range & { readonly frequency: 'hour' | 'day' };
  /** Of the play. */
  instant(): bigint;
};

/** Everything that is counted once for all proofs. */
export type LedgerIndexes = { readonly reserves: LedgerReserves; readonly vaults: VaultIndex };

export function createLedgerIndexes({ ledger }: BusySimulation): LedgerIndexes {
  const reserves = new LedgerReserves(ledger);
  return { reserves, vaults: new VaultIndex(ledger, reserves) };
}

export async function startReconciliation(
  days: BusySimulation,
  books: LedgerIndexes,
  seed: string,
): Promise<Reconciliation> {
  const end = days.state.at();
  const first = days.ledger.samples[0]?.unix ?? 0n;
  return {
    ...days,
    api: await startSimulationApi(days),
    ...books,
    end,
    random: createProofDice(seed, { first, last: end.unix }),
  };
}

type Span = { readonly first: bigint; readonly last: bigint };

function createProofDice(seed: string, { first, last }: Span): ProofDice {
  const dice = createSeededRandom(seed);
  const range: ProofDice['range'] = (frequency = 'hour') => {
    const from = frequency === 'minute' ? last - (last % 3_600n) : first - 3_600n;
    const middle = from + (last - from) / 2n;
    return { start: dice.between(from, middle), end: dice.between(middle, last) };
  };
  return {
    range,
    rangeOfDays(days) {
      if (dice.between(0n, 2n) > 0n) return { ...range(), frequency: 'hour' };
      const { end } = range();
      return { start: end - days * 86_400n - dice.between(1n, 86_400n), end, frequency: 'day' };
    },
    some(items, count) {
      const left = [...items];
      const chosen: typeof left = [];
      while (chosen.length < count && left.length > 0) {
        chosen.push(...left.splice(Number(dice.between(0n, BigInt(left.length - 1))), 1));
      }
      return chosen;
    },
    instant: () => dice.between(first, last),
  };
}
