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
  mint === MINT ? { symbol: 'KMNO', price: ratio(2n, 1n), quote: undefined } : undefined;

const token = (mint = MINT) => ({
  mint,
  decimals: 6n,
  tokenProgram: ZERO_ADDRESS,
  padding: new Uint8Array(48),
});

/** 1.5 USD per token with 6 decimals. */
const unitPrice = ratio(3n, 2_000_000n);
const context = { at, slotMs: ratio(400n, 1n), prices: () => undefined, tokens: twoDollars };

const text = (value: Ratio | undefined) => value && formatRatio(value, 20);

/** The reference example: 150 with 2 decimals, 5 tokens staked at 1.5 USD, the reward at 2 USD. */
const example = rewardWith({
  token: token(),
  rewardsPerSecondDecimals: 2,
  rewardScheduleCurve: schedule([0n, 150n]),
});

test('the APR of the reference example is 12.6144', () => {
  const farm = farmWith({ totalStakedAmount: toLamports(5_000_000n) }, [example]);
  const [reward] = viewFarmRewards(farm, unitPrice, context);
  expect(reward?.mint).toBe(MINT);
  expect(text(reward?.perSecond)).toBe('0.0000015');
  expect(text(reward?.apr)).toBe('12.6144');
});

test('the stake of a delegated farm is not scaled', () => {
  const farm = delegatedFarm({ totalActiveStakeScaled: 5_000_000n }, [example]);
  expect(text(totalApr(viewFarmRewards(farm, unitPrice, context)))).toBe('12.6144');
});

test('a slot-based farm pays by the actual slot duration', () => {
  const fields = { totalStakedAmount: toLamports(5_000_000n), timeUnit: 1 };
  const farm = farmWith(fields, [example]);
  expect(text(totalApr(viewFarmRewards(farm, unitPrice, context)))).toBe('31.536'); // 2.5 slots a second
});

test('rewards add up; one without a known price counts as zero', () => {
  const farm = farmWith({ totalStakedAmount: toLamports(5_000_000n) }, [
    example,
    { ...example, token: token(OTHER) },
    example,
  ]);
  const rewards = viewFarmRewards(farm, unitPrice, context);
  expect(rewards.map(({ apr }) => text(apr))).toEqual(['12.6144', '0', '12.6144']);
  expect(text(totalApr(rewards))).toBe('25.2288');
});

test('without stake, funds, or the oracle the APR is zero', () => {
  const staked = { totalStakedAmount: toLamports(5_000_000n) };
  const unstaked = farmWith({}, [example]);
  const empty = farmWith(staked, [{ ...example, rewardsAvailable: toLamports(0n) }]);
  const withoutOracle = farmWith({ ...staked, scopeOraclePriceId: 3n }, [example]);
  const overflowing = farmWith(staked, [{ ...example, token: { ...token(), decimals: 40n } }]);
  for (const farm of [unstaked, empty, withoutOracle, overflowing]) {
    expect(text(totalApr(viewFarmRewards(farm, unitPrice, context)))).toBe('0');
  }
});
