import { initialMigration } from './0001-initial.ts';
import { rawAccountsMigration } from './0002-raw-accounts.ts';
import { marketEventsMigration } from './0003-market-events.ts';
import { queueAndOrderEventsMigration } from './0004-queue-and-order-events.ts';
import { farmManagementEventsMigration } from './0005-farm-management-events.ts';
import { recordingOrderMigration } from './0006-recording-order.ts';
import { hooksMigration } from './0007-hooks.ts';
import { positionGapsMigration } from './0008-position-gaps.ts';
import type { Migration } from './migration.ts';

/** In order of execution. Append only. */
export const allMigrations: readonly Migration[] = [
  initialMigration,
  rawAccountsMigration,
  marketEventsMigration,
  queueAndOrderEventsMigration,
  farmManagementEventsMigration,
  recordingOrderMigration,
  hooksMigration,
  positionGapsMigration,
];
