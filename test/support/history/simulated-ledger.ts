import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { extractHistoryEvents } from '#core/views/transactions/events/extract-history-events.ts';
import { viewTransaction } from '#core/views/transactions/transaction-view.ts';
import { encodeTransaction } from '#localnet/rpc/encoding/transaction-encoding.ts';
import { formatJson } from '#localnet/rpc/json.ts';
import type { TransactionRecord } from '#localnet/runtime/transactions/transaction-record.ts';
import { OwnerIndex } from '#server/indexer/events/owner-index.ts';
import type { FakeTransaction } from '../fakes/fake-ledger.ts';
import { simulateDays } from '../localnet/simulated-genesis.ts';
import { createAccountOwnerLookup } from './account-owner-index.ts';

export type SimulatedLedger = {
  /** Oldest first, three per slot, from `FIRST_SLOT` on, with one second per slot. */
  readonly transactions: readonly FakeTransaction[];
  readonly accounts: ReadonlyMap<Address, ClusterAccount>;
  readonly programs: readonly Address[];
  /** Number of events in the transactions. */
  eventsOf(transactions: readonly FakeTransaction[]): number;
  ownerLookup(): OwnerIndex;
};

const FORM = { encoding: 'json', newestVersion: 0, hasRewards: false } as const;
const PROGRAMS = [KLEND_PROGRAM, KVAULT_PROGRAM, FARMS_PROGRAM];
/** Transactions per slot. */
const PER_SLOT = 3;
export const FIRST_SLOT = 1_000n;
export const FIRST_AT = 1_790_000_000n;

const ledgers = new Map<string, SimulatedLedger>();

/** The transactions of a simulated day, as a node returns them. Simulated once per seed. */
export function simulatedLedger(seed: string): SimulatedLedger {
  const known = ledgers.get(seed);
  if (known !== undefined) return known;
  const { cluster } = simulateDays(seed, 1);
  const { ledger } = cluster.transactions;
  const transactions = Array.from(ledger.slots(), (slot) => ledger.inSlot(slot))
    .flat()
    .map((record, index) => toFake(record, BigInt(Math.floor(index / PER_SLOT))));
  const accounts = new Map(
    Array.from(cluster.bank.accounts(), ({ address, account }) => [address, account]),
  );
  const owners = createAccountOwnerLookup(accounts);
  const simulated: SimulatedLedger = {
    transactions,
    accounts,
    programs: PROGRAMS,
    eventsOf: (some) =>
      some.reduce(
        (sum, { response }) => sum + extractHistoryEvents(viewTransaction(response), owners).length,
        0,
      ),
    ownerLookup: () => factsOf(accounts),
  };
  ledgers.set(seed, simulated);
  return simulated;
}

function factsOf(accounts: Iterable<readonly [Address, RawAccount]>): OwnerIndex {
  const index = new OwnerIndex();
  for (const [address, account] of accounts) index.addAccount(address, account);
  return index;
}

function toFake(record: TransactionRecord, slots: bigint): FakeTransaction {
  const response: unknown = JSON.parse(formatJson({ ...encodeTransaction(record, FORM) }));
  const mentions = record.accounts.map(({ address }) => address);
  return moveToSlot({ signature: record.signature, mentions, response }, FIRST_SLOT + slots);
}

/** The same transaction in another slot, with the time of that slot. */
export function moveToSlot(
  transaction: Pick<FakeTransaction, 'signature' | 'mentions' | 'response'>,
  slot: bigint,
): FakeTransaction {
  const at = FIRST_AT + slot - FIRST_SLOT;
  const original = typeof transaction.response === 'object' ? transaction.response : {};
  const response = { ...original, slot: Number(slot), blockTime: Number(at) };
  return { ...transaction, slot, at, response };
}
