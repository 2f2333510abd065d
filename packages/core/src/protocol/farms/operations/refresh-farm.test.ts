import { expect, test } from 'vitest';
import {
  delegatedFarm,
  farmWith,
  rewardWith,
  timeAtUnix,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { TOKEN_PROGRAM } from '../../spl/programs.ts';
import { refreshFarm, skipUnstakedTime } from './refresh-farm.ts';

const moment = { at: timeAtUnix(1_010n) };
const reward = rewardWith({ lastIssuanceTs: 1_000n });

test('a refresh brings the rewards in use to date and leaves the free places alone', () => {
  const stake = { totalActiveStakeScaled: 100n, totalStakedAmount: toLamports(100n) };
  const farm = { ...delegatedFarm(stake, [reward, reward, reward]), numRewardTokens: 2n };
  const { rewardInfos } = refreshFarm(farm, moment);
  const issued = rewardInfos.map(({ rewardsIssuedCumulative }) => rewardsIssuedCumulative);
  expect(issued.slice(0, 3)).toEqual([100n, 100n, 0n]);
  expect(rewardInfos[2]).toEqual(reward);
});

test('a refresh marks a delegated farm and takes the token program off it', () => {
  const token = { ...farmWith().token, tokenProgram: TOKEN_PROGRAM };
  const delegated = refreshFarm(delegatedFarm({ token }), moment);
  expect(delegated).toMatchObject({ isFarmDelegated: 1, token: { tokenProgram: ZERO_ADDRESS } });
  const normal = refreshFarm(farmWith({ token, isFarmDelegated: 1 }), moment);
  expect(normal).toMatchObject({ isFarmDelegated: 0, token: { tokenProgram: TOKEN_PROGRAM } });
});

test('time without any tokens is skipped, also where shares are left', () => {
  const slashed = farmWith({ totalActiveStakeScaled: 5n }, [reward]);
  expect(skipUnstakedTime(slashed, moment).rewardInfos[0]?.lastIssuanceTs).toBe(1_010n);
  const staked = farmWith({ totalStakedAmount: toLamports(1n) }, [reward]);
  expect(skipUnstakedTime(staked, moment)).toBe(staked);
});
