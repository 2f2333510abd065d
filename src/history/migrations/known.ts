import { initial } from './0001-initial.ts';
import type { Migration } from './migration.ts';

/** In order. Append only. */
export const knownMigrations: readonly Migration[] = [initial];
