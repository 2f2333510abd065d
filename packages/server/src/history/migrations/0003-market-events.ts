import type { Migration } from './migration.ts';

export const marketEventsMigration: Migration = {
  name: '0003-market-events',
  statements: () => ['create index on lending_event (market, kind, at, slot, place)'],
};
