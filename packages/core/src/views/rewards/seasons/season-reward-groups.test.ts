import { expect, test } from 'vitest';
import { repeatedByteAddress } from '../../../../../../test/support/vaults/example-vault.ts';
import { parseDecimal } from '../../../base/numbers/decimal.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import type { SeasonReward } from './season.ts';
import { findSeason, groupSeasonRewards, isVaultRewardGroup } from './season-reward-groups.ts';

const [VAULT, LENT, OWED, TOKEN, OTHER_TOKEN] = [1, 2, 3, 4, 5].map(repeatedByteAddress);
if (!(VAULT && LENT && OWED && TOKEN && OTHER_TOKEN)) throw new Error('no addresses');

const paid = { tokensPerSecond: parseDecimal('1'), from: toUnixSeconds(0n), to: toUnixSeconds(9n) };
const vault: SeasonReward = { vault: VAULT, rewardToken: TOKEN, ...paid };
const pair: SeasonReward = {
  depositReserve: LENT,
  borrowReserve: OWED,
  rewardToken: TOKEN,
  ...paid,
};
const supply: SeasonReward = { depositReserve: LENT, rewardToken: TOKEN, ...paid };
const later: SeasonReward = { ...supply, from: toUnixSeconds(5n) };
const inOther: SeasonReward = { ...supply, rewardToken: OTHER_TOKEN };

test('rewards of one token for the same target form one group', () => {
  const groups = groupSeasonRewards({ rewards: [supply, vault, inOther, pair, later] });
  expect(groups.map(({ target, rewardToken }) => ({ ...target, rewardToken }))).toEqual([
    { depositReserve: LENT, rewardToken: TOKEN },
    { depositReserve: LENT, rewardToken: OTHER_TOKEN },
    { depositReserve: LENT, borrowReserve: OWED, rewardToken: TOKEN },
    { vault: VAULT, rewardToken: TOKEN },
  ]);
  expect(groups.map(({ rewards }) => rewards)).toEqual([
    [supply, later],
    [inOther],
    [pair],
    [vault],
  ]);
  expect(groups.map(isVaultRewardGroup)).toEqual([false, false, false, true]);
});

test('the default season is the newest', () => {
  const seasons = [{ source: 'a' }, { source: 'b' }];
  expect(findSeason(seasons, undefined)).toBe(seasons[1]);
  expect(findSeason(seasons, 'a')).toBe(seasons[0]);
  expect(findSeason(seasons, 'c')).toBeUndefined();
  expect(findSeason([], undefined)).toBeUndefined();
});
