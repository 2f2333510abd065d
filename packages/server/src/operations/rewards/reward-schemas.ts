import { Type } from 'typebox';
import { describe } from '../../http/schemas/describe.ts';
import { AddressString } from '../../http/schemas/primitives.ts';

const NullableAddress = Type.Union([AddressString, Type.Null()]);

/** A reward for deposits has no borrow reserve, one for debts no deposit reserve. */
export const rewardReserves = {
  depositReserve: describe(
    NullableAddress,
    'Reserve of the rewarded deposit; null for a reward of debts only',
  ),
  borrowReserve: describe(
    NullableAddress,
    'Reserve of the rewarded debt; null for a reward of deposits only',
  ),
};

export const SEASON_RATES_DESCRIPTION =
  'tokensPerSecond is in whole tokens, for all positions together. apy is the yearly reward at the current price divided by the value of the positions, not compounded. Both are 0 while the reward is not paid; apy is also 0 if the token has no price.';
