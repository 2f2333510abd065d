import type { TransactionEvent, TransactionView } from '../transaction-view.ts';
import { indexCalls } from './call-index.ts';
import { extractFarmEvents, type FarmEventContext } from './farm-events.ts';
import type {
  FarmHistoryEvent,
  HistoryEvent,
  HistoryEventBody,
  LendingHistoryEvent,
  OwnerLookup,
  VaultHistoryEvent,
} from './history-event.ts';
import { extractLendingEvents } from './lending-events.ts';
import { extractShareTransfers } from './share-transfers.ts';
import { extractVaultEvents } from './vault-events.ts';

type AnyEventBody =
  | HistoryEventBody<LendingHistoryEvent>
  | HistoryEventBody<VaultHistoryEvent>
  | HistoryEventBody<FarmHistoryEvent>;

/**
 * The history events of a transaction, in the order of execution. Calls by the vault program are
 * part of the vault's own event.
 */
export function extractHistoryEvents(view: TransactionView, lookup: OwnerLookup): HistoryEvent[] {
  if (view.failure !== undefined) return [];
  const calls = indexCalls(view);
  const withOwners = addTransactionOwners(view.events, lookup);
  const bodies = view.events.flatMap((event, index): AnyEventBody[] => {
    const call = calls.get(event.path.join());
    if (call === undefined || call.isInVault) return [];
    const extracted = extractEvents(event, { view, call, lookup: withOwners });
    return isSecondOfCall(view.events, index) ? extracted.map(asSecond) : extracted;
  });
  const { signature, slot, blockTime: at } = view;
  return [...bodies, ...extractShareTransfers(view, lookup)]
    .toSorted((a, b) => comparePaths(a.path, b.path))
    .map((event, order) => ({ ...event, signature, slot, at, order }));
}

/** Some lending instructions have two events, one after the other. */
const isSecondOfCall = (events: readonly TransactionEvent[], index: number): boolean =>
  events[index - 1]?.path.join() === events[index]?.path.join();

const asSecond = (event: AnyEventBody): AnyEventBody => ({ ...event, eventIndex: 1 });

function extractEvents(event: TransactionEvent, context: FarmEventContext): AnyEventBody[] {
  switch (event.program) {
    case 'klend':
      return extractLendingEvents(event, context.lookup);
    case 'kvault':
      return extractVaultEvents(event, context.call.instruction.name);
    case 'farms':
      return extractFarmEvents(event, context);
  }
}

/** The owner of an obligation in the transaction takes precedence over the owner known later. */
function addTransactionOwners(
  events: readonly TransactionEvent[],
  lookup: OwnerLookup,
): OwnerLookup {
  const owners = new Map(
    events.flatMap((event) =>
      event.program === 'klend' && 'obligation' in event && 'owner' in event
        ? [[event.obligation, event.owner] as const]
        : [],
    ),
  );
  return {
    ownerOfObligation: (obligation) =>
      owners.get(obligation) ?? lookup.ownerOfObligation(obligation),
    ownerOfUserState: (userState) => lookup.ownerOfUserState(userState),
    vaultOfShareMint: (mint) => lookup.vaultOfShareMint(mint),
    vaultOfFarm: (farm) => lookup.vaultOfFarm(farm),
    mintOfReserve: (reserve) => lookup.mintOfReserve(reserve),
  };
}

/** Callers come before their calls. */
function comparePaths(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
