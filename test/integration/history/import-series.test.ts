import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { expect, onTestFinished, test } from 'vitest';
import { catchAsyncError } from '../../../../../test/support/errors/catch-async-error.ts';
import { silentLog } from '../../../../../test/support/fakes/silent-log.ts';
import { readWholeSeries } from '../../../../../test/support/history/history-reads.ts';
import { namedAddress } from '../../../../../test/support/protocol/published-calls.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import { openClusterHistory } from '../clusters/open-cluster-history.ts';
import { readConfig } from '../settings/settings.ts';
import { runImport } from './import.ts';

const [market, reserve, mint] = [
  namedAddress('market'),
  namedAddress('reserve'),
  namedAddress('mint'),
];
const HOUR_MS = 3_600_000;
const lastHour = Math.floor(Date.now() / HOUR_MS - 3) * HOUR_MS;
const timestamp = new Date(lastHour + 6_009).toISOString();
const later = new Date(lastHour + HOUR_MS).toISOString();

const answers: Readonly<Record<string, unknown>> = {
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

/** Every path is refused once before it is answered. */
async function otherInstance(): Promise<string> {
  const refused = new Set<string>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const isNew = !refused.has(pathname);
    refused.add(pathname);
    if (isNew) response.writeHead(429, { 'retry-after': '0' }).end();
    else if (!(pathname in answers)) response.writeHead(404).end();
    else {
      const isPast = Date.parse(searchParams.get('end') ?? later) < lastHour;
      const empty = pathname.includes('/reserves/') ? { history: [] } : [];
      response.end(JSON.stringify(isPast ? empty : answers[pathname]));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function settings() {
  const dataDir = mkdtempSync(join(tmpdir(), 'import-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const flags = { 'log-level': 'silent', 'data-dir': dataDir, cluster: 'devnet' };
  return readConfig({ ...flags, 'rpc-url': 'http://127.0.0.1:9/' });
}

test('markets and prices of another instance are copied, what was sampled here stays', async () => {
  const config = settings();
  const before = await openClusterHistory(config, 'devnet', silentLog);
  const at = toUnixSeconds(BigInt(lastHour + HOUR_MS) / 1000n + 5n);
  const whole = (value: bigint) => ({ numerator: value, denominator: 1n });
  await new HistoryWriter(before.db).append({
    points: [
      {
        ...{ kind: 'market', resolution: 'minute', subject: market, at, slot: toSlot(9n) },
        ...{ depositTvl: whole(5n), borrowTvl: whole(6n), obligations: 9 },
      },
    ],
  });
  await before.close();

  const told = await runImport(config, { from: `${await otherInstance()}/api/`, days: '1' });
  expect(told).toContain('2 points of 1 markets and 1 prices of 1 tokens');
  expect(told).toContain('left out');

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
    at: told0,
  } = points[0] ?? { depositTvl: whole(0n), borrowTvl: whole(0n) };
  expect(told0).toBe(BigInt(lastHour) / 1000n + 6n);
  expect(depositTvl.numerator * 2n).toBe(depositTvl.denominator * 7n);
  expect(borrowTvl.numerator * 4n).toBe(borrowTvl.denominator * 5n);
  const prices = await readWholeSeries(history, { kind: 'price', subject: mint, ...hourly });
  // a four-millionth, rounded down to 60 bits
  expect(prices.map(({ priceSf }) => priceSf)).toEqual([2n ** 60n / 4_000_000n]);
  await history.close();
}, 60_000);

test('an instance that does not speak the contract is told by its first answer', async () => {
  const from = `${await otherInstance()}/elsewhere`;
  const refused = await catchAsyncError(runImport(settings(), { from }));
  expect(refused.message).toContain('status 404 for /elsewhere/v2/svc-market');
}, 60_000);

test('what is no URL is refused', async () => {
  const refused = await catchAsyncError(runImport(settings(), { from: 'somewhere' }));
  expect(refused.message).toContain('--from is "somewhere"');
});
