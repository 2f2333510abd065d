import { type Kysely, sql, type Transaction } from 'kysely';
import type { HistoryTables } from '../schema/tables.ts';
import type { StoredHook } from './hook-reads.ts';

type Database = Kysely<HistoryTables>;

type OwnedHook = { readonly owner: string; readonly id: string };

/** A subject and its side at the first evaluation. */
export type NewSide = Pick<HistoryTables['hook_side'], 'subject' | 'side' | 'slot' | 'at'>;

/** Which events concern a hook; the numbers are those of the migration. */
export const WATCH_ROLES = {
  walletTransactions: 1,
  liquidationsOfWallet: 2,
  liquidationsOfLoan: 3,
} as const;

type HookFields = Omit<
  StoredHook,
  | 'previous_secret'
  | 'previous_secret_until'
  | 'state'
  | 'disabled_reason'
  | 'failing_since'
  | 'since_slot'
> & { readonly slot: bigint };

export type NewHookParts = {
  readonly hook: HookFields;
  readonly sides: readonly NewSide[];
  /** Addresses as ids. */
  readonly watches: readonly { readonly role: number; readonly address: number }[];
};

/** Stores a hook. Storing it again changes nothing. */
export async function insertHook(db: Database, { hook, sides, watches }: NewHookParts) {
  await db.transaction().execute(async (transaction) => {
    const { slot, ...given } = hook;
    const since_slot = await lastRecordedSlot(transaction, slot);
    const stored = await transaction
      .insertInto('hook')
      .values({
        ...given,
        ...ACTIVE,
        previous_secret: null,
        previous_secret_until: null,
        since_slot,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (stored === undefined) return;
    await insertSides(transaction, hook.id, sides);
    for (const watch of watches) {
      await transaction
        .insertInto('hook_watch')
        .values({ hook: hook.id, ...watch })
        .execute();
    }
  });
}

const ACTIVE = { state: 'active', disabled_reason: null, failing_since: null } as const;

/**
 * Everything up to this slot is before a hook that is stored in this transaction. The lock waits for events that are
 * being written: from its end on, the triggers see the hook.
 */
async function lastRecordedSlot(
  transaction: Transaction<HistoryTables>,
  slot: bigint,
): Promise<bigint> {
  await sql`lock table lending_event, vault_event, farm_event in share row exclusive mode`.execute(
    transaction,
  );
  const newest = await transaction
    .selectFrom('raw_transaction')
    .select('slot')
    .orderBy('slot', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest !== undefined && newest.slot > slot ? newest.slot : slot;
}

async function insertSides(
  transaction: Transaction<HistoryTables>,
  hook: string,
  sides: readonly NewSide[],
): Promise<void> {
  for (const side of sides) {
    await transaction
      .insertInto('hook_side')
      .values({ hook, ...side })
      .onConflict((conflict) => conflict.columns(['hook', 'subject']).doUpdateSet(side))
      .execute();
  }
}

export async function removeStoredHook(db: Database, { owner, id }: OwnedHook): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('hook').where('id', '=', id).where('owner', '=', owner).execute();
  });
}

/** The present secret signs too until a time. */
export async function replaceSecret(
  db: Database,
  { owner, id, secret, previousUntil }: OwnedHook & { secret: string; previousUntil: number },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`update hook set previous_secret = secret, previous_secret_until = ${previousUntil}::int8,
      secret = ${secret} where id = ${id} and owner = ${owner} and secret <> ${secret}`.execute(
      transaction,
    );
  });
}

/** Events that happened while it was disabled are not delivered. Deliveries that were waiting are due again. */
export async function enableStoredHook(
  db: Database,
  { owner, id, slot, now }: OwnedHook & { slot: bigint; now: number },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const since_slot = await lastRecordedSlot(transaction, slot);
    const changed = await transaction
      .updateTable('hook')
      .set({ ...ACTIVE, since_slot })
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('state', '=', 'disabled')
      .returning('id')
      .executeTakeFirst();
    if (changed === undefined) return;
    await transaction.deleteFrom('hook_event').where('hook', '=', id).execute();
    await sql`update hook_delivery set next_attempt_at = ${now}::int8, tries = 0
      where hook = ${id} and state = 'pending'`.execute(transaction);
  });
}
