import { expect, test } from 'vitest';
import type { Ratio } from '#core/base/numbers/decimal.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { selectListedReserves } from '#core/views/lending/listed-markets.ts';
import type { Season } from '#core/views/rewards/seasons/season.ts';
import { createVaultViewContext, snapshotVault } from '#core/views/vaults/vault-snapshot.ts';
import { deriveSeasonSubject } from '#server/history/rows/season-subject.ts';
import { sampleSeasons } from '#server/indexer/sampling/sample-seasons.ts';
import { emptyRegistry } from '#server/registry/registry.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import {
  goldenSeason,
  referenceApy,
  referenceEligible,
} from '../../support/reference/golden-season.ts';
import {
  type Decimal50,
  multiply,
  sum,
  toDecimal50,
} from '../../support/reference/reference-lending.ts';

const { reference, loans, season, price, lent } = goldenSeason();
const reader = goldenReader();
const valuation = createVaultViewContext(reader, () =>
  selectListedReserves({ reader, registry: emptyRegistry }),
);
const sampleTime = { resolution: 'minute', at: reference.at } as const;
const sample = (...seasons: readonly Season[]) =>
  sampleSeasons({ reader, registry: { seasons } }, reader, { sampleTime, valuation });

const wide = ({ numerator, denominator }: Ratio): Decimal50 => toDecimal50(numerator, denominator);

/** Equal within one part in 10^12. */
const expectNear = (actual: Decimal50, expected: Decimal50): void => {
  const difference = actual > expected ? actual - expected : expected - actual;
  expect(difference * 10n ** 12n).toBeLessThanOrEqual(expected);
};

const pointOf = (reward: Season['rewards'][number]) => {
  const subject = deriveSeasonSubject(season.source, reward);
  const found = sample(season).filter((point) => point.subject === subject);
  expect(found).toHaveLength(1);
  const [point] = found;
  if (point === undefined) throw new Error('no point');
  return point;
};

test('the rate of a loan reward is based on the value of all loans with the deposit, the debt, or both', () => {
  for (const reward of season.rewards.filter(({ vault }) => vault === undefined)) {
    const point = pointOf(reward);
    const eligible = sum(loans.map(({ loan }) => referenceEligible(loan, reward)));
    expect(eligible).toBeGreaterThan(0n);
    expectNear(wide(point.positionsUsd), eligible);
    const perSecond = wide(reward.tokensPerSecond);
    expect(wide(point.rate)).toBe(perSecond);
    expectNear(wide(point.apr), referenceApy(perSecond, price, eligible));
    expectNear(toDecimal50(point.priceSf ?? 0n, 2n ** 60n), price);
  }
});

test('the rate of a vault reward is based on the value of its shares', () => {
  const reward = season.rewards.find(({ vault }) => vault !== undefined);
  const account = reward?.vault && reader.vault(reward.vault);
  const now = account && snapshotVault(account, valuation);
  if (reward === undefined || now?.tokenPrice === undefined) throw new Error('no vault');
  const { sharesIssued, sharesMintDecimals } = now.fields;
  const shares = toDecimal50(sharesIssued, 10n ** sharesMintDecimals);
  const usd = multiply(multiply(shares, wide(now.tokensPerShare)), wide(now.tokenPrice));
  expectNear(wide(pointOf(reward).positionsUsd), usd);
});

test('points have the sample time and a subject that is not an account', () => {
  for (const point of sample(season)) {
    expect(point).toMatchObject({
      at: reference.at.unix,
      slot: reference.at.slot,
      resolution: 'minute',
    });
    expect(point.issued).toBe(0n);
    expect(reference.accounts.has(point.subject)).toBe(false);
  }
  expect(sample(season)).toHaveLength(season.rewards.length);
});

test('a season is sampled from one day before its start, with a rate of zero, until its end', () => {
  const shifted = (start: bigint, end: bigint) => {
    const [from, to] = [
      toUnixSeconds(reference.at.unix + start),
      toUnixSeconds(reference.at.unix + end),
    ];
    return sample({ ...season, start: from, end: to });
  };
  expect(shifted(86_401n, 90_000n)).toEqual([]);
  expect(shifted(86_400n, 90_000n).map(({ rate, apr }) => [rate, apr])).toEqual(
    season.rewards.map(() => [
      { numerator: 0n, denominator: 1n },
      expect.objectContaining({ numerator: 0n }),
    ]),
  );
  expect(shifted(-5n, 0n)).toEqual([]);
  expect(shifted(-5n, 1n)).toHaveLength(season.rewards.length);
});

test('an unknown vault is skipped and does not affect other rewards', () => {
  const [first, ...others] = season.rewards;
  if (first === undefined) throw new Error('no reward');
  const rewards = [{ ...first, vault: lent }, ...others];
  expect(sample({ ...season, rewards })).toEqual(
    sample(season).filter(({ subject }) => subject !== deriveSeasonSubject(season.source, first)),
  );
});

test('every season and target has its own series', () => {
  const subjects = season.rewards.flatMap((reward) =>
    ['Golden', 'Other'].map((source) => deriveSeasonSubject(source, reward)),
  );
  expect(new Set(subjects).size).toBe(2 * season.rewards.length);
  expect(deriveSeasonSubject('Golden', { depositReserve: lent })).not.toBe(
    deriveSeasonSubject('Golden', { borrowReserve: lent }),
  );
});
