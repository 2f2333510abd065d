import { describe, expect, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { LOAN, LOAN_OWNER, loanState } from '../../support/history/loan-history-rows.ts';
import { GOLDEN_MARKET, SOL_RESERVE } from '../../support/history/reserve-history-rows.ts';
import { startApi } from '../../support/http/test-api.ts';

const { address: vault } = goldenVault('Steady USDC');
const reserve = `/svc-market/${GOLDEN_MARKET}/reserves/${SOL_RESERVE}`;
const loan = `/v2/svc-market/${GOLDEN_MARKET}/obligations/${LOAN}`;

/** By whether the response is cached in chunks. */
const chunked = [
  `${reserve}/metrics/history`,
  `/svc-market/${GOLDEN_MARKET}/metrics/history`,
  `${loan}/metrics/history`,
  `/kvaults/vaults/${vault}/metrics/history`,
  `/kvaults/users/${LOAN_OWNER}/vaults/${vault}/metrics/history`,
];
const computed = [
  `/kvaults/users/${LOAN_OWNER}/metrics/history`,
  // a wallet without positions: those without samples would be gaps
  `/owners/${vault}/net-values/history`,
  `${reserve}/borrow-and-staking-apys/history`,
  `${reserve}/borrow-and-staking-apys/history/median`,
  `/staking-yields/tokens/${ZERO_ADDRESS}/history`,
  `${loan}/interest-fees`,
  `${loan}/interest-paid`,
];
/** No season rewards the reserve, so that no time of its history can have gaps. */
const rewards = `/klend/${SOL_RESERVE}/${ZERO_ADDRESS}/rewards/history`;
const all = [...chunked, rewards, ...computed];

const unix = (day: number, hour = 0) => toUnixSeconds(BigInt(Date.UTC(2025, 9, day, hour) / 1000));

/** The samples of 2025-10-10 from 06:00 to 18:00 are missing. */
async function startWithGap() {
  const api = await startHistoryApi();
  await api.writer.append({
    gaps: [{ name: 'sampler', since: unix(10, 6), until: unix(10, 18) }],
    obligationStates: [loanState({ at: unix(1), slot: 370_000_000n })],
  });
  return api;
}

describe('every history', () => {
  test('lists the gaps of its range, cut to it', async () => {
    const { get } = await startWithGap();
    for (const path of [...chunked, ...computed]) {
      const gapsOf = async (range: string) => (await get(`${path}?${range}`)).headers.get('x-gaps');
      expect(await gapsOf('start=2025-10-09&end=2025-10-12'), path).toBe(
        '2025-10-10T06:00:00.000Z/2025-10-10T18:00:00.000Z',
      );
      expect(await gapsOf('start=2025-10-10T12:00:00Z&end=2025-10-10T15:00:00Z'), path).toBe(
        '2025-10-10T12:00:00.000Z/2025-10-10T15:00:00.000Z',
      );
      expect(await gapsOf('start=2025-10-11&end=2025-10-12'), path).toBeNull();
    }
  });

  test('names both bounds of an invalid range', async () => {
    const { get } = await startWithGap();
    for (const path of all) {
      const { status, body } = await get(`${path}?start=then&end=later`);
      const { details } = body as { details: { path: string[] }[] };
      expect([status, details.map((issue) => issue.path)], path).toEqual([
        400,
        [['start'], ['end']],
      ]);
    }
  });

  test('is unavailable where nothing is recorded', async () => {
    const { get } = await startApi({ clusters: createClusters([staticCluster()]) });
    for (const path of all) {
      const { status, body } = await get(path);
      const error = 'No history of localnet is recorded yet. Retry in 5 s.';
      expect([status, body], path).toEqual([503, { error }]);
    }
  });

  test('is empty before the first point', async () => {
    const { get } = await startWithGap();
    for (const path of [...chunked, rewards, ...computed.slice(0, 5)]) {
      const { status, body } = await get(`${path}?start=2020-01-01&end=2020-02-01`);
      const points = Array.isArray(body) ? body : (body as { history: unknown[] }).history;
      expect([status, points], path).toEqual([200, []]);
    }
  });
});

describe('every history that is cached in chunks', () => {
  test('has an entity tag of its range', async () => {
    const { get } = await startWithGap();
    for (const path of [...chunked, rewards]) {
      const etagOf = async (range: string) => (await get(`${path}?${range}`)).headers.get('etag');
      const etag = (await etagOf('start=2020-01-01&end=2020-02-01')) ?? '';
      const headers = { 'if-none-match': etag };
      const again = await get(`${path}?start=2020-01-01&end=2020-02-01`, headers);
      expect([again.status, again.body], path).toEqual([304, undefined]);
      expect(await etagOf('start=2020-01-02&end=2020-02-01'), path).not.toBe(etag);
    }
  });
});
