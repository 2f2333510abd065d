import { type Address, type ClusterAccount, WRITE } from '@tidegate/core/base';
import { SCOPE_PROGRAMS } from '@tidegate/core/protocol/scope';
import { executeTransaction, type ReplayContext } from './execute-transaction.ts';
import { judgeTransaction } from './judge-transaction.ts';
import type { ObservedSlot, SeenAccounts } from './observed-slot.ts';
import { type ReadableTransaction, readTransaction } from './readable-transaction.ts';
import type { TransactionProof } from './slot-proof.ts';
import { SlotState } from './slot-state.ts';

export type ReadableSlot = {
  readonly slot: ObservedSlot;
  readonly transactions: readonly (ReadableTransaction | TransactionProof)[];
};

/** The transactions that wrote an account, in order. */
type AccountWrites = {
  readonly instructions: Set<string>;
  readonly signatures: Set<string>;
  /** What the replay had to assume for them. */
  readonly assumed: Set<string>;
};

export type SlotRun = {
  readonly transactions: readonly TransactionProof[];
  readonly writes: ReadonlyMap<Address, AccountWrites>;
  readonly state: SlotState;
};

export function readObservedSlot(slot: ObservedSlot): ReadableSlot {
  return { slot, transactions: slot.transactions.map((each) => readOrRefuse(each)) };
}

function readOrRefuse(
  observed: ObservedSlot['transactions'][number],
): ReadableTransaction | TransactionProof {
  const read = readTransaction(observed);
  if (typeof read !== 'string') return read;
  const { signature, index } = observed;
  return {
    signature,
    index,
    hasFailed: false,
    calls: [],
    verdict: 'notProvable',
    reason: 'transactionUnreadable',
    detail: read,
  };
}

const isProof = (each: ReadableTransaction | TransactionProof): each is TransactionProof =>
  'verdict' in each;

/** Prices by the position of a transaction in the slot. */
export type PricesAt = (position: number) => SeenAccounts;

/** Executes the transactions of a slot one after the other. */
export function runSlot(
  { slot, transactions }: ReadableSlot,
  context: ReplayContext,
  pricesAt: PricesAt,
): SlotRun {
  const state = new SlotState(slot);
  const writes = new Map<Address, AccountWrites>();
  const proofs = transactions.map((each, position) => {
    if (isProof(each)) {
      state.loseTrackOfAll(each);
      return each;
    }
    state.prices = pricesAt(position);
    const run = executeTransaction(each, state, context);
    const proof = judgeTransaction(each, run);
    if (run.kind === 'run' && run.error === undefined && !proof.hasFailed) {
      state.write(withoutPrices(run.changes));
      // with the recorded balances of tokens, extensions of mints made no difference
      const mints = proof.verdict === 'proven' ? [] : run.assumedMints;
      const assumed = [...run.assumed, ...mints];
      for (const [address, names] of run.writes) {
        record(writes, address, { names, signature: each.signature, assumed });
      }
    } else if (!proof.hasFailed) {
      state.loseTrack(writableAddresses(each), proof);
    }
    return proof;
  });
  return { transactions: proofs, writes, state };
}

/** The oracle is not executed: its accounts are as they were seen. */
const withoutPrices = (
  changes: ReadonlyMap<Address, ClusterAccount | undefined>,
): ReadonlyMap<Address, ClusterAccount | undefined> =>
  new Map([...changes].filter(([, account]) => !isPrice(account)));

export const isPrice = (account: ClusterAccount | undefined): boolean =>
  account !== undefined && SCOPE_PROGRAMS.includes(account.owner);

const writableAddresses = ({ roles }: ReadableTransaction): Address[] =>
  [...roles].flatMap(([address, role]) => ((role & WRITE) === 0 ? [] : address));

type Write = {
  readonly names: ReadonlySet<string>;
  readonly signature: string;
  readonly assumed: readonly string[];
};

function record(
  writes: Map<Address, AccountWrites>,
  address: Address,
  { names, signature, assumed }: Write,
): void {
  const entry = writes.get(address) ?? {
    instructions: new Set(),
    signatures: new Set(),
    assumed: new Set(),
  };
  for (const name of names) entry.instructions.add(name);
  for (const each of assumed) entry.assumed.add(each);
  entry.signatures.add(signature);
  writes.set(address, entry);
}
