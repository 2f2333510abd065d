import { type Kysely, sql, type Transaction } from 'kysely';
import type { HistoryTables } from '../schema/tables.ts';
import type { NewSide } from './hook-writes.ts';

type Database = Kysely<HistoryTables>;

export type NewDelivery = Pick<
  HistoryTables['hook_delivery'],
  'id' | 'hook' | 'event_key' | 'type' | 'slot' | 'at' | 'created_at'
> & { readonly body: string };

const UNSENT = { state: 'pending', attempts: 0, tries: 0, finished_at: null } as const;

/** Stores a delivery that is due at once, unless the hook has one of the same event. */
async function insertDelivery(
  transaction: Transaction<HistoryTables>,
  delivery: NewDelivery,
): Promise<void> {
  await transaction
    .insertInto('hook_delivery')
    .values({ ...delivery, ...UNSENT, next_attempt_at: delivery.created_at })
    .onConflict((conflict) => conflict.columns(['hook', 'event_key']).doNothing())
    .execute();
}

export async function storeDelivery(db: Database, delivery: NewDelivery): Promise<void> {
  await db.transaction().execute((transaction) => insertDelivery(transaction, delivery));
}

export type SideChange = NewSide & {
  readonly hook: string;
  /** Undefined if the hook does not report this direction, or if it is the first side. */
  readonly delivery: NewDelivery | undefined;
};

/** Stores sides and the deliveries of their crossings together, so that neither is without the other. */
export async function storeSideChanges(
  db: Database,
  changes: readonly SideChange[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const { delivery, ...side } of changes) {
      const { rows } = await sql`insert into hook_side (hook, subject, side, slot, at)
        select ${side.hook}, ${side.subject}, ${side.side}, ${side.slot}::int8, ${side.at}::int8
        from hook where id = ${side.hook}
        on conflict (hook, subject) do update
          set side = excluded.side, slot = excluded.slot, at = excluded.at
          where hook_side.side <> excluded.side
        returning hook`.execute(transaction);
      // the hook was deleted, or the change is stored already
      if (rows.length === 0) continue;
      if (delivery !== undefined) await insertDelivery(transaction, delivery);
    }
  });
}

/** One queued event: reported by a delivery, or, if the event is gone, withdrawn by `create`. */
export type EventOutcome = {
  readonly hook: string;
  readonly key: string;
} & (
  | { readonly kind: 'skipped' }
  | { readonly kind: 'recorded'; readonly delivery: NewDelivery }
  | { readonly kind: 'removed'; readonly retract: (delivery: RetractedDelivery) => NewDelivery }
);

export type RetractedDelivery = Pick<
  HistoryTables['hook_delivery'],
  'id' | 'type' | 'slot' | 'at' | 'body'
>;

/** Stores the deliveries of queued events and takes these from the queue. */
export async function storeEventDeliveries(
  db: Database,
  outcomes: readonly EventOutcome[],
  queued: readonly bigint[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const hooks = await transaction.selectFrom('hook').select('id').execute();
    const known = new Set(hooks.map(({ id }) => id));
    for (const outcome of outcomes) {
      if (!known.has(outcome.hook)) continue;
      if (outcome.kind === 'recorded') await insertDelivery(transaction, outcome.delivery);
      if (outcome.kind === 'removed') await retract(transaction, outcome);
    }
    await sql`delete from hook_event where seq = any(${`{${queued.join(',')}}`}::int8[])`.execute(
      transaction,
    );
  });
}

/** Frees the key, so that the event is delivered again if it happens again. */
async function retract(
  transaction: Transaction<HistoryTables>,
  { hook, key, retract: create }: Extract<EventOutcome, { readonly kind: 'removed' }>,
): Promise<void> {
  const found = await transaction
    .selectFrom('hook_delivery')
    .select(['id', 'type', 'slot', 'at', 'body', 'state', 'attempts'])
    .where('hook', '=', hook)
    .where('event_key', '=', key)
    .executeTakeFirst();
  if (found === undefined) return;
  const isUnsent = found.state === 'pending' && found.attempts === 0;
  await transaction
    .updateTable('hook_delivery')
    .set({
      event_key: `${key}#${found.id}`,
      ...(isUnsent && { state: 'cancelled' as const, finished_at: found.at * 1000n }),
    })
    .where('id', '=', found.id)
    .execute();
  if (!isUnsent) await insertDelivery(transaction, create(found));
}

export type ReplaySelection =
  | { readonly delivery: string }
  | { readonly since: number; readonly until: number };

/** Those with a body. */
const replayable = (hook: string, range: ReplaySelection) =>
  'delivery' in range
    ? sql`hook = ${hook} and body is not null and id = ${range.delivery}`
    : sql`hook = ${hook} and body is not null
        and created_at between ${range.since}::int8 and ${range.until}::int8`;

export async function countReplayable(
  db: Database,
  hook: string,
  range: ReplaySelection,
): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`select count(*) as count from hook_delivery
    where ${replayable(hook, range)}`.execute(db);
  return Number(rows[0]?.count ?? 0n);
}

/** Makes deliveries due now, whatever became of them. They keep their ids. */
export async function scheduleReplay(
  db: Database,
  { hook, owner, range, now }: { hook: string; owner: string; range: ReplaySelection; now: number },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`update hook_delivery set state = 'pending', tries = 0, finished_at = null,
        next_attempt_at = ${now}::int8
      where ${replayable(hook, range)}
        and exists (select from hook where hook.id = ${hook} and owner = ${owner})`.execute(
      transaction,
    );
  });
}

/** Deletes what is older than a time. A delivery keeps its key, so that its event is not delivered again. */
export async function pruneDeliveries(db: Database, before: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const old = sql`state <> 'pending' and created_at < ${before}::int8`;
    await sql`delete from hook_attempt where delivery in
      (select id from hook_delivery where ${old} and body is not null)`.execute(transaction);
    await sql`update hook_delivery set body = null where ${old} and body is not null`.execute(
      transaction,
    );
  });
}
