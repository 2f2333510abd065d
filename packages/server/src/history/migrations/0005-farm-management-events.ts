import { EVENTS_CHECKPOINT, FARM_MANAGEMENT_SINCE_CHECKPOINT } from '../checkpoint-names.ts';
import type { Migration } from './migration.ts';

/** Earlier releases recorded no instructions of farm administrators, and stored no transactions with nothing else. */
export const farmManagementEventsMigration: Migration = {
  name: '0005-farm-management-events',
  statements: () => [
    `alter table farm_event add column managed_farm int4, add column signer int4, add column account int4,
      add column reward_index int4, add column config_mode int4, add column config_data bytea`,
    'create index on farm_event (managed_farm, at, slot, place) where managed_farm is not null',
    `insert into checkpoint (name, slot, at)
      select '${FARM_MANAGEMENT_SINCE_CHECKPOINT}', slot, at from checkpoint where name = '${EVENTS_CHECKPOINT}'`,
  ],
};
