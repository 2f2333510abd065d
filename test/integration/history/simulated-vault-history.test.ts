import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { onPglite } from '../../support/history/history-engines.ts';
import { recordSimulation, startSimulationApi } from '../../support/history/recorded-simulation.ts';
import { readJson } from '../../support/http/test-api.ts';

const DAYS = 3;

type Row = Record<string, string>;

const readContract = (name: string): object =>
  JSON.parse(
    readFileSync(new URL(`../contract/${name}.openapi.json`, import.meta.url), 'utf8'),
  ) as object;

function schemas() {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  for (const name of ['core', 'extended']) ajv.addSchema(readContract(name), name);
  return (schema: string, rows: readonly unknown[]) => {
    const [document, name] = schema.split(' ');
    const fits = ajv.compile({ $ref: `${document}#/components/schemas/${name}` });
    expect(rows.length, schema).toBeGreaterThan(0);
    for (const row of rows) expect(fits(row), JSON.stringify(fits.errors)).toBe(true);
  };
}

const isNear = (ours: number, theirs: number): void =>
  expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(theirs)));

onPglite('played days', ({ fresh }) => {
  test('answers of the past agree with each other, with the present and with the contract', async () => {
    const database = await fresh();
    const history = await database.open();
    const recorded = await recordSimulation({ seed: 'vaults', days: DAYS, minutes: 5 }, history);
    const { get, url } = await startSimulationApi(recorded);
    const fits = schemas();
    const rowsOf = async (path: string) => (await get(path)).body as Row[];
    const { result: metrics } = (await get('/kvaults/vaults/metrics')).body as { result: Row[] };

    // what all vaults earned is what each of them did
    const { earnings } = (await get('/kvaults/summary')).body as {
      earnings: Record<string, { usd: string; sol: string }>;
    };
    const isCredit = (vault: Row) =>
      [...recorded.registry.privateCreditVaults].some((each) => each === vault['kvault']);
    const interest = metrics
      .filter((vault) => !isCredit(vault))
      .reduce((sum, vault) => sum + Number(vault['cumulativeInterestEarnedUsd']), 0);
    isNear(Number(earnings['interest']?.usd), interest);
    expect(interest).toBeGreaterThan(0);
    fits('core EarnSummary', [{ earnings }]);

    const end = Number(recorded.state.at().unix);
    const since = new Date((end - DAYS * 86_400) * 1000).toISOString();
    for (const { kvault = '', ...now } of metrics) {
      const points = await rowsOf(`/kvaults/vaults/${kvault}/metrics/history?start=${since}`);
      fits('core VaultMetricsPoint', points);
      // interest never falls, and the last point is not far from the present
      const earned = points.map((point) => Number(point['interest']));
      expect(earned).toEqual([...earned].sort((a, b) => a - b));
      const [last, present] = [points.at(-1), now].map((row) => Number(row?.['sharePrice']));
      expect(Math.abs((last ?? 0) - (present ?? 0))).toBeLessThanOrEqual(0.05 * (present ?? 0));
      fits(
        'core AllocationVolumePoint',
        await rowsOf(`/kvaults/vaults/${kvault}/allocation-volume/history?start=${since}`),
      );
    }

    let positions = 0;
    for (const wallet of holdersOf(recorded)) {
      const transactions = await rowsOf(`/kvaults/users/${wallet}/transactions`);
      fits('core VaultTransaction', transactions);
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
        fits('core VaultPnlHistory', [pnl]);
        expect((await get(`${path}/pnl`)).body).toEqual(totals);
        expect(entries.at(-1)?.type).toBe('mark-to-market');
        isNear(Number(entries.at(-1)?.position), Number(totalShares));
        expect(transactions.some((row) => row['kvault'] === vault && row['latestPosition'])).toBe(
          true,
        );
        const points = await rowsOf(`${path}/metrics/history?start=${since}`);
        if (points.length > 0) fits('core UserVaultPoint', points);
        positions += 1;
      }
      const totals = await rowsOf(`/kvaults/users/${wallet}/metrics/history?start=${since}`);
      if (totals.length > 0) fits('core UserEarnTotalsPoint', totals);
    }
    expect(positions).toBeGreaterThan(0);

    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ instruction: 'invest' });
    const bulk = await readJson(
      await fetch(`${url}/kvaults/transactions`, { method: 'POST', headers, body }),
    );
    fits('extended BulkVaultTx', (bulk.body as { result: unknown[] }).result);
    await history.close();
  }, 180_000);
});

/** Some wallets with shares now. */
function holdersOf({ state }: Awaited<ReturnType<typeof recordSimulation>>): readonly string[] {
  const owners = state
    .vaults()
    .flatMap(({ fields }) => [...state.farmUsersIn(fields.vaultFarm)])
    .map(({ fields }) => fields.owner);
  return [...new Set(owners)].slice(0, 12);
}
