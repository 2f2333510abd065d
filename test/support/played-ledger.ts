import type { RawAccount } from '../../src/base/account.ts';
import type { Address } from '../../src/base/address.ts';
import type { ClusterAccount } from '../../src/base/cluster-account.ts';
import { EventFactsBook } from '../../src/indexer/event-facts.ts';
import { formatJson } from '../../src/localnet/rpc/json.ts';
import { encodeTransaction } from '../../src/localnet/rpc/transaction-encoding.ts';
import type { TransactionRecord } from '../../src/localnet/transactions/transaction-record.ts';
import { FARMS_PROGRAM } from '../../src/protocol/farms/program.ts';
import { KLEND_PROGRAM } from '../../src/protocol/klend/program.ts';
import { KVAULT_PROGRAM } from '../../src/protocol/kvault/program.ts';
import { pastEvents } from '../../src/views/past-events.ts';
import { viewTransaction } from '../../src/views/transaction.ts';
import { playDays } from './decoded-genesis.ts';
import type { FakeTransaction } from './fake-ledger.ts';
import { pastFacts } from './past-facts.ts';

export type PlayedLedger = {
  /** Oldest first, three in each slot, from `FIRST_SLOT` on, a second for each slot. */
  readonly transactions: readonly FakeTransaction[];
  readonly accounts: ReadonlyMap<Address, ClusterAccount>;
  readonly programs: readonly Address[];
  /** How many events users see of these. */
  eventsOf(transactions: readonly FakeTransaction[]): number;
  facts(): EventFactsBook;
};

const FORM = { encoding: 'json', newestVersion: 0, hasRewards: false } as const;
const PROGRAMS = [KLEND_PROGRAM, KVAULT_PROGRAM, FARMS_PROGRAM];
/** So many in each slot, one slot after the other. */
const PER_SLOT = 3;
export const FIRST_SLOT = 1_000n;
export const FIRST_AT = 1_790_000_000n;

const played = new Map<string, PlayedLedger>();

/** Two days of what people do, as a node lists and tells it. Played once for each seed. */
export function playedLedger(seed: string): PlayedLedger {
  const known = played.get(seed);
  if (known !== undefined) return known;
  const { cluster } = playDays(seed, 2);
  const { ledger } = cluster.transactions;
  const transactions = Array.from(ledger.slots(), (slot) => ledger.ofSlot(slot))
    .flat()
    .map((record, index) => toFake(record, BigInt(Math.floor(index / PER_SLOT))));
  const accounts = new Map(
    Array.from(cluster.bank.accounts(), ({ address, account }) => [address, account]),
  );
  const told = pastFacts(accounts);
  const made: PlayedLedger = {
    transactions,
    accounts,
    programs: PROGRAMS,
    eventsOf: (some) =>
      some.reduce((sum, { answer }) => sum + pastEvents(viewTransaction(answer), told).length, 0),
    facts: () => factsOf(accounts),
  };
  played.set(seed, made);
  return made;
}

function factsOf(accounts: Iterable<readonly [Address, RawAccount]>): EventFactsBook {
  const book = new EventFactsBook();
  for (const [address, account] of accounts) book.see(address, account);
  return book;
}

function toFake(record: TransactionRecord, slots: bigint): FakeTransaction {
  const answer: unknown = JSON.parse(formatJson({ ...encodeTransaction(record, FORM) }));
  const mentions = record.accounts.map(({ address }) => address);
  return inSlot({ signature: record.signature, mentions, answer }, FIRST_SLOT + slots);
}

/** The same transaction in another slot, with the time of that. */
export function inSlot(
  transaction: Pick<FakeTransaction, 'signature' | 'mentions' | 'answer'>,
  slot: bigint,
): FakeTransaction {
  const at = FIRST_AT + slot - FIRST_SLOT;
  const told = typeof transaction.answer === 'object' ? transaction.answer : {};
  const answer = { ...told, slot: Number(slot), blockTime: Number(at) };
  return { ...transaction, slot, at, answer };
}
