import { expect, test } from 'vitest';
import {
  delegatedFarm,
  farmWith,
  rewardWith,
  schedule,
} from '../../../../../test/support/farms/farm-accounts.ts';
import { toAddress, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { formatRatio, type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { toSlot, toUnixSeconds } from '../../base/time.ts';
import type { TokenLookup } from '../lending/token-prices.ts';
import { totalApr, viewFarmRewards } from './farm-rewards.ts';

const MINT = toAddress('KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS');
const OTHER = toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

const at = { slot: toSlot(1000n), unix: toUnixSeconds(1000n) };
const twoDollars: TokenLookup = (mint) =>
  mint === MINT ? { symbol: 'KMNO', price: ratio(2n, 1n) } : undefined;

const token = (mint = MINT) => ({
  mint,
  decimals: 6n,
  tokenProgram: ZERO_ADDRESS,
  padding: new Uint8Array(48),
});

/** 1.5 USD for a token of 6 decimals. */
const unitPrice = ratio(3n, 2_000_000n);
const terms = {
  at,
  slotMs: ratio(400n, 1n),
  prices: () => undefined,
  tokens: twoDollars,
  unitPrice,
};

const text = (value: Ratio | undefined) => value && formatRatio(value, 20);

/** The example of MATH 11: 150 with 2 decimals, 5 tokens staked at 1.5 USD, reward at 2 USD. */
const example = rewardWith({
  token: token(),
  rewardsPerSecondDecimals: 2,
  rewardScheduleCurve: schedule([0n, 150n]),
});

test('the yearly rate of the reference example is 12.6144', () => {
  const farm = farmWith({ totalStakedAmount: toLamports(5_000_000n) }, [example]);
  const [reward] = viewFarmRewards(farm, terms);
  expect(reward?.mint).toBe(MINT);
  expect(text(reward?.perSecond)).toBe('0.0000015');
  expect(text(reward?.apr)).toBe('12.6144');
});

test('in a delegated farm the stake is the plain number that counts', () => {
  const farm = delegatedFarm({ totalActiveStakeScaled: 5_000_000n }, [example]);
  expect(text(totalApr(viewFarmRewards(farm, terms)))).toBe('12.6144');
});

test('a farm that counts slots pays by how long they really take', () => {
  const fields = { totalStakedAmount: toLamports(5_000_000n), timeUnit: 1 };
  const farm = farmWith(fields, [example]);
  expect(text(totalApr(viewFarmRewards(farm, terms)))).toBe('31.536'); // 2.5 slots a second
});

test('rewards add up, and one without a known price is worth nothing', () => {
  const farm = farmWith({ totalStakedAmount: toLamports(5_000_000n) }, [
    example,
    { ...example, token: token(OTHER) },
    example,
  ]);
  const rewards = viewFarmRewards(farm, terms);
  expect(rewards.map(({ apr }) => text(apr))).toEqual(['12.6144', '0', '12.6144']);
  expect(text(totalApr(rewards))).toBe('25.2288');
});

test('nothing staked, nothing left, or an oracle that is not there: no rate, and no failure', () => {
  const staked = { totalStakedAmount: toLamports(5_000_000n) };
  const none = farmWith({}, [example]);
  const empty = farmWith(staked, [{ ...example, rewardsAvailable: toLamports(0n) }]);
  const blind = farmWith({ ...staked, scopeOraclePriceId: 3n }, [example]);
  const wide = farmWith(staked, [{ ...example, token: { ...token(), decimals: 40n } }]);
  for (const farm of [none, empty, blind, wide]) {
    expect(text(totalApr(viewFarmRewards(farm, terms)))).toBe('0');
  }
});
