import { expect, test } from 'vitest';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { MemoryRateLimitStore } from '#server/http/limits/memory-limit-store.ts';
import { parseRateLimitPolicy } from '#server/http/limits/rate-limit.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { LOAN, LOAN_OWNER } from '../../support/history/loan-history-rows.ts';
import { GOLDEN_MARKET, SOL_RESERVE } from '../../support/history/reserve-history-rows.ts';
import { startApi } from '../../support/http/test-api.ts';

const QUOTA = 100;
const NOON = Date.UTC(2025, 5, 16, 12);

/** A client that reads the remaining units from the response. */
async function startClient() {
  const policy = parseRateLimitPolicy('anonymous', `${QUOTA}/1h`);
  if (policy === undefined) throw new Error('invalid limit');
  const clock = () => NOON;
  const api = await startApi({
    clusters: createClusters([staticCluster({})]),
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
  // 168 hours and 1461 days
  [`${vaultHistory}?start=2025-06-01&end=2025-06-08`, 13],
  [`${vaultHistory}?start=2021-01-01&end=2025-01-01`, 50],
  // 2160 and 8760 hours; daily points are computed from hourly data
  [`${positionHistory}?start=2025-01-01&end=2025-04-01`, 7],
  [`${positionHistory}?start=2023-01-01&end=2024-01-01`, 13],
  [`${walletHistory}?start=2023-01-01&end=2024-01-01`, 18],
  [`${walletHistory}?start=1990-01-01&end=2025-01-01`, 50],
  [`${loan}/metrics/history?start=2025-01-01&end=2025-04-01`, 4],
  [`${loan}/interest-fees?start=2021-01-01&end=2025-01-01`, 38],
  [`${vaultHistory}?start=then&end=2025-01-01`, 1],
])('%s costs %i units', async (path, weight) => {
  const request = await startClient();
  expect((await request(path)).remaining).toBe(QUOTA - weight);
});

test('expensive requests are rejected before cheap ones', async () => {
  const request = await startClient();
  const year = `${positionHistory}?start=2023-01-01&end=2024-01-01`;
  const statuses: number[] = [];
  for (let count = 0; count < 8; count += 1) statuses.push((await request(year)).status);
  // 7 * 13 <= 100 < 8 * 13
  expect(statuses.map((status) => status === 429)).toEqual([...Array(7).fill(false), true]);
  const day = `${positionHistory}?start=2023-01-01&end=2023-01-02`;
  expect((await request(day)).status).not.toBe(429);
});
