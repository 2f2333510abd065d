import type { Migration } from './migration.ts';

const time = 'int8 not null';
const hook = 'hook text not null references hook on delete cascade';

const tables = [
  `create table hook (id text primary key, owner text not null, url text not null,
    description text not null, trigger text not null, secret text not null,
    previous_secret text, previous_secret_until int8,
    state text not null check (state in ('active', 'disabled')), disabled_reason text,
    failing_since int8, since_slot ${time}, created_at ${time})`,
  'create index on hook (owner)',
  `create table hook_side (${hook}, subject text not null,
    side text not null check (side in ('above', 'below')), slot ${time}, at ${time},
    primary key (hook, subject))`,
  `create table hook_watch (${hook}, role int2 not null, address int4 not null,
    primary key (address, role, hook))`,
  'create index on hook_watch (hook)',
  `create table hook_event (seq int8 generated always as identity primary key, ${hook},
    source int2 not null, signature bytea not null, path bytea not null, leg int2 not null,
    slot ${time})`,
  'create index on hook_event (hook)',
  `create table hook_delivery (id text primary key, ${hook}, event_key text not null,
    type text not null, slot ${time}, at ${time}, created_at ${time}, body text,
    state text not null check (state in ('pending', 'delivered', 'failed', 'cancelled')),
    attempts int4 not null, tries int4 not null, next_attempt_at ${time}, finished_at int8,
    unique (hook, event_key))`,
  `create index on hook_delivery (hook, next_attempt_at) where state = 'pending'`,
  'create index on hook_delivery (hook, created_at, id)',
  `create table hook_attempt (delivery text not null references hook_delivery on delete cascade,
    attempt int4 not null, at ${time}, duration_ms int4 not null, status int4, error text,
    response text, primary key (delivery, attempt))`,
];

/** The kind `liquidationRepay`: each liquidation has one, in the name of the owner of the loan. */
const LIQUIDATION = 11;

/** Which rows of an event table concern a watch: 1 a wallet, 2 the liquidations of a wallet, 3 those of a loan. */
const watches = {
  lending_event: `watch.role = 1 and watch.address = changed.wallet
    or changed.kind = ${LIQUIDATION} and watch.role = 2 and watch.address = changed.wallet
    or changed.kind = ${LIQUIDATION} and watch.role = 3 and watch.address = changed.obligation`,
  vault_event: 'watch.role = 1 and watch.address = changed.wallet',
  farm_event: 'watch.role = 1 and watch.address in (changed.wallet, changed.other_wallet)',
};

/**
 * Queues the events that a hook watches in the transaction that records or removes them, so that none is lost, whoever
 * writes them and however late. A table without watches costs one lookup per statement.
 */
function triggersOf(table: string, condition: string, source: number): string[] {
  const create = (event: string, rows: 'new' | 'old') =>
    `create trigger queue_for_hooks_${event} after ${event} on ${table}
      referencing ${rows} table as changed
      for each statement execute function queue_${table}_for_hooks()`;
  return [
    `create function queue_${table}_for_hooks() returns trigger language plpgsql as $$
      begin
        if not exists (select from hook_watch) then return null; end if;
        insert into hook_event (hook, source, signature, path, leg, slot)
          select distinct watch.hook, ${source}, changed.signature, changed.path, changed.leg, changed.slot
          from changed join hook_watch as watch on ${condition};
        return null;
      end $$`,
    create('insert', 'new'),
    // the owner of a loan can become known later
    create('update', 'new'),
    create('delete', 'old'),
  ];
}

export const hooksMigration: Migration = {
  name: '0007-hooks',
  statements: () => [
    ...tables,
    ...Object.entries(watches).flatMap(([table, condition], source) =>
      triggersOf(table, condition, source),
    ),
  ],
};
