import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { onPglite } from '../support/history/history-engines.ts';
import { recordSimulation, startSimulationApi } from '../support/history/recorded-simulation.ts';
import { readJson } from '../support/http/test-api.ts';

const DAYS = 3;

type Row = Record<string, string>;

const readContract = (name: string): object =>
  JSON.parse(
    readFileSync(new URL(`../contract/${name}.openapi.json`, import.meta.url), 'utf8'),
  ) as object;

function createSchemaCheck() {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const name of ['core', 'extended']) ajv.addSchema(readContract(name), name);
  return (schema: string, rows: readonly unknown[]) => {
    const [document, name] = schema.split(' ');
    const validate = ajv.compile({ $ref: `${document}#/components/schemas/${name}` });
    expect(rows.length, schema).toBeGreaterThan(0);
    for (const row of rows) expect(validate(row), JSON.stringify(validate.errors)).toBe(true);
  };
}

const expectNear = (actual: number, expected: number): void =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));

onPglite('simulated days', ({ fresh }) => {
  test('history responses agree with each other, with current values and with the contract', async () => {
    const database = await fresh();
    const history = await database.open();
    const recorded = await recordSimulation({ seed: 'tidegate', days: DAYS, minutes: 5 }, history);
    const { get, url } = await startSimulationApi(recorded);
    const expectSchema = createSchemaCheck();
    const rowsOf = async (path: string) => (await get(path)).body as Row[];
    const { result: metrics } = (await get('/kvaults/vaults/metrics')).body as { result: Row[] };

    // the summary equals the sum of the vaults
    const { earnings } = (await get('/kvaults/summary')).body as {
      earnings: Record<string, { usd: string; sol: string }>;
    };
    const isPrivateCredit = (vault: Row) =>
      [...recorded.registry.privateCreditVaults].some((each) => each === vault['kvault']);
    const interest = metrics
      .filter((vault) => !isPrivateCredit(vault))
      .reduce((sum, vault) => sum + Number(vault['cumulativeInterestEarnedUsd']), 0);
    expectNear(Number(earnings['interest']?.usd), interest);
    expect(interest).toBeGreaterThan(0);
    expectSchema('core EarnSummary', [{ earnings }]);

    const end = Number(recorded.state.at().unix);
    const since = new Date((end - DAYS * 86_400) * 1000).toISOString();
    for (const { kvault = '', ...now } of metrics) {
      const points = await rowsOf(`/kvaults/vaults/${kvault}/metrics/history?start=${since}`);
      expectSchema('core VaultMetricsPoint', points);
      // interest never falls, and the last point is the current value
      const earned = points.map((point) => Number(point['interest']));
      expect(earned).toEqual([...earned].sort((a, b) => a - b));
      const last = points.at(-1) ?? {};
      expect(last['timestamp']).toBe(new Date(end * 1000).toISOString());
      expectNear(Number(last['sharePrice']), Number(now['sharePrice']));
      expectNear(Number(last['interestUsd']), Number(now['cumulativeInterestEarnedUsd']));
      expectSchema(
        'core AllocationVolumePoint',
        await rowsOf(`/kvaults/vaults/${kvault}/allocation-volume/history?start=${since}`),
      );
    }

    let positions = 0;
    for (const wallet of holdersOf(recorded)) {
      const transactions = await rowsOf(`/kvaults/users/${wallet}/transactions`);
      expectSchema('core VaultTransaction', transactions);
      for (const { vaultAddress: vault = '', totalShares } of await rowsOf(
        `/kvaults/users/${wallet}/positions`,
      )) {
        const path = `/kvaults/users/${wallet}/vaults/${vault}`;
        const pnl = (await get(`${path}/pnl/history`)).body as {
          history: { position: string; type: string }[];
          totalPnl: unknown;
          totalCostBasis: unknown;
        };
        const { history: entries, ...totals } = pnl;
        expectSchema('core VaultPnlHistory', [pnl]);
        expect((await get(`${path}/pnl`)).body).toEqual(totals);
        expect(entries.at(-1)?.type).toBe('mark-to-market');
        expectNear(Number(entries.at(-1)?.position), Number(totalShares));
        expect(transactions.some((row) => row['kvault'] === vault && row['latestPosition'])).toBe(
          true,
        );
        const points = await rowsOf(`${path}/metrics/history?start=${since}`);
        if (points.length > 0) expectSchema('core UserVaultPoint', points);
        positions += 1;
      }
      const totals = await rowsOf(`/kvaults/users/${wallet}/metrics/history?start=${since}`);
      if (totals.length > 0) expectSchema('core UserEarnTotalsPoint', totals);
    }
    expect(positions).toBeGreaterThan(0);

    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ instruction: 'invest' });
    const bulk = await readJson(
      await fetch(`${url}/kvaults/transactions`, { method: 'POST', headers, body }),
    );
    expectSchema('extended BulkVaultTx', (bulk.body as { result: unknown[] }).result);
    await history.close();
  });
});

/** Some wallets that stake shares. */
function holdersOf({ state }: Awaited<ReturnType<typeof recordSimulation>>): readonly string[] {
  const owners = state
    .vaults()
    .flatMap(({ fields }) => [...state.farmUsersIn(fields.vaultFarm)])
    .map(({ fields }) => fields.owner);
  return [...new Set(owners)].slice(0, 12);
}
