import { type Kysely, sql } from 'kysely';
import type { HistoryTables } from '../schema/tables.ts';

type Database = Kysely<HistoryTables>;

/** Oldest first; all owners if undefined. */
export async function readHooks(db: Database, owner?: string) {
  return await db
    .selectFrom('hook')
    .selectAll()
    .$if(owner !== undefined, (query) => query.where('owner', '=', owner ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export type StoredHook = Awaited<ReturnType<typeof readHooks>>[number];

export async function readHook(
  db: Database,
  { owner, id }: { readonly owner: string; readonly id: string },
): Promise<StoredHook | undefined> {
  return await db
    .selectFrom('hook')
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
}

export async function readHookSides(db: Database, hooks: readonly string[]) {
  if (hooks.length === 0) return [];
  return await db
    .selectFrom('hook_side')
    .selectAll()
    .where('hook', 'in', hooks)
    .orderBy('subject')
    .execute();
}

export type DeliveryPage = {
  readonly limit: number;
  readonly state?: string | undefined;
  /** Id of the last delivery of the page before. */
  readonly after?: string | undefined;
};

/** Newest first, without those whose body was pruned. */
export async function readDeliveries(db: Database, hook: string, page: DeliveryPage) {
  const { limit, state, after } = page;
  return await db
    .selectFrom('hook_delivery')
    .selectAll()
    .where('hook', '=', hook)
    .where('body', 'is not', null)
    .$if(state !== undefined, (query) => query.where(sql<boolean>`state = ${state}`))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(created_at, id) < (select created_at, id from hook_delivery where id = ${after})`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export type StoredDelivery = Awaited<ReturnType<typeof readDeliveries>>[number];

export async function readAttempts(db: Database, deliveries: readonly string[]) {
  if (deliveries.length === 0) return [];
  return await db
    .selectFrom('hook_attempt')
    .selectAll()
    .where('delivery', 'in', deliveries)
    .orderBy('attempt')
    .execute();
}

/** Deliveries whose attempt is due, at most `perHook` of each active hook that is not in `busy`. */
export async function readDueDeliveries(
  db: Database,
  { now, perHook, busy }: { now: number; perHook: number; busy: ReadonlyMap<string, number> },
): Promise<readonly StoredDelivery[]> {
  const full = [...busy].filter(([, running]) => running >= perHook).map(([hook]) => hook);
  const { rows } = await sql<StoredDelivery>`select due.* from hook cross join lateral (
      select * from hook_delivery where hook_delivery.hook = hook.id and state = 'pending'
        and body is not null and next_attempt_at <= ${now}::int8
      order by next_attempt_at limit ${perHook}::int4) as due
    where hook.state = 'active' and hook.id <> all(${`{${full.join(',')}}`}::text[])`.execute(db);
  return rows;
}

/** The number of stored deliveries that are not finished. */
export async function countPending(db: Database): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from hook_delivery where state = 'pending'`.execute(db);
  return Number(rows[0]?.count ?? 0n);
}
