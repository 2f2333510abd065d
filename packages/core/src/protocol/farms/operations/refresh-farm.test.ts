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
import { refreshFarm, skipUnstakedTime } from './refresh.ts';

const context = { at: timeAtUnix(1_010n) };
const reward = rewardWith({ lastIssuanceTs: 1_000n });

test('a refresh updates the used rewards and leaves unused entries unchanged', () => {
  const stake = { totalActiveStakeScaled: 100n, totalStakedAmount: toLamports(100n) };
  const farm = { ...delegatedFarm(stake, [reward, reward, reward]), numRewardTokens: 2n };
  const { rewardInfos } = refreshFarm(farm, context);
  const issued = rewardInfos.map(({ rewardsIssuedCumulative }) => rewardsIssuedCumulative);
  expect(issued.slice(0, 3)).toEqual([100n, 100n, 0n]);
  expect(rewardInfos[2]).toEqual(reward);
});

test('a refresh sets the delegated flag and clears the token program of a delegated farm', () => {
  const token = { ...farmWith().token, tokenProgram: TOKEN_PROGRAM };
  const delegated = refreshFarm(delegatedFarm({ token }), context);
  expect(delegated).toMatchObject({ isFarmDelegated: 1, token: { tokenProgram: ZERO_ADDRESS } });
  const normal = refreshFarm(farmWith({ token, isFarmDelegated: 1 }), context);
  expect(normal).toMatchObject({ isFarmDelegated: 0, token: { tokenProgram: TOKEN_PROGRAM } });
});

test('skips time without staked tokens, even if shares remain', () => {
  const slashed = farmWith({ totalActiveStakeScaled: 5n }, [reward]);
  expect(skipUnstakedTime(slashed, context).rewardInfos[0]?.lastIssuanceTs).toBe(1_010n);
  const staked = farmWith({ totalStakedAmount: toLamports(1n) }, [reward]);
  expect(skipUnstakedTime(staked, context)).toBe(staked);
});
