import { type Kysely, sql } from 'kysely';
import type { DeliveryState } from '../schema/hook-tables.ts';
import type { HistoryTables } from '../schema/tables.ts';

export type AttemptResult = {
  readonly delivery: string;
  readonly hook: string;
  readonly at: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly response: string | null;
  readonly isDelivered: boolean;
  readonly state: DeliveryState;
  readonly nextAttemptAt: number;
  /** Why the hook is disabled now; undefined if it is not. */
  readonly disable?: string | undefined;
  /** Disables the hook if no attempt has succeeded since this time, or before. */
  readonly disableIfFailingSince: number;
};

export type HookChange = { readonly state: string; readonly disabled_reason: string | null };

const LONG_FAILURE = 'no attempt has succeeded for 5 days';

/** Stores an attempt and what follows from it. Returns the hook afterwards; undefined if it was deleted. */
export async function storeAttempt(
  db: Kysely<HistoryTables>,
  result: AttemptResult,
): Promise<HookChange | undefined> {
  const { delivery, hook, at, isDelivered, state } = result;
  const isFinished = state !== 'pending';
  return await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ attempts: number }>`update hook_delivery
      set attempts = attempts + 1, tries = tries + 1, state = ${state},
        next_attempt_at = ${result.nextAttemptAt}::int8,
        finished_at = ${isFinished ? at : null}::int8
      where id = ${delivery} returning attempts`.execute(transaction);
    const [updated] = rows;
    if (updated === undefined) return undefined;
    await transaction
      .insertInto('hook_attempt')
      .values({
        ...{ delivery, attempt: updated.attempts, at: BigInt(at) },
        duration_ms: Math.round(result.durationMs),
        ...{ status: result.status, error: result.error, response: result.response },
      })
      .execute();
    const { rows: hooks } = await sql<HookChange>`update hook set
        failing_since = ${isDelivered ? null : sql`coalesce(failing_since, ${at}::int8)`},
        state = case when ${fails(result)} then 'disabled' else state end,
        disabled_reason = case when state = 'disabled' then disabled_reason
          when ${fails(result)} then ${result.disable ?? LONG_FAILURE} end
      where id = ${hook} returning state, disabled_reason`.execute(transaction);
    return hooks[0];
  });
}

const fails = ({ disable, isDelivered, disableIfFailingSince }: AttemptResult) =>
  disable !== undefined
    ? sql`true`
    : isDelivered
      ? sql`false`
      : sql`coalesce(failing_since <= ${disableIfFailingSince}::int8, false)`;
