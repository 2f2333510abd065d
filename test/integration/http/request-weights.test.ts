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

/** What a call takes from what is left. */
async function startCharged() {
  const policy = parseRateLimitPolicy('anonymous', `${QUOTA}/1h`);
  if (policy === undefined) throw new Error('no limit');
  const clock = () => NOON;
  const api = await startApi({
    ...{ clusters: createClusters([staticCluster({})]), clock },
    limits: {
      store: new MemoryRateLimitStore(clock),
      anonymous: policy,
      loopback: policy,
      key: policy,
    },
  });
  const ask = async (path: string) => {
    const { status, headers } = await api.get(path);
    return { status, left: Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]) };
  };
  return ask;
}

const ofVault = `/kvaults/vaults/${SOL_RESERVE}/metrics/history`;
const ofUser = `/kvaults/users/${LOAN_OWNER}/vaults/${SOL_RESERVE}/metrics/history`;
const ofWallet = `/kvaults/users/${LOAN_OWNER}/metrics/history`;
const ofLoan = `/v2/svc-market/${GOLDEN_MARKET}/obligations/${LOAN}`;

test.each([
  // a week of hours and four years of days: 168 and 1461 points
  [`${ofVault}?start=2025-06-01&end=2025-06-08`, 5],
  [`${ofVault}?start=2021-01-01&end=2025-01-01`, 6],
  // 90 days have 2160 hours, and a year 8760, which are gone through to tell the days
  [`${ofUser}?start=2025-01-01&end=2025-04-01`, 7],
  [`${ofUser}?start=2023-01-01&end=2024-01-01`, 13],
  [`${ofWallet}?start=2023-01-01&end=2024-01-01`, 18],
  [`${ofWallet}?start=1990-01-01&end=2025-01-01`, 50],
  [`${ofLoan}/metrics/history?start=2025-01-01&end=2025-04-01`, 2],
  [`${ofLoan}/interest-fees?start=2021-01-01&end=2025-01-01`, 3],
  [`${ofVault}?start=then&end=2025-01-01`, 1],
])('%s takes %i of the limit', async (path, weight) => {
  const ask = await startCharged();
  expect((await ask(path)).left).toBe(QUOTA - weight);
});

test('who asks for much is refused before who asks for little', async () => {
  const ask = await startCharged();
  const year = `${ofUser}?start=2023-01-01&end=2024-01-01`;
  const statuses: number[] = [];
  for (let count = 0; count < 8; count += 1) statuses.push((await ask(year)).status);
  // seven times thirteen is all that fits into a hundred
  expect(statuses.map((status) => status === 429)).toEqual([...Array(7).fill(false), true]);
  const day = `${ofUser}?start=2023-01-01&end=2023-01-02`;
  expect((await ask(day)).status).not.toBe(429);
});
