import type { Migration } from './migration.ts';

/**
 * Positions whose recorded events do not explain their states, from the newest state that they explain. States are found
 * by slot after a start.
 */
export const positionGapsMigration: Migration = {
  name: '0008-position-gaps',
  statements: () => [
    `create table position_gap (kind text not null, position text not null, wallet text not null,
      place text, slot int8 not null, at int8 not null, found_at int8 not null, difference text not null,
      primary key (kind, position))`,
    'create index on obligation_state (slot)',
    'create index on vault_holding (slot)',
    'create index on farm_stake (slot)',
  ],
};
