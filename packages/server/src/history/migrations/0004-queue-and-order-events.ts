import { EVENTS_CHECKPOINT, QUEUE_EVENTS_SINCE_CHECKPOINT } from '../checkpoint-names.ts';
import type { Migration } from './migration.ts';

/** Earlier releases recorded no tickets of queued withdrawals and no fills of orders. */
export const queueAndOrderEventsMigration: Migration = {
  name: '0004-queue-and-order-events',
  statements: () => [
    'alter table lending_event add column withdraw_ticket int4, add column vault int4',
    'create index on lending_event (vault, at, slot, place) where vault is not null',
    `insert into checkpoint (name, slot, at)
      select '${QUEUE_EVENTS_SINCE_CHECKPOINT}', slot, at from checkpoint where name = '${EVENTS_CHECKPOINT}'`,
  ],
};
