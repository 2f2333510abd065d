import { toAddress } from '@tidegate/core/base';
import type {
  ClusterHooks,
  DeliveryQuery,
  Hook,
  HookDefinition,
  HookDelivery,
} from '../clusters/cluster-hooks.ts';
import type { Cluster } from '../clusters/served-clusters.ts';
import { CodedError } from '../errors.ts';
import { countReplayable } from '../history/hooks/delivery-writes.ts';
import {
  readAttempts,
  readDeliveries,
  readHook,
  readHookSides,
  readHooks,
  type StoredHook,
} from '../history/hooks/hook-reads.ts';
import type { History } from '../history/open-history.ts';
import { firstSides } from './crossing-evaluator.ts';
import type { HookCommand } from './hook-command.ts';
import { MAX_HOOKS_PER_KEY, PREVIOUS_SECRET_MS } from './hook-limits.ts';
import { checkHookUrl } from './hook-url.ts';
import { requireSubject } from './measures.ts';
import { newDeliveryId, newHookId } from './payload.ts';
import { generateSecret } from './signature.ts';
import { checkTrigger, parseStoredTrigger } from './trigger-schema.ts';

export type ClusterHooksOptions = {
  /** The database itself, or a replica of it. */
  readonly history: Pick<History, 'db'>;
  /** Carries out a change: here, or in the process that writes. */
  readonly execute: (command: HookCommand) => Promise<void>;
  readonly cluster: Pick<
    Cluster,
    'env' | 'commitment' | 'historyMode' | 'reader' | 'registry' | 'loadObligation'
  >;
  readonly allowsPrivate: boolean;
  readonly clock: () => number;
  readonly status: ClusterHooks['status'];
};

const DISABLED_RETRY_SECONDS = 3_600;

/** Reads hooks from the database and requests their changes. */
export function createClusterHooks(options: ClusterHooksOptions): ClusterHooks {
  const { history, execute, clock, status } = options;
  const { db } = history;
  const requireHook = async (owner: string, id: string): Promise<StoredHook> => {
    const hook = await readHook(db, { owner, id });
    if (hook === undefined) throw new CodedError('NOT_FOUND', { what: 'webhook', address: id });
    return hook;
  };
  const find: ClusterHooks['find'] = async (owner, id) => {
    const hook = await requireHook(owner, id);
    return toHook(hook, await readHookSides(db, [id]));
  };
  return {
    status,
    find,
    async list(owner) {
      const hooks = await readHooks(db, owner);
      const ids = hooks.map(({ id }) => id);
      const sides = await readHookSides(db, ids);
      return hooks.map((hook) => toHook(hook, sides));
    },
    async deliveries(owner, id, query) {
      await requireHook(owner, id);
      return await listDeliveries(options, id, query);
    },
    create: (owner, definition) => create(options, owner, definition),
    async remove(owner, id) {
      await requireHook(owner, id);
      await execute({ kind: 'remove', owner, id });
    },
    async rotateSecret(owner, id) {
      await requireHook(owner, id);
      const secret = generateSecret();
      const previousUntil = clock() + PREVIOUS_SECRET_MS;
      await execute({ kind: 'rotateSecret', owner, id, secret, previousUntil });
      return { secret, previousUntil };
    },
    async enable(owner, id) {
      const hook = await find(owner, id);
      await execute({ kind: 'enable', owner, id });
      return { ...hook, state: 'active', disabledReason: null, failingSince: null };
    },
    async test(owner, id) {
      await requireHook(owner, id);
      const delivery = newDeliveryId();
      await execute({ kind: 'test', owner, id, delivery });
      return delivery;
    },
    async replay(owner, id, range) {
      await requireHook(owner, id);
      const count = await countReplayable(db, id, range);
      if (count > 0) await execute({ kind: 'replay', owner, id, range });
      else if ('delivery' in range) {
        throw new CodedError('NOT_FOUND', { what: 'delivery', address: range.delivery });
      }
      return count;
    },
  };
}

async function create(
  { history, execute, cluster, allowsPrivate, clock }: ClusterHooksOptions,
  owner: string,
  definition: HookDefinition,
): ReturnType<ClusterHooks['create']> {
  const trigger = checkTrigger(definition.trigger);
  const url = checkHookUrl(definition.url, { allowsPrivate });
  const { env, historyMode: mode = 'full', reader } = cluster;
  const needsEvents = trigger.type === 'liquidation' || trigger.type === 'walletTransactions';
  if (needsEvents && mode !== 'full') {
    const retryAfterSeconds = DISABLED_RETRY_SECONDS;
    throw new CodedError('HISTORY_DISABLED', { env, mode, retryAfterSeconds });
  }
  if (trigger.obligation !== undefined) await cluster.loadObligation(toAddress(trigger.obligation));
  requireSubject(trigger, reader);
  if ((await readHooks(history.db, owner)).length >= MAX_HOOKS_PER_KEY) {
    throw new CodedError('TOO_MANY_HOOKS', { limit: MAX_HOOKS_PER_KEY });
  }
  const id = newHookId();
  const secret = generateSecret();
  const createdAt = clock();
  const shared = { id, url, description: definition.description, trigger };
  await execute({ kind: 'create', owner, ...shared, secret, createdAt });
  const hook: Hook = {
    ...shared,
    state: 'active',
    disabledReason: null,
    failingSince: null,
    createdAt,
    sinceSlot: reader.at().slot,
    sides: firstSides(trigger, cluster),
  };
  return { hook, secret };
}

type StoredSides = Awaited<ReturnType<typeof readHookSides>>;

function toHook(row: StoredHook, sides: StoredSides): Hook {
  const { id, url, description, state, disabled_reason, failing_since, since_slot } = row;
  return {
    ...{ id, url, description, state, trigger: parseStoredTrigger(row.trigger) },
    disabledReason: disabled_reason,
    failingSince: failing_since === null ? null : Number(failing_since),
    sinceSlot: since_slot,
    createdAt: Number(row.created_at),
    sides: sides
      .filter(({ hook }) => hook === id)
      .map(({ subject, side, slot }) => ({ subject, side, slot })),
  };
}

async function listDeliveries(
  { history: { db } }: ClusterHooksOptions,
  id: string,
  query: DeliveryQuery,
): Promise<readonly HookDelivery[]> {
  const rows = await readDeliveries(db, id, query);
  const attempts = await readAttempts(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    ...{ id: row.id, type: row.type, slot: row.slot, state: row.state, body: row.body },
    createdAt: Number(row.created_at),
    nextAttemptAt: row.state === 'pending' ? Number(row.next_attempt_at) : undefined,
    finishedAt: row.finished_at === null ? null : Number(row.finished_at),
    attempts: attempts
      .filter(({ delivery }) => delivery === row.id)
      .map(({ attempt, at, duration_ms: durationMs, status, error, response }) => {
        return { attempt, at: Number(at), durationMs, status, error, response };
      }),
  }));
}
