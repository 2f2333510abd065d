import { expect, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { uniqueAddress } from '../../support/history/history-rows.ts';

const HOUR = 3_600n;
const now = goldenReader().at();

/** The last full hour before the present. */
const LAST = now.unix - (now.unix % HOUR);

const sample = (subject: SeriesPoint['subject'], hoursAgo: bigint, usd: number): SeriesPoint => ({
  kind: 'price',
  resolution: 'hour',
  subject,
  at: toUnixSeconds(LAST - hoursAgo * HOUR),
  slot: toSlot(now.slot - hoursAgo * 9_000n),
  priceSf: BigInt(usd) << 60n,
});

const iso = (hoursAgo: bigint) => new Date(Number(LAST - hoursAgo * HOUR) * 1000).toISOString();

async function startWithPrices() {
  const [token, other] = [uniqueAddress(), uniqueAddress()];
  const { get, writer } = await startHistoryApi();
  const points = [
    // more than a year ago
    sample(token, 366n * 24n, 1_000),
    sample(token, 50n, 200),
    sample(token, 49n, 150),
    sample(token, 10n, 120),
    sample(token, 0n, 240),
    sample(other, 50n, 100),
    sample(other, 49n, 75),
    sample(other, 0n, 100),
  ];
  await writer.append({ points });
  return { get, token, other };
}

test('the largest moves within an hour, a day and a week, and how often they happened', async () => {
  const { get, token } = await startWithPrices();
  const { status, body } = await get(`/prices/${token}/moves?size=0.2`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    mint: token,
    against: null,
    size: '0.2',
    sampledHours: 4,
    firstSample: iso(50n),
  });
  const hourly = { change: '-0.25', start: iso(50n), end: iso(49n) };
  const rise = { change: '1', start: iso(10n), end: iso(0n) };
  expect((body as { windows: unknown }).windows).toEqual([
    { hours: 1, largestFall: hourly, largestRise: null, falls: 1, rises: 0 },
    { hours: 24, largestFall: hourly, largestRise: rise, falls: 1, rises: 1 },
    {
      hours: 168,
      largestFall: { change: '-0.4', start: iso(50n), end: iso(10n) },
      largestRise: rise,
      falls: 2,
      rises: 1,
    },
  ]);
});

test('against another token only their ratio moves, at hours that both have', async () => {
  const { get, token, other } = await startWithPrices();
  const { body } = await get(`/prices/${token}/moves?against=${other}&size=0.5`);
  expect(body).toMatchObject({ against: other, sampledHours: 3 });
  // 2, 2 and 2.4
  const rise = { change: '0.2', start: iso(49n), end: iso(0n) };
  expect((body as { windows: unknown[] }).windows[2]).toEqual({
    hours: 168,
    largestFall: null,
    largestRise: rise,
    falls: 0,
    rises: 0,
  });
});

test('a token without recorded prices has no moves, and a size is a plain fraction', async () => {
  const { get, token } = await startWithPrices();
  const { body } = await get(`/prices/${uniqueAddress()}/moves`);
  expect(body).toMatchObject({ size: '0.1', sampledHours: 0, firstSample: null });
  const nothing = { largestFall: null, largestRise: null, falls: null, rises: null };
  expect((body as { windows: unknown[] }).windows).toEqual(
    [1, 24, 168].map((hours) => ({ hours, ...nothing })),
  );
  expect((await get(`/prices/${token}/moves?size=-1`)).status).toBe(400);
});
