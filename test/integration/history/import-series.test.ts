import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { readConfig } from '#server/cli/settings/settings.ts';
import { openClusterHistory } from '#server/composition/recording/open-cluster-history.ts';
import { runImport } from '#server/composition/tasks/import-series.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { catchError } from '../../support/errors/catch-error.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { readWholeSeries } from '../../support/history/history-reads.ts';
import { namedAddress } from '../../support/protocol/published-calls.ts';

const [market, reserve, mint] = [
  namedAddress('market'),
  namedAddress('reserve'),
  namedAddress('mint'),
];
const HOUR_MS = 3_600_000;
const lastHour = Math.floor(Date.now() / HOUR_MS - 3) * HOUR_MS;
const timestamp = new Date(lastHour + 6_009).toISOString();
const later = new Date(lastHour + HOUR_MS + 1_000).toISOString();

const responses: Readonly<Record<string, unknown>> = {
  '/api/v2/svc-market': [{ name: 'Main', lendingMarket: market }],
  [`/api/svc-market/${market}/reserves/metrics`]: [
    { reserve, liquidityTokenMint: mint },
    { reserve: namedAddress('second reserve of the token'), liquidityTokenMint: mint },
  ],
  [`/api/svc-market/${market}/metrics/history`]: [
    { market, timestamp, metrics: { borrowTVL: '1.25', depositTVL: '3.5', obligations: 7 } },
    { market, timestamp: later, metrics: { borrowTVL: '2', depositTVL: '4', obligations: 8 } },
  ],
  [`/api/svc-market/${market}/reserves/${reserve}/metrics/history`]: {
    reserve,
    market,
    history: [{ timestamp, metrics: { assetOraclePriceUSD: 0.00000025 } }],
  },
};

/** Returns 429 to the first request of every path. */
async function startOtherInstance(): Promise<string> {
  const requested = new Set<string>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const isFirst = !requested.has(pathname);
    requested.add(pathname);
    if (isFirst) response.writeHead(429, { 'retry-after': '0' }).end();
    else if (!(pathname in responses)) response.writeHead(404).end();
    else {
      const isEarlier = Date.parse(searchParams.get('end') ?? later) < lastHour;
      const empty = pathname.includes('/reserves/') ? { history: [] } : [];
      response.end(JSON.stringify(isEarlier ? empty : responses[pathname]));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function temporaryConfig() {
  const dataDir = mkdtempSync(join(tmpdir(), 'import-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const flags = { 'log-level': 'silent', 'data-dir': dataDir, cluster: 'devnet' };
  return readConfig({ ...flags, 'rpc-url': 'http://127.0.0.1:9/' });
}

test('the import copies markets and prices of another instance and keeps the samples of this one', async () => {
  const config = temporaryConfig();
  const before = await openClusterHistory(config, 'devnet', silentLog);
  const at = toUnixSeconds(BigInt(lastHour + HOUR_MS) / 1000n + 5n);
  const whole = (value: bigint) => ({ numerator: value, denominator: 1n });
  await new HistoryWriter(before.db).append({
    points: [
      {
        kind: 'market',
        resolution: 'minute',
        subject: market,
        at,
        slot: toSlot(9n),
        depositTvl: whole(5n),
        borrowTvl: whole(6n),
        obligations: 9,
      },
    ],
  });
  await before.close();

  const summary = await runImport(config, {
    from: `${await startOtherInstance()}/api/`,
    days: '1',
  });
  expect(summary).toContain('Copied 2 points of 1 markets and 1 prices of 1 tokens');
  expect(summary).toContain('Did not copy points of reserves and vaults');

  const history = await openClusterHistory(config, 'devnet', silentLog);
  const hourly = { resolution: 'hour' } as const;
  const points = await readWholeSeries(history, { kind: 'market', subject: market, ...hourly });
  expect(points.map((point) => [point.slot, point.obligations])).toEqual([
    [0n, 7],
    [9n, 9],
  ]);
  const {
    depositTvl,
    borrowTvl,
    at: copiedAt,
  } = points[0] ?? { depositTvl: whole(0n), borrowTvl: whole(0n) };
  expect(copiedAt).toBe(BigInt(lastHour) / 1000n + 6n);
  expect(depositTvl.numerator * 2n).toBe(depositTvl.denominator * 7n);
  expect(borrowTvl.numerator * 4n).toBe(borrowTvl.denominator * 5n);
  const prices = await readWholeSeries(history, { kind: 'price', subject: mint, ...hourly });
  // 0.00000025 as a 60-bit fraction, rounded down
  expect(prices.map(({ priceSf }) => priceSf)).toEqual([2n ** 60n / 4_000_000n]);
  await history.close();
});

test('an incompatible instance is an error at the first response', async () => {
  const from = `${await startOtherInstance()}/elsewhere`;
  const error = await catchError(runImport(temporaryConfig(), { from }));
  expect(error?.message).toContain('status 404 for /elsewhere/v2/svc-market');
});

test('a --from that is not a URL is rejected', async () => {
  const error = await catchError(runImport(temporaryConfig(), { from: 'somewhere' }));
  expect(error?.message).toContain('--from is "somewhere"');
});
