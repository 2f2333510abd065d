import { expect, test } from 'vitest';
import type { Ratio } from '#core/base/numbers/decimal.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import type { Season } from '#core/views/rewards/seasons/season.ts';
import { createVaultViewContext, snapshotVault } from '#core/views/vaults/vault-snapshot.ts';
import { deriveSeasonSubject } from '#server/history/rows/season-subject.ts';
import { sampleSeasons } from '#server/indexer/sampling/sample-seasons.ts';
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

const { book, loans, season, price, lent } = goldenSeason();
const reader = goldenReader();
const terms = createVaultViewContext(reader, () =>
  reader.markets().flatMap(({ address }) => reader.reservesOf(address)),
);
const taken = { resolution: 'minute', at: book.at } as const;
const sampled = (...seasons: readonly Season[]) =>
  sampleSeasons({ reader, registry: { seasons } }, reader, { taken, terms });

const wide = ({ numerator, denominator }: Ratio): Decimal50 => toDecimal50(numerator, denominator);

/** Both within a part of 10^12. */
const expectNear = (told: Decimal50, expected: Decimal50): void => {
  const off = told > expected ? told - expected : expected - told;
  expect(off * 10n ** 12n).toBeLessThanOrEqual(expected);
};

const pointOf = (sides: Season['rewards'][number]) => {
  const subject = deriveSeasonSubject(season.source, sides);
  const found = sampled(season).filter((point) => point.subject === subject);
  expect(found).toHaveLength(1);
  const [point] = found;
  if (point === undefined) throw new Error('no point');
  return point;
};

test('a reward for loans is over the value of all that have the deposit, the debt, or both', () => {
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

test('a reward for a vault is over the value of its shares', () => {
  const reward = season.rewards.find(({ vault }) => vault !== undefined);
  const held = reward?.vault && reader.vault(reward.vault);
  const now = held && snapshotVault(held, terms);
  if (reward === undefined || now?.tokenPrice === undefined) throw new Error('no vault');
  const { sharesIssued, sharesMintDecimals } = now.fields;
  const shares = toDecimal50(sharesIssued, 10n ** sharesMintDecimals);
  const usd = multiply(multiply(shares, wide(now.tokensPerShare)), wide(now.tokenPrice));
  expectNear(wide(pointOf(reward).positionsUsd), usd);
});

test('points are of the moment, and have an address that no account has', () => {
  for (const point of sampled(season)) {
    expect(point).toMatchObject({ at: book.at.unix, slot: book.at.slot, resolution: 'minute' });
    expect(point.issued).toBe(0n);
    expect(book.accounts.has(point.subject)).toBe(false);
  }
  expect(sampled(season)).toHaveLength(season.rewards.length);
});

test('a season is looked at from a day before it on, and pays nothing then; nothing is kept after it', () => {
  const shifted = (start: bigint, end: bigint) => {
    const [from, to] = [toUnixSeconds(book.at.unix + start), toUnixSeconds(book.at.unix + end)];
    return sampled({ ...season, start: from, end: to });
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

test('what is not known is left out, and leaves the others as they are', () => {
  const [first, ...others] = season.rewards;
  if (first === undefined) throw new Error('no reward');
  const rewards = [{ ...first, vault: lent }, ...others];
  expect(sampled({ ...season, rewards })).toEqual(
    sampled(season).filter(({ subject }) => subject !== deriveSeasonSubject(season.source, first)),
  );
});

test('seasons and sides have series of their own', () => {
  const subjects = season.rewards.flatMap((reward) =>
    ['Golden', 'Other'].map((source) => deriveSeasonSubject(source, reward)),
  );
  expect(new Set(subjects).size).toBe(2 * season.rewards.length);
  expect(deriveSeasonSubject('Golden', { depositReserve: lent })).not.toBe(
    deriveSeasonSubject('Golden', { borrowReserve: lent }),
  );
});
