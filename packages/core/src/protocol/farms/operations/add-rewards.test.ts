import { expect, test } from 'vitest';
import { programErrorName } from '../../../../../../test/support/errors/program-error-name.ts';
import {
  DELEGATE_AUTHORITY,
  farmWith,
  rewardWith,
  timeAtUnix,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { WAD } from '../../../base/numbers/decimal-wad.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { addRewards } from './add-rewards.ts';

const staked = { totalActiveStakeScaled: 100n * WAD, totalStakedAmount: toLamports(100n) };
const moment = { at: timeAtUnix(1_010n) };
const topUp = { rewardIndex: 0, rewardMint: ZERO_ADDRESS, amount: 7n };

test('what is added comes on top of what is left, and the time before it earned by what was there', () => {
  const poor = rewardWith({ lastIssuanceTs: 1_000n, rewardsAvailable: toLamports(30n) });
  const farm = addRewards(farmWith(staked, [poor]), topUp, moment);
  // ten seconds at ten a second, of which there were thirty
  expect(farm.rewardInfos[0]).toMatchObject({
    rewardsAvailable: 7n,
    rewardsIssuedUnclaimed: 30n,
    lastIssuanceTs: 1_010n,
  });
});

test('a reward of another mint, or none, is not added to', () => {
  const farm = farmWith(staked, [rewardWith({ lastIssuanceTs: 1_000n })]);
  const other = { ...topUp, rewardMint: DELEGATE_AUTHORITY };
  expect(programErrorName(() => addRewards(farm, other, moment))).toBe('RewardDoesNotExist');
  const none = { ...topUp, rewardIndex: 10 };
  expect(programErrorName(() => addRewards(farm, none, moment))).toBe('RewardDoesNotExist');
});

test('a farm has no more to give than 64 bits', () => {
  const full = rewardWith({ lastIssuanceTs: 1_010n, rewardsAvailable: toLamports(U64_MAX - 6n) });
  const farm = farmWith(staked, [full]);
  expect(programErrorName(() => addRewards(farm, topUp, moment))).toBe('IntegerOverflow');
  const { rewardInfos } = addRewards(farm, { ...topUp, amount: 6n }, moment);
  expect(rewardInfos[0]?.rewardsAvailable).toBe(U64_MAX);
});
