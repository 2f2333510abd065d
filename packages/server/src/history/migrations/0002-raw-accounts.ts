import type { Migration } from './migration.ts';

export const rawAccountsMigration: Migration = {
  name: '0002-raw-accounts',
  statements: () => [
    'create table raw_account (address bytea primary key, size int4 not null, deflated bytea not null)',
    'create index on raw_account (size)',
  ],
};
