import { expect, test } from 'vitest';
import { toUnixSeconds } from '#core/base/time.ts';
import { NO_ACCRUAL_TERMS } from '#core/protocol/klend/math/accrual/accrual.ts';
import { NEWEST_LENDING_RULES } from '#core/protocol/klend/releases.ts';
import { viewReservePoint } from '#core/views/series/reserve-history.ts';
import { clusterStateOf } from '#localnet/simulation/setup/simulation-setup.ts';
import { readConfigs } from '#server/history/ids/config-ids.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { readSeries } from '#server/history/queries/time-series.ts';
import { fromReservePoint } from '#server/history/rows/reserve-points.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { firstSample } from '../support/history/first-sample.ts';
import { onEachEngine } from '../support/history/history-engines.ts';
import {
  decodedSimulation,
  SIMULATION_END,
  simulateDays,
} from '../support/localnet/simulated-genesis.ts';

const SEED = 'kept points';
const slotMs = { numerator: 400n, denominator: 1n };
const context = {
  time: SIMULATION_END,
  rules: NEWEST_LENDING_RULES,
  ...NO_ACCRUAL_TERMS,
  slotMs,
};
const HOUR = 3_600n;

onEachEngine('a sample of the embedded cluster', (engine) => {
  test('is restored exactly from minutes, hours and days', async () => {
    const { db } = await engine.shared();
    const state = clusterStateOf(simulateDays(SEED, 2).cluster, silentLog);
    const points = firstSample(state, { resolution: 'minute', at: SIMULATION_END });
    await new HistoryWriter(db).append({ points });
    const reader = createHistoryReader(db);
    const range = {
      from: toUnixSeconds(SIMULATION_END.unix - 24n * HOUR),
      to: toUnixSeconds(SIMULATION_END.unix + HOUR),
    };
    for (const [subject, fields] of decodedSimulation(SEED).reserves) {
      for (const resolution of ['minute', 'hour', 'day'] as const) {
        const rows = [];
        for await (const chunk of readSeries(
          reader,
          { kind: 'reserve', resolution, subject },
          range,
        )) {
          rows.push(...chunk);
        }
        const [row] = rows;
        if (row === undefined || rows.length !== 1) throw new Error(`${rows.length} rows`);
        const configs = await readConfigs(db, 'reserve_config', [row.config]);
        const rebuilt = fromReservePoint(row, configs.get(row.config) ?? new Uint8Array());
        expect(viewReservePoint(rebuilt, context)).toEqual(
          viewReservePoint({ ...rebuilt, fields }, context),
        );
      }
    }
  });
});
