import { expect, test } from 'vitest';
import {
  farmWith,
  firstOfTen,
  rewardWith,
  schedule,
  timeAtUnix,
  userWith,
} from '../../../../../test/support/farms/farm-accounts.ts';
import { toAddress } from '../../base/encoding/address.ts';
import { formatRatio, ratio } from '../../base/numbers/decimal.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { globalConfig } from '../../protocol/farms/layout/global-config.ts';
import { isOpenFarmStake, viewPendingRewards } from './farm-stakes.ts';

const WAD = 10n ** 18n;
const FARM = toAddress('KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS');
const context = { at: timeAtUnix(1_000n), slotMs: ratio(400n, 1n), prices: () => undefined };
const config = {
  ...globalConfig.body.decode(new DataView(new ArrayBuffer(globalConfig.size)), 0),
  treasuryFeeBps: 1_000n,
};
const reward = rewardWith({ lastIssuanceTs: 1_000n });
const totals = { totalStakedAmount: toLamports(10n), totalActiveStakeScaled: 10n * WAD };

test('a stake is open while units are in warmup or cooldown', () => {
  expect(isOpenFarmStake({ user: userWith() })).toBe(false);
  expect(isOpenFarmStake({ user: userWith({ pendingDepositStakeScaled: 1n }) })).toBe(true);
  expect(isOpenFarmStake({ user: userWith({ pendingWithdrawalUnstakeScaled: 1n }) })).toBe(true);
  const unclaimed = firstOfTen(toLamports(1n), toLamports(0n));
  expect(isOpenFarmStake({ user: userWith({ rewardsIssuedUnclaimed: unclaimed }) })).toBe(true);
});

test('a reward that cannot be computed does not hide the others', () => {
  const farm = { address: FARM, fields: farmWith(totals, [reward, reward]) };
  // The tally of the second reward exceeds what the farm has issued.
  const user = userWith({
    activeStakeScaled: WAD,
    rewardsIssuedUnclaimed: firstOfTen(toLamports(1_000n), toLamports(0n)),
    rewardsTallyScaled: [0n, WAD, ...Array<bigint>(8).fill(0n)],
  });
  const pending = viewPendingRewards({ farm, user }, config, context);
  expect(pending?.isComplete).toBe(false);
  expect(pending?.rewards.map(({ index }) => index)).toEqual([0]);
  expect(pending?.rewards.map(({ amount }) => formatRatio(amount, 9))).toEqual(['900']);
});

test('no reward can be claimed if one of the farm cannot be refreshed', () => {
  const broken = rewardWith({ lastIssuanceTs: 5n, rewardScheduleCurve: schedule([900n, 1n]) });
  const farm = { address: FARM, fields: farmWith(totals, [reward, broken]) };
  const user = userWith({ activeStakeScaled: WAD });
  expect(viewPendingRewards({ farm, user }, config, context)).toBeUndefined();
});

test('a farm without rewards is complete', () => {
  const farm = { address: FARM, fields: farmWith(totals, []) };
  const pending = viewPendingRewards({ farm, user: userWith() }, config, context);
  expect(pending).toEqual({ rewards: [], isComplete: true });
});
