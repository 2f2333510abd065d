import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { parseDecimal } from '#core/base/numbers/decimal.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import type { Season } from '#core/views/rewards/seasons/season.ts';
import { deriveSeasonSubject } from '#server/history/rows/season-subject.ts';
import type { SeriesPoint } from '#server/history/schema/series-tables.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import {
  goldenReservePoint,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../support/history/reserve-history-rows.ts';
import { numberedAddress } from '../../support/protocol/codecs.ts';

const HOUR = 3_600n;
const { at: now, accounts } = goldenCluster();
/** Start of the last complete hour. */
const LAST_HOUR = now.unix - (now.unix % HOUR) - HOUR;
const START = LAST_HOUR - HOUR;
/** Not in the golden cluster. */
const WALLET = numberedAddress(4_711);
const LOAN = numberedAddress(4_712);
const TOKEN = numberedAddress(4_713);
const NO_RESERVE = ZERO_ADDRESS;

const season = (changes: Partial<Season> = {}): Season => ({
  source: 'Season1',
  start: toUnixSeconds(START),
  end: toUnixSeconds(now.unix + 10n * HOUR),
  rewards: [
    {
      depositReserve: USDC_RESERVE,
      rewardToken: TOKEN,
      tokensPerSecond: parseDecimal('2'),
      from: toUnixSeconds(START),
      to: toUnixSeconds(now.unix + 10n * HOUR),
    },
  ],
  boosts: [],
  maxBoost: parseDecimal('1'),
  ...changes,
});

const whole = (value: bigint) => ({ numerator: value, denominator: 1n });
const slotAt = (at: bigint): bigint => now.slot - ((now.unix - at) * 5n) / 2n;

/** Samples of the reserve, where a cToken is worth one token, and of the value of all its deposits. */
const sampleAt = (at: bigint, positionsUsd: bigint, source = 'Season1'): SeriesPoint[] => [
  goldenReservePoint({
    reserve: USDC_RESERVE,
    at,
    slot: slotAt(at),
    resolution: 'hour',
    available: 1_000_000_000_000n,
  }),
  {
    kind: 'reward',
    resolution: 'hour',
    mint: TOKEN,
    issued: 0n,
    priceSf: null,
    subject: deriveSeasonSubject(source, { depositReserve: USDC_RESERVE }),
    at: toUnixSeconds(at),
    slot: toSlot(slotAt(at)),
    rate: at < START ? whole(0n) : whole(2n),
    positionsUsd: whole(positionsUsd),
    apr: { numerator: at - START, denominator: 1_000n },
  },
];

const anyLoan = [...accounts.values()].find((account) => obligation.matches(account));
if (anyLoan === undefined) throw new Error('no golden loan');
const template = obligation.decode(anyLoan);

/** State of the wallet’s loan with a USDC deposit; undefined for a closed loan. */
function loanAt(at: bigint, usdc: bigint | undefined, wallet = WALLET) {
  const unused = { depositReserve: NO_RESERVE, depositedAmount: 0n };
  const deposits = template.deposits.map((deposit, i) =>
    i === 0
      ? { ...deposit, depositReserve: USDC_RESERVE, depositedAmount: (usdc ?? 0n) * 1_000_000n }
      : { ...deposit, ...unused },
  );
  const borrows = template.borrows.map((borrow) => ({
    ...borrow,
    borrowReserve: unused.depositReserve,
  }));
  const data = obligation.encode({ ...template, owner: wallet, deposits, borrows });
  return {
    obligation: LOAN,
    wallet,
    slot: toSlot(slotAt(at)),
    at: toUnixSeconds(at),
    deflated: usdc === undefined ? null : deflateRawSync(data),
  };
}

type UserRewards = {
  readonly avgBaseApy: string;
  readonly rewards: readonly Record<string, string | null>[];
};

const startSeason = (...seasons: readonly Season[]) =>
  startHistoryApi({ registry: createRegistry({ ...emptyRegistry, seasons }) });

const PATH = `/klend/users/${WALLET}/rewards`;

/** Sample times: one minute before the start, in the first hour, in the last complete hour. */
const [BEFORE, FIRST, SECOND] = [START - 60n, START + 3_540n, LAST_HOUR + 3_540n];

