import { initial } from './0001-initial.ts';
import { rawAccounts } from './0002-raw-accounts.ts';
import { marketEvents } from './0003-market-events.ts';
import type { Migration } from './migration.ts';

/** In order. Append only. */
export const knownMigrations: readonly Migration[] = [initial, rawAccounts, marketEvents];
