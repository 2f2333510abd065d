import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  DELEGATE_AUTHORITY,
  farmWith,
  rewardWith,
  timeAtUnix,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { addRewards } from './rewards.ts';

const staked = { totalActiveStakeScaled: 100n * WAD, totalStakedAmount: toLamports(100n) };
const context = { at: timeAtUnix(1_010n) };
const topUp = { rewardIndex: 0, rewardMint: ZERO_ADDRESS, amount: 7n };

test('adds to the available rewards after issuing the past time from the old amount', () => {
  const poor = rewardWith({ lastIssuanceTs: 1_000n, rewardsAvailable: toLamports(30n) });
  const farm = addRewards(farmWith(staked, [poor]), topUp, context);
  // ten seconds at ten per second, limited to the thirty available
  expect(farm.rewardInfos[0]).toMatchObject({
    rewardsAvailable: 7n,
    rewardsIssuedUnclaimed: 30n,
    lastIssuanceTs: 1_010n,
  });
});

test('another mint or an unknown reward throws', () => {
  const farm = farmWith(staked, [rewardWith({ lastIssuanceTs: 1_000n })]);
  const other = { ...topUp, rewardMint: DELEGATE_AUTHORITY };
  expect(programErrorName(catchError(() => addRewards(farm, other, context)))).toBe(
    'RewardDoesNotExist',
  );
  const none = { ...topUp, rewardIndex: 10 };
  expect(programErrorName(catchError(() => addRewards(farm, none, context)))).toBe(
    'RewardDoesNotExist',
  );
});

test('available rewards above 64 bits throw', () => {
  const full = rewardWith({ lastIssuanceTs: 1_010n, rewardsAvailable: toLamports(U64_MAX - 6n) });
  const farm = farmWith(staked, [full]);
  expect(programErrorName(catchError(() => addRewards(farm, topUp, context)))).toBe(
    'IntegerOverflow',
  );
  const { rewardInfos } = addRewards(farm, { ...topUp, amount: 6n }, context);
  expect(rewardInfos[0]?.rewardsAvailable).toBe(U64_MAX);
});
