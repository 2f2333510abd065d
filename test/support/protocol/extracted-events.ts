import type { Call } from '#core/protocol/spl/transaction/call-tree.ts';
import { extractHistoryEvents } from '#core/views/transactions/events/extract-history-events.ts';
import type { HistoryEvent, OwnerLookup } from '#core/views/transactions/events/history-event.ts';
import { exampleTransaction } from './example-transaction.ts';
import { namedAddress, u64Bytes } from './published-calls.ts';

export const unknownOwners: OwnerLookup = {
  ownerOfObligation: () => undefined,
  ownerOfUserState: () => undefined,
  vaultOfShareMint: () => undefined,
  vaultOfFarm: () => undefined,
  mintOfReserve: () => undefined,
};

export const exampleOwners: OwnerLookup = {
  ...unknownOwners,
  ownerOfObligation: (obligation) =>
    obligation === namedAddress('obligation') ? namedAddress('anna') : undefined,
  ownerOfUserState: (state) =>
    state === namedAddress('userState') ? namedAddress('anna') : undefined,
  vaultOfFarm: (farm) => (farm === namedAddress('farmState') ? namedAddress('vault') : undefined),
  mintOfReserve: (reserve) =>
    namedAddress(reserve === namedAddress('repayReserve') ? 'debt' : 'other'),
};

/** Arguments for any instruction with up to three amounts. */
export const exampleArgs = [u64Bytes(999n), u64Bytes(999n), u64Bytes(999n)];

/** The events of a transaction with one call. */
export const eventsOf = (call: Call, lookup = exampleOwners): HistoryEvent[] =>
  extractHistoryEvents(exampleTransaction([call]), lookup);
