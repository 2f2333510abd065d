import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { LOAN, LOAN_OWNER } from '../../support/history/loan-history-rows.ts';
import { GOLDEN_MARKET, SOL_RESERVE } from '../../support/history/reserve-history-rows.ts';

const HOUR = 3_600n;
const iso = (unix: bigint) => new Date(Number(unix) * 1000).toISOString();

/** The current time of the cluster. */
async function startWith(gap: { readonly name: string; readonly reachedBefore: bigint }) {
  const api = await startHistoryApi();
  const { body } = await api.get('/status');
  const [{ blockTime }] = (body as { clusters: [{ blockTime: string }] }).clusters;
  const now = BigInt(Date.parse(blockTime) / 1000);
  const since = toUnixSeconds(now - 10n * HOUR);
  const until = toUnixSeconds(now - 9n * HOUR);
  await api.writer.append({
    gaps: [{ name: gap.name, since, until }],
    checkpoint: {
      name: 'events',
      direction: 'newer',
      slot: toSlot(1n),
      at: toUnixSeconds(now - gap.reachedBefore),
    },
  });
  const post = async (path: string, body: unknown) =>
    await fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { ...api, post, now, gaps: `${iso(since)}/${iso(until)}` };
}

const PLACE_LIST = `/farms/${SOL_RESERVE}/transactions`;

/** Lists of positions, which are loaded with the request. */
const positionLists = [
  `/kvaults/users/${LOAN_OWNER}/transactions`,
  `/farms/users/${LOAN_OWNER}/transactions`,
  `/v2/svc-market/${GOLDEN_MARKET}/obligations/${LOAN}/transactions`,
  `/v2/svc-market/users/${LOAN_OWNER}/transactions`,
  `/v2/svc-market/${GOLDEN_MARKET}/users/${LOAN_OWNER}/transactions`,
];

const lists = [...positionLists, PLACE_LIST];

const queries = [
  '/kvaults/transactions',
  `/kvaults/vaults/${SOL_RESERVE}/transactions`,
  `/v2/svc-market/${GOLDEN_MARKET}/transactions`,
];

test('transaction lists report gaps in recorded events, except those of loaded positions', async () => {
  const { get, post, now, gaps } = await startWith({ name: 'events', reachedBefore: 0n });
  expect((await get(PLACE_LIST)).headers.get('x-gaps')).toBe(gaps);
  for (const path of positionLists) {
    expect((await get(path)).headers.get('x-gaps'), path).toBeNull();
  }
  for (const path of queries) {
    const whole = await post(path, { instruction: 'deposit' });
    expect(whole.headers.get('x-gaps'), path).toBe(gaps);
    const part = await post(path, { instruction: 'deposit', start: iso(now - 8n * HOUR) });
    expect([part.status, part.headers.get('x-gaps')], path).toEqual([200, null]);
    const ended = await post(path, { instruction: 'deposit', end: iso(now - 10n * HOUR) });
    expect(ended.headers.get('x-gaps'), path).toBe(null);
  }
  expect((await get('/v2/staking-yields')).headers.get('x-gaps')).toBe(null);
});

test('events that are not recorded yet are reported as a gap', async () => {
  const { get, now, gaps } = await startWith({ name: 'sampler', reachedBefore: HOUR });
  for (const path of lists) {
    expect((await get(path)).headers.get('x-gaps')).toBe(`${iso(now - HOUR)}/${iso(now)}`);
  }
  // based on samples, not on events
  for (const path of [
    '/v2/staking-yields',
    '/v2/staking-yields/mean',
    '/v2/staking-yields/median',
  ]) {
    expect((await get(path)).headers.get('x-gaps'), path).toBe(gaps);
  }
});

test('the time before the first recorded event is a gap, unless nothing is missing', async () => {
  const api = await startHistoryApi();
  const path = PLACE_LIST;
  const append = (slot: bigint, at: bigint) =>
    api.writer.append({
      checkpoint: {
        name: 'events-since',
        direction: 'older',
        slot: toSlot(slot),
        at: toUnixSeconds(at),
      },
    });
  expect((await api.get(path)).headers.get('x-gaps')).toBeNull();
  await append(500n, 1_700_000_000n);
  const gap = '1970-01-01T00:00:00.000Z/2023-11-14T22:13:20.000Z';
  expect((await api.get(path)).headers.get('x-gaps')).toBe(gap);
  await append(0n, 0n);
  expect((await api.get(path)).headers.get('x-gaps')).toBeNull();
});
