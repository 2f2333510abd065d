import { type Address, bytesEqual, type ClusterAccount } from '@tidegate/core/base';
import { oraclePrices } from '@tidegate/core/protocol/scope/layout';
import { compareAccounts } from './compare-accounts.ts';
import type { ReplayContext } from './execute-transaction.ts';
import type { SeenAccounts } from './observed-slot.ts';
import { isPrice, type ReadableSlot, runSlot, type SlotRun } from './run-slot.ts';
import type { AccountProof, SlotProof, TransactionProof } from './slot-proof.ts';

/** More positions at which the oracle may have written are not tried. */
const MAX_POSITIONS = 16;

export type Attempt = SlotProof & { readonly run: SlotRun };

/**
 * Replays a slot in which an oracle may have written prices without a transaction that is seen: with the prices before the
 * slot, those after it, and a change in between. Equal bytes with one of them are a proof. A difference counts only where
 * prices do not matter.
 */
export function searchPrices(readable: ReadableSlot, context: ReplayContext): Attempt {
  const { slot, transactions } = readable;
  const attempt = (from: number, prices: SeenAccounts): Attempt => {
    const run = runSlot(readable, context, (position) => (position >= from ? prices : NONE));
    return { run, transactions: run.transactions, accounts: compareAccounts(readable, run) };
  };
  const first = attempt(transactions.length, NONE);
  if (countDifferences(first) === 0) return first;
  const { written, all } = uncertainPrices(slot);
  if (all.size === 0) return first;
  const attempts = [first];
  const positions = written.size === 0 ? [] : transactions.map((_, i) => i).slice(0, MAX_POSITIONS);
  for (const from of positions) {
    const next = attempt(from, written);
    if (countDifferences(next) === 0) return next;
    attempts.push(next);
  }
  const best = attempts.reduce((a, b) => (countDifferences(b) < countDifferences(a) ? b : a));
  const other = attempt(
    0,
    new Map([...all].map(([address, account]) => [address, withOtherPrices(account)])),
  );
  return withoutPriceDifferences(best, [...attempts, other]);
}

const NONE: SeenAccounts = new Map();

const countDifferences = ({ accounts, transactions }: SlotProof): number =>
  [...accounts, ...transactions].filter(({ verdict }) => verdict === 'differing').length;

type UncertainPrices = {
  /** After the slot. */
  readonly written: SeenAccounts;
  /** Those that nobody saw after the slot as well. */
  readonly all: ReadonlyMap<Address, ClusterAccount>;
};

function uncertainPrices({ before, after }: ReadableSlot['slot']): UncertainPrices {
  const written = new Map<Address, ClusterAccount>();
  const all = new Map<Address, ClusterAccount>();
  for (const [address, account] of before) {
    if (account === undefined || !isPrice(account)) continue;
    const next = after.get(address);
    if (next !== undefined && bytesEqual(next.data, account.data)) continue;
    all.set(address, account);
    if (next !== undefined) written.set(address, next);
  }
  return { written, all };
}

/** Prices that nothing else in the slot has: what they change depends on prices. */
function withOtherPrices(account: ClusterAccount): ClusterAccount {
  if (!oraclePrices.matches(account)) return account;
  const decoded = oraclePrices.decode(account);
  const prices = decoded.prices.map((entry) => ({
    ...entry,
    price: { ...entry.price, value: entry.price.value + entry.price.value / 1_000n + 1n },
  }));
  return { ...account, data: oraclePrices.encode({ ...decoded, prices }) };
}

/** Differences that other prices could explain are not provable. */
function withoutPriceDifferences(best: Attempt, attempts: readonly Attempt[]): Attempt {
  return {
    run: best.run,
    accounts: best.accounts.map((proof) =>
      proof.verdict !== 'differing' || isCertain(proof, attempts) ? proof : priceUnknown(proof),
    ),
    transactions: best.transactions.map((proof, i) =>
      proof.verdict !== 'differing' || isCertainOutcome(proof, i, attempts)
        ? proof
        : priceUnknown(proof),
    ),
  };
}

function priceUnknown<Proof extends AccountProof | TransactionProof>(proof: Proof): Proof {
  const { differences, ...rest } = proof;
  const detail = differences?.map(({ field }) => field).join(', ') ?? '';
  return { ...rest, verdict: 'notProvable', reason: 'priceUnknown', detail } as unknown as Proof;
}

/** Whether a field differs that has the same value with all prices. */
function isCertain(proof: AccountProof, attempts: readonly Attempt[]): boolean {
  const others = attempts.map(({ accounts }) =>
    accounts.find(({ address }) => address === proof.address),
  );
  return (proof.differences ?? []).some((difference) =>
    others.every((other) =>
      (other?.differences ?? []).some(
        ({ offset, expected }) => offset === difference.offset && expected === difference.expected,
      ),
    ),
  );
}

/** Whether the replay has the same outcome with all prices. */
function isCertainOutcome(
  proof: TransactionProof,
  index: number,
  attempts: readonly Attempt[],
): boolean {
  const text = JSON.stringify(proof.differences);
  return attempts.every(
    ({ transactions }) => JSON.stringify(transactions[index]?.differences) === text,
  );
}
