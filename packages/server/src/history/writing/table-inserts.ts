import { snakeCase } from '../schema/columns.ts';
import {
  type EventTable,
  eventColumns,
  eventKey,
  type StateTable,
  stateColumns,
  stateKeyColumns,
  stepColumns,
  transactionColumns,
} from '../schema/event-tables.ts';
import {
  type Resolution,
  resolutions,
  type SeriesKind,
  seriesColumns,
  seriesKeyColumns,
  seriesKinds,
  seriesTableName,
} from '../schema/series-tables.ts';
import type { TableInsert } from './bulk-insert.ts';

export type SeriesInsert = TableInsert & {
  readonly kind: SeriesKind;
  readonly resolution: Resolution;
};

export const seriesInserts: readonly SeriesInsert[] = seriesKinds.flatMap((kind) =>
  resolutions.map((resolution) => ({
    kind,
    resolution,
    table: seriesTableName(kind, resolution),
    columns: { bucket: 'seconds', ...seriesColumns[kind] },
    key: [...seriesKeyColumns(kind), 'bucket'],
    replacesOlder: true,
  })),
);

/** The number of the batch in the order of recording, which no event itself has. */
export const RECORDED_COLUMN = 'recorded';

const eventInsert = (table: EventTable): TableInsert => ({
  table: snakeCase(table),
  columns: { ...eventColumns[table], [RECORDED_COLUMN]: 'slot' },
  key: eventKey,
});

const stateInsert = (table: StateTable): TableInsert => ({
  table: snakeCase(table),
  columns: stateColumns[table],
  key: [...stateKeyColumns[table], 'slot'],
});

/** The insert for each list of rows in a batch. */
export const rowInserts = {
  lendingEvents: eventInsert('lendingEvent'),
  vaultEvents: eventInsert('vaultEvent'),
  farmEvents: eventInsert('farmEvent'),
  transactions: { table: 'raw_transaction', columns: transactionColumns, key: ['signature'] },
  steps: { table: 'raw_step', columns: stepColumns, key: ['slot', 'part'] },
  obligationStates: stateInsert('obligationState'),
  vaultHoldings: stateInsert('vaultHolding'),
  farmStakes: stateInsert('farmStake'),
} as const satisfies Readonly<Record<string, TableInsert>>;

export type BatchRowsKey = keyof typeof rowInserts;

export const batchRowsKeys: readonly BatchRowsKey[] = [
  'lendingEvents',
  'vaultEvents',
  'farmEvents',
  'transactions',
  'steps',
  'obligationStates',
  'vaultHoldings',
  'farmStakes',
];
