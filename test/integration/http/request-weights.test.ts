import { expect, test } from 'vitest';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { MemoryRateLimitStore } from '#server/http/limits/memory-limit-store.ts';
import { parseRateLimitPolicy } from '#server/http/limits/rate-limit.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { staticRecording } from '../../support/golden/static-recording.ts';
import { LOAN, LOAN_OWNER } from '../../support/history/loan-history-rows.ts';
import {
  GOLDEN_MARKET,
  goldenReservePoint,
  SOL_RESERVE,
} from '../../support/history/reserve-history-rows.ts';
import { emptyWorkerDatabase } from '../../support/history/worker-database.ts';
import { startApi } from '../../support/http/test-api.ts';

const QUOTA = 100;
const NOON = Date.UTC(2025, 5, 16, 12);

/** A client that reads the remaining units from the response. */
async function startClient(cluster = staticCluster({}), quota = QUOTA) {
  const policy = parseRateLimitPolicy('anonymous', `${quota}/1h`);
  if (policy === undefined) throw new Error('invalid limit');
  const clock = () => NOON;
  const api = await startApi({
    clusters: createClusters([cluster]),
    clock,
    limits: {
      store: new MemoryRateLimitStore(clock),
      anonymous: policy,
      loopback: policy,
      key: policy,
    },
  });
  const request = async (path: string) => {
    const { status, headers } = await api.get(path);
    return { status, remaining: Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]) };
  };
  return request;
}

const vaultHistory = `/kvaults/vaults/${SOL_RESERVE}/metrics/history`;
const positionHistory = `/kvaults/users/${LOAN_OWNER}/vaults/${SOL_RESERVE}/metrics/history`;
const walletHistory = `/kvaults/users/${LOAN_OWNER}/metrics/history`;
const loan = `/v2/svc-market/${GOLDEN_MARKET}/obligations/${LOAN}`;

test.each([
  // 168 hours and 1461 days; without history nothing is computed, and a unit has 200 points
  [`${vaultHistory}?start=2025-06-01&end=2025-06-08`, 5],
  [`${vaultHistory}?start=2021-01-01&end=2025-01-01`, 12],
  // 2160 and 8760 hours; daily points are computed from hourly data
  [`${positionHistory}?start=2025-01-01&end=2025-04-01`, 10],
  [`${positionHistory}?start=2023-01-01&end=2024-01-01`, 26],
  [`${walletHistory}?start=2023-01-01&end=2024-01-01`, 31],
  [`${walletHistory}?start=1990-01-01&end=2025-01-01`, 50],
  [`${loan}/metrics/history?start=2021-01-01&end=2025-01-01`, 3],
  [`${loan}/interest-fees?start=2021-01-01&end=2025-01-01`, 50],
  [`${vaultHistory}?start=then&end=2025-01-01`, 1],
])('%s costs %i units', async (path, weight) => {
  const request = await startClient();
  expect((await request(path)).remaining).toBe(QUOTA - weight);
});

test('expensive requests are rejected before cheap ones', async () => {
  const request = await startClient();
  const year = `${positionHistory}?start=2023-01-01&end=2024-01-01`;
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await request(year)).status);
  // 3 * 26 <= 100 < 4 * 26
  expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true]);
  const day = `${positionHistory}?start=2023-01-01&end=2023-01-02`;
  expect((await request(day)).status).not.toBe(429);
});

const OCTOBER = BigInt(Date.UTC(2025, 9, 1) / 1000);
const reserveHistory = `/svc-market/${GOLDEN_MARKET}/reserves/${SOL_RESERVE}/metrics/history`;
/** 240 and 336 hours: 10 and 14 units, or 1 if they are cached. */
const tenDays = `${reserveHistory}?start=2025-10-01&end=2025-10-11`;
const fourteenDays = `${reserveHistory}?start=2025-10-01&end=2025-10-15`;

/** Has a sample of each day from October 1 to 14. */
async function clusterWithSamples() {
  const history = await emptyWorkerDatabase();
  const points = Array.from({ length: 14 }, (_, day) =>
    goldenReservePoint({
      reserve: SOL_RESERVE,
      at: OCTOBER + BigInt(day) * 86_400n + 7_200n,
      slot: 370_000_000n + BigInt(day) * 216_000n,
      available: 1_000_000n,
    }),
  );
  await new HistoryWriter(history.db).append({ points });
  return staticCluster({
    recording: staticRecording({ history: createHistoryReader(history.db) }),
  });
}

test('what is computed costs more than what is cached', async () => {
  const request = await startClient(await clusterWithSamples());
  expect(await request(tenDays)).toEqual({ status: 200, remaining: QUOTA - 10 });
  expect(await request(tenDays)).toEqual({ status: 200, remaining: QUOTA - 11 });
  // 4 of 14 days are missing: 1 unit, and 4/14 of the other 13, rounded up
  expect(await request(fourteenDays)).toEqual({ status: 200, remaining: QUOTA - 16 });
  expect(await request(fourteenDays)).toEqual({ status: 200, remaining: QUOTA - 17 });
});

test('a caller with too few units for what is computed is limited', async () => {
  const request = await startClient(await clusterWithSamples(), 11);
  expect(await request(tenDays)).toEqual({ status: 200, remaining: 1 });
  expect(await request(fourteenDays)).toEqual({ status: 429, remaining: 0 });
});

test('a request that costs more than the quota is allowed if nothing else was requested', async () => {
  const request = await startClient(await clusterWithSamples(), 3);
  expect(await request(tenDays)).toEqual({ status: 200, remaining: 0 });
});
