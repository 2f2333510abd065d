import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import type { HookTrigger } from '../clusters/cluster-hooks.ts';
import { lendingEventKinds } from '../history/event-kinds.ts';
import {
  type EventOutcome,
  type RetractedDelivery,
  storeEventDeliveries,
} from '../history/hooks/delivery-writes.ts';
import {
  type QueuedEvent,
  readEventQueue,
  readTransactionEvents,
  type TransactionEvents,
} from '../history/hooks/event-queue.ts';
import { readHooks, type StoredHook } from '../history/hooks/hook-reads.ts';
import type { History } from '../history/open-history.ts';
import type { HistoryReader } from '../history/queries/history-reader.ts';
import type { EventRow } from '../history/schema/event-tables.ts';
import {
  eventKeyOf,
  farmEventJson,
  lendingEventJson,
  liquidationPayload,
  vaultEventJson,
} from './event-payload.ts';
import {
  type CreateDelivery,
  DELIVERY_TYPES,
  type JsonObject,
  newDeliveryId,
  ROLLED_BACK_SUFFIX,
} from './payload.ts';
import { parseStoredTrigger } from './trigger-schema.ts';

type ProcessorOptions = {
  readonly history: Pick<History, 'db'>;
  readonly historyReader: HistoryReader;
  readonly reader: ClusterReader;
  readonly createDelivery: CreateDelivery;
};

/** Queued events per transaction. */
const BATCH = 200;

/**
 * Turns queued events into deliveries. A queued event only names a row that changed: what counts is whether the row
 * exists now, so that the order and the number of changes do not matter. Returns whether anything was queued.
 */
export async function processQueuedEvents(options: ProcessorOptions): Promise<boolean> {
  const { history, historyReader } = options;
  let isChanged = false;
  for (;;) {
    const queued = await readEventQueue(history.db, BATCH);
    if (queued.length === 0) return isChanged;
    const signatures = queued.map(({ signature }) => signature);
    const events = await readTransactionEvents(historyReader, signatures);
    const hooks = new Map((await readHooks(history.db)).map((hook) => [hook.id, hook]));
    const outcomes = queued.map((each) => outcomeOf(each, { ...options, events, hooks }));
    const positions = queued.map(({ seq }) => seq);
    await storeEventDeliveries(history.db, outcomes, positions);
    isChanged = true;
  }
}

type Lookups = ProcessorOptions & {
  readonly events: TransactionEvents;
  readonly hooks: ReadonlyMap<string, StoredHook>;
};

function outcomeOf(queued: QueuedEvent, lookups: Lookups): EventOutcome {
  const { hook: id } = queued;
  const key = eventKeyOf({ ...queued, eventIndex: queued.leg, slot: toSlot(queued.slot) });
  const hook = lookups.hooks.get(id);
  if (hook === undefined || hook.state !== 'active' || queued.slot <= hook.since_slot) {
    return { hook: id, key, kind: 'skipped' };
  }
  const trigger = parseStoredTrigger(hook.trigger);
  const found = findEvent(queued, trigger, lookups);
  if (found === undefined) {
    const retract = (delivery: RetractedDelivery) =>
      retraction({ hook: id, key, delivery }, lookups.createDelivery);
    return { hook: id, key, kind: 'removed', retract };
  }
  const at = { slot: toSlot(queued.slot), unix: found.at };
  const type = DELIVERY_TYPES[trigger.type];
  const delivery = lookups.createDelivery({ hook: id, type, key, at, data: found.data });
  return { hook: id, key, kind: 'recorded', delivery };
}

type FoundEvent = { readonly data: JsonObject; readonly at: EventRow<'farmEvent'>['at'] };

/** The row that was queued, if it is recorded in that slot. */
function findEvent(
  queued: QueuedEvent,
  { type }: HookTrigger,
  { events, reader }: Lookups,
): FoundEvent | undefined {
  const isQueued = (row: Parameters<typeof eventKeyOf>[0]) =>
    row.slot === queued.slot && row.eventIndex === queued.leg && isSameCall(row, queued);
  if (queued.source === 0) {
    const row = events.lendingEvent.find(isQueued);
    if (row === undefined) return undefined;
    const data =
      type === 'liquidation'
        ? liquidationPayload(row, findSeized(row, events), reader)
        : lendingEventJson(row, reader);
    return { data, at: row.at };
  }
  if (queued.source === 1) {
    const row = events.vaultEvent.find(isQueued);
    return row && { data: vaultEventJson(row, reader), at: row.at };
  }
  const row = events.farmEvent.find(isQueued);
  return row && { data: farmEventJson(row), at: row.at };
}

type Call = Pick<QueuedEvent, 'signature' | 'path'>;

const isSameCall = (a: Call, b: Call): boolean =>
  Buffer.compare(a.signature, b.signature) === 0 && Buffer.compare(a.path, b.path) === 0;

const SEIZED = lendingEventKinds.indexOf('liquidationWithdraw');

/** The seized collateral is another event of the same instruction. */
const findSeized = (
  repaid: EventRow<'lendingEvent'>,
  { lendingEvent }: TransactionEvents,
): EventRow<'lendingEvent'> | undefined =>
  lendingEvent.find((row) => row.kind === SEIZED && isSameCall(row, repaid));

type Retraction = {
  readonly hook: string;
  readonly key: string;
  readonly delivery: RetractedDelivery;
};

/** Says that what an earlier delivery reported has been rolled back. */
function retraction({ hook, key, delivery }: Retraction, create: CreateDelivery) {
  const id = newDeliveryId();
  return create({
    id,
    hook,
    type: `${delivery.type}${ROLLED_BACK_SUFFIX}`,
    key: `${key}#${id}`,
    at: { slot: toSlot(delivery.slot), unix: toUnixSeconds(delivery.at) },
    data: { delivery: delivery.id, rolledBack: dataOf(delivery.body) },
  });
}

/** The data of a stored body; null if it was pruned. */
function dataOf(body: string | null): JsonObject | null {
  const payload: unknown = body === null ? null : JSON.parse(body);
  return typeof payload === 'object' && payload !== null && 'data' in payload
    ? (payload.data as JsonObject)
    : null;
}