describe('rewards of a wallet', () => {
  test('are its part of the rewards, by the positions at the last sample of each hour', async () => {
    const { get, writer } = await startSeason(season());
    await writer.append({
      points: [
        ...sampleAt(BEFORE, 1_000n),
        ...sampleAt(FIRST, 500n),
        ...sampleAt(SECOND, 800n),
        // in the current hour
        ...sampleAt(now.unix - 1n, 1n),
      ],
      obligationStates: [loanAt(BEFORE - 5n, 250n), loanAt(FIRST + 1n, 200n), loanAt(now.unix, 7n)],
    });
    const { body } = await get(PATH);
    const { rewards } = body as UserRewards;
    // a quarter for 3,540 s, a half for one hour, then a quarter; two tokens per second
    const earned = (3_540n * 2n) / 4n + (3_600n * 2n) / 2n + ((now.unix - SECOND) * 2n) / 4n;
    const half = ((now.unix - SECOND) * 2n) % 4n === 2n ? '.5' : '';
    expect(rewards).toHaveLength(1);
    expect(rewards[0]).toMatchObject({
      depositReserve: USDC_RESERVE,
      borrowReserve: null,
      rewardMint: TOKEN,
      tokensEarned: `${earned}${half}`,
      // no current position, and no price of the token
      tokensPerSecond: '0',
      baseApy: '0',
      usdAmount: '0',
      stakingBoost: '0',
    });
  });

  test('stop when the position ends, and exclude loans of other wallets', async () => {
    const { get, writer } = await startSeason(season());
    const other = numberedAddress(4_714);
    await writer.append({
      points: [
        ...sampleAt(BEFORE, 1_000n),
        ...sampleAt(FIRST, 1_000n),
        ...sampleAt(SECOND, 1_000n),
      ],
      obligationStates: [
        loanAt(BEFORE - 5n, 500n),
        loanAt(FIRST, 500n, other),
        loanAt(SECOND, undefined, other),
      ],
    });
    const earnedBy = async (wallet: string) =>
      ((await get(`/klend/users/${wallet}/rewards`)).body as UserRewards).rewards.map(
        ({ tokensEarned }) => tokensEarned,
      );
    expect(await earnedBy(WALLET)).toEqual(['3540']);
    expect(await earnedBy(other)).toEqual(['3600']);
    expect(await earnedBy(numberedAddress(4_715))).toEqual([]);
  });

  test('include a boost from its start, up to the cap of the season', async () => {
    const boosts = [
      { wallet: WALLET, stakingBoost: parseDecimal('3'), from: toUnixSeconds(START + 540n) },
    ];
    const { get, writer } = await startSeason(season({ boosts, maxBoost: parseDecimal('0.5') }));
    await writer.append({
      points: [...sampleAt(BEFORE, 1_000n), ...sampleAt(FIRST, 1_000n)],
      obligationStates: [loanAt(BEFORE, 500n), loanAt(FIRST, undefined)],
    });
    const { rewards } = (await get(PATH)).body as UserRewards;
    expect(rewards[0]).toMatchObject({
      tokensEarned: '3540',
      stakingBoost: '3',
      effectiveStakingBoost: '0.5',
    });
    // 3,540 tokens plus half of 3,000
    expect((await get(`/season-rewards/users/${WALLET}`)).body).toEqual({
      wallet: WALLET,
      totalRewards: { amount: '5040', tokenMint: TOKEN },
    });
  });

  test('times without samples are in x-gaps', async () => {
    const { get, writer } = await startSeason(season());
    const gap = { since: toUnixSeconds(START - 10n), until: toUnixSeconds(START + 20n) };
    await writer.append({ gaps: [{ name: 'sampler', ...gap }] });
    const iso = (unix: bigint) => new Date(Number(unix) * 1000).toISOString();
    for (const path of [
      PATH,
      `/kvaults/users/${WALLET}/rewards`,
      `/season-rewards/users/${WALLET}`,
    ]) {
      const { status, headers } = await get(path);
      expect([status, headers.get('x-gaps')]).toEqual([200, `${iso(START)}/${iso(START + 20n)}`]);
    }
  });
});

const HISTORY = `/klend/${USDC_RESERVE}/${NO_RESERVE}/rewards/history`;

