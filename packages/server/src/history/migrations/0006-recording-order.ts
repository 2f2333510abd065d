import type { Migration } from './migration.ts';

const TABLES = ['lending_event', 'vault_event', 'farm_event'];

/**
 * The order in which events were recorded, which is not the order of their slots: an event may be found late. Events of
 * earlier releases have no number.
 */
export const recordingOrderMigration: Migration = {
  name: '0006-recording-order',
  statements: () => [
    `create table recording_order (
      only_row bool primary key default true check (only_row), last int8 not null)`,
    ...TABLES.flatMap((table) => [
      `alter table ${table} add column recorded int8`,
      `create index on ${table} (recorded) where recorded is not null`,
    ]),
    'alter table lending_event add column owner_recorded int8',
    'create index on lending_event (owner_recorded) where owner_recorded is not null',
    `create table removed_event (recorded int8 not null, signature bytea not null, slot int8 not null,
      wallet int4, market int4, vault int4)`,
    'create index on removed_event (recorded)',
    // only while a replay derives the events again
    `create table replayed_event (signature bytea not null, path bytea not null, leg int2 not null,
      recorded int8, owner_recorded int8, primary key (signature, path, leg))`,
  ],
};
