import { type Static, Type } from 'typebox';
import type { HistoryState } from '../../clusters/cluster-status.ts';
import type { Clusters } from '../../clusters/served-clusters.ts';
import { describe } from '../../http/schemas/describe.ts';
import { IsoInstant, NullableString } from '../../http/schemas/primitives.ts';

export const HistoryStatus = Type.Union(
  [
    Type.Object({
      engine: Type.Unsafe<HistoryState['engine']>({
        type: 'string',
        enum: ['pglite', 'postgres'],
        description: '`pglite` is the embedded database',
      }),
      available: Type.Boolean({
        description: 'Whether it can be read. If not, reads of it return 503 HISTORY_UNAVAILABLE',
      }),
      recording: Type.Boolean({ description: 'Whether it is recorded' }),
      since: Type.Union([IsoInstant, Type.Null()], {
        description: 'When it failed, UTC; null if it works',
      }),
      problem: describe(NullableString, 'What is wrong and what to do; null if it works'),
    }),
    Type.Null(),
  ],
  { description: 'The database of the history; null if no history is recorded' },
);

export const historyStatusJson = (
  history: HistoryState | undefined,
): Static<typeof HistoryStatus> =>
  history === undefined
    ? null
    : {
        engine: history.engine,
        available: history.isReadable,
        recording: history.isWritable,
        since: history.failure === undefined ? null : new Date(history.failure.since).toISOString(),
        problem: history.failure?.advice ?? null,
      };

/** One value per cluster with a history: 1 if `test` holds. */
export const historyGauge =
  (clusters: Pick<Clusters, 'all'>, test: (history: HistoryState) => boolean) =>
  (): { readonly labels: { readonly cluster: string }; readonly value: number }[] =>
    clusters.all.flatMap((cluster) => {
      const { history } = cluster.status();
      return history === undefined
        ? []
        : [{ labels: { cluster: cluster.env }, value: test(history) ? 1 : 0 }];
    });