describe('reward history', () => {
  test('has the rate of the last sample until each full hour with rewards', async () => {
    const { get, writer } = await startSeason(season());
    await writer.append({
      points: [...sampleAt(BEFORE, 9n), ...sampleAt(FIRST, 9n), ...sampleAt(SECOND, 9n)],
    });
    const iso = (unix: bigint) => new Date(Number(unix) * 1000).toISOString();
    const point = (bucket: bigint, rewardApy: string) => ({
      timestamp: iso(bucket),
      depositReserve: USDC_RESERVE,
      borrowReserve: null,
      rewardToken: TOKEN,
      rewardApy,
    });
    const all = [point(LAST_HOUR, '3.54'), point(LAST_HOUR + HOUR, '7.14')];
    expect((await get(`${HISTORY}?frequency=hour`)).body).toEqual(all);
    expect((await get(`${HISTORY}?start=${iso(LAST_HOUR + 1n)}`)).body).toEqual(all.slice(1));
    expect((await get(`${HISTORY}?end=${iso(LAST_HOUR + HOUR)}&frequency=hour`)).body).toEqual(
      all.slice(0, 1),
    );
    // the current hour has not ended
    await writer.append({ points: sampleAt(now.unix, 9n) });
    expect((await get(`${HISTORY}?frequency=hour&end=2100-01-01`)).body).toEqual(all);
    expect((await get(`${HISTORY}?start=2030-01-01&end=2020-01-01`)).body).toEqual([]);
    expect((await get(`/klend/${SOL_RESERVE}/${NO_RESERVE}/rewards/history`)).body).toEqual([]);
    expect((await get(`/klend/${NO_RESERVE}/${USDC_RESERVE}/rewards/history`)).body).toEqual([]);
  });

  test('without a frequency, a range of more than 30 days is daily', async () => {
    const { get, writer } = await startSeason(season());
    await writer.append({ points: [...sampleAt(FIRST, 9n), ...sampleAt(SECOND, 9n)] });
    const times = async (query: string) =>
      ((await get(`${HISTORY}${query}`)).body as { timestamp: string }[]).map(({ timestamp }) =>
        timestamp.slice(11, 13),
      );
    const hour = (unix: bigint) => new Date(Number(unix) * 1000).toISOString().slice(11, 13);
    const daysAgo = (days: bigint) => `?start=${(now.unix - days * 86_400n) * 1000n}`;
    expect(await times(daysAgo(30n))).toEqual([hour(LAST_HOUR), hour(LAST_HOUR + HOUR)]);
    // the day has not ended
    expect(await times(daysAgo(31n))).toEqual([]);
    expect(await times('')).toEqual([]);
  });

  test('adds up simultaneous seasons with the same token', async () => {
    const { get, writer } = await startSeason(season({ source: 'Other' }), season());
    await writer.append({ points: [...sampleAt(FIRST, 9n), ...sampleAt(FIRST, 9n, 'Other')] });
    const { body } = await get(`${HISTORY}?frequency=hour`);
    expect((body as { rewardApy: string }[]).map(({ rewardApy }) => rewardApy)).toEqual(['7.08']);
  });

  test('invalid requests return 400 with the reason', async () => {
    const { get } = await startSeason(season({ start: toUnixSeconds(now.unix - 400n * 86_400n) }));
    const issues = async (path: string) => {
      const { status, body } = await get(path);
      const { details } = body as { details: { path: string[]; message: string }[] };
      return [status, details.map(({ path: [name], message }) => `${name}: ${message}`).join()];
    };
    expect(await issues(`/klend/${NO_RESERVE}/${NO_RESERVE}/rewards/history`)).toEqual([
      400,
      'depositReservePubkey: at least one of depositReservePubkey and borrowReservePubkey must be a reserve',
    ]);
    expect(await issues(`${HISTORY}?frequency=minute`)).toEqual([
      400,
      expect.stringContaining('frequency: '),
    ]);
    expect(await issues(`${HISTORY}?start=1700000000`)).toEqual([
      400,
      expect.stringContaining('looks like epoch seconds'),
    ]);
    expect(await issues(`${HISTORY}?frequency=hour`)).toEqual([
      400,
      expect.stringMatching(/must not exceed 366 days\. Use start=.*, or frequency=day$/),
    ]);
  });
});
