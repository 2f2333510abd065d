import { snakeCase } from '../schema/columns.ts';
import {
  type EventTable,
  eventColumns,
  eventKey,
  type StateTable,
  stateColumns,
  stateSubjects,
  stepColumns,
  transactionColumns,
} from '../schema/event-tables.ts';
import {
  type Resolution,
  resolutions,
  type SeriesKind,
  seriesColumns,
  seriesKinds,
  seriesTable,
  subjectColumns,
} from '../schema/series-tables.ts';
import type { Insert } from './bulk-insert.ts';

export type SeriesInsert = Insert & { readonly kind: SeriesKind; readonly resolution: Resolution };

export const seriesInserts: readonly SeriesInsert[] = seriesKinds.flatMap((kind) =>
  resolutions.map((resolution) => ({
    kind,
    resolution,
    table: seriesTable(kind, resolution),
    columns: { bucket: 'seconds', ...seriesColumns[kind] },
    key: [...subjectColumns(kind), 'bucket'],
    newest: true,
  })),
);

const eventInsert = (table: EventTable): Insert => ({
  table: snakeCase(table),
  columns: eventColumns[table],
  key: eventKey,
});

const stateInsert = (table: StateTable): Insert => ({
  table: snakeCase(table),
  columns: stateColumns[table],
  key: [...stateSubjects[table], 'slot'],
});

/** By the part of a batch that goes into it. */
export const plainInserts = {
  lendingEvents: eventInsert('lendingEvent'),
  vaultEvents: eventInsert('vaultEvent'),
  farmEvents: eventInsert('farmEvent'),
  transactions: { table: 'raw_transaction', columns: transactionColumns, key: ['signature'] },
  steps: { table: 'raw_step', columns: stepColumns, key: ['slot', 'part'] },
  obligationStates: stateInsert('obligationState'),
  vaultHoldings: stateInsert('vaultHolding'),
  farmStakes: stateInsert('farmStake'),
} as const satisfies Readonly<Record<string, Insert>>;

export type PlainPart = keyof typeof plainInserts;

export const plainParts: readonly PlainPart[] = [
  'lendingEvents',
  'vaultEvents',
  'farmEvents',
  'transactions',
  'steps',
  'obligationStates',
  'vaultHoldings',
  'farmStakes',
];
