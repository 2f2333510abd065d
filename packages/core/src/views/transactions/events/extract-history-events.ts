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

type AnyUnplaced =
  | HistoryEventBody<LendingHistoryEvent>
  | HistoryEventBody<VaultHistoryEvent>
  | HistoryEventBody<FarmHistoryEvent>;

/**
 * What users see of a transaction, in the order of execution. What the vault program calls is the
 * vault's business, and its own event tells it.
 */
export function extractHistoryEvents(view: TransactionView, facts: OwnerLookup): HistoryEvent[] {
  if (view.failure !== undefined) return [];
  const calls = indexCalls(view);
  const known = withOwnersOf(view.events, facts);
  const told = view.events.flatMap((event, index): AnyUnplaced[] => {
    const call = calls.get(event.path.join());
    if (call === undefined || call.isInVault) return [];
    const past = pastOf(event, { view, call, facts: known });
    return isSecondOfCall(view.events, index) ? past.map(asSecond) : past;
  });
  const { signature, slot, blockTime: at } = view;
  return [...told, ...extractShareTransfers(view, facts)]
    .toSorted((a, b) => comparePaths(a.path, b.path))
    .map((event, order) => ({ ...event, signature, slot, at, order }));
}

/** Some instructions of the lending program do two things, one after the other. */
const isSecondOfCall = (events: readonly TransactionEvent[], index: number): boolean =>
  events[index - 1]?.path.join() === events[index]?.path.join();

const asSecond = (event: AnyUnplaced): AnyUnplaced => ({ ...event, leg: 1 });

function pastOf(event: TransactionEvent, scene: FarmEventContext): AnyUnplaced[] {
  switch (event.program) {
    case 'klend':
      return extractLendingEvents(event, scene.facts);
    case 'kvault':
      return extractVaultEvents(event, scene.call.instruction.name);
    case 'farms':
      return extractFarmEvents(event, scene);
  }
}

/** A transaction that names the owner of an obligation knows better than what is known later. */
function withOwnersOf(events: readonly TransactionEvent[], facts: OwnerLookup): OwnerLookup {
  const owners = new Map(
    events.flatMap((event) =>
      event.program === 'klend' && 'obligation' in event && 'owner' in event
        ? [[event.obligation, event.owner] as const]
        : [],
    ),
  );
  return {
    ...facts,
    ownerOfObligation: (obligation) =>
      owners.get(obligation) ?? facts.ownerOfObligation(obligation),
  };
}

/** Callers before what they called. */
function comparePaths(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
