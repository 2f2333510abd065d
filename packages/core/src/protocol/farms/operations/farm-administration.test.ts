import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  delegatedFarm,
  farmWith,
  firstOfTen,
  rewardWith,
  schedule,
  timeAtUnix,
  userWith,
} from '../../../../../../test/support/farms/farm-accounts.ts';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';
import { u64Bytes } from '../../../../../../test/support/protocol/published-calls.ts';
import { addressToBytes } from '../../../base/encoding/address.ts';
import { concatBytes } from '../../../base/encoding/bytes.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { findRelease } from '../../../base/solana/program-release.ts';
import { globalConfig } from '../layout/global-config.ts';
import { type FarmsRules, farmsReleases, NEWEST_FARMS_RULES } from '../releases.ts';
import { updateGlobalConfig } from './config-updates.ts';
import {
  depositToFarmVault,
  initializeFarm,
  initializeFarmDelegated,
  initializeReward,
  withdrawFromFarmVault,
  withdrawSlashedAmount,
} from './farms.ts';
import { rewardUserOnce, withdrawReward } from './rewards.ts';

const at = { at: timeAtUnix(200n) };
const errorOf = (action: () => unknown) => programErrorName(catchError(action));
const lamports = toLamports;

const created = {
  farmAdmin: numberedAddress(1),
  globalConfig: numberedAddress(2),
  farmVaultsAuthority: numberedAddress(3),
  farmVaultsAuthorityBump: 254n,
};
const token = { mint: numberedAddress(4), decimals: 6, tokenProgram: numberedAddress(5) };

test('a new farm has no oracle and rewards without rates', () => {
  const farm = initializeFarm(created, token, numberedAddress(6));
  expect(farm).toMatchObject({
    ...created,
    pendingFarmAdmin: created.farmAdmin,
    token: { ...token, decimals: 6n },
    farmVault: numberedAddress(6),
    isFarmDelegated: 0,
    numRewardTokens: 0n,
    scopeOraclePriceId: U64_MAX,
    scopeOracleMaxAge: 0n,
  });
  for (const { rewardScheduleCurve } of farm.rewardInfos) {
    expect(rewardScheduleCurve).toEqual(schedule([0n, 0n]));
  }
  const delegated = initializeFarmDelegated(created, numberedAddress(7));
  expect(delegated).toMatchObject({
    delegateAuthority: numberedAddress(7),
    isFarmDelegated: 1,
    token: { decimals: 0n },
  });
});

test('rewards fill the ten slots one after the other', () => {
  const reward = { ...token, rewardsVault: numberedAddress(8) };
  const farm = initializeReward(farmWith({}, [rewardWith()]), reward, at);
  expect(farm.numRewardTokens).toBe(2n);
  expect(farm.rewardInfos[1]).toMatchObject({
    token: { ...token, decimals: 6n },
    rewardsVault: numberedAddress(8),
    lastIssuanceTs: 200n,
  });
  const full = farmWith(
    {},
    Array.from({ length: 10 }, () => rewardWith()),
  );
  expect(errorOf(() => initializeReward(full, reward, at))).toBe('MaxRewardNumberReached');
});

const { mint } = token;
const unscheduled = rewardWith({
  token: { mint, decimals: 6n, tokenProgram: numberedAddress(5), padding: new Uint8Array(48) },
  rewardScheduleCurve: schedule([0n, 0n]),
  rewardsAvailable: lamports(100n),
});

test('unissued rewards can be withdrawn while the rate is zero', () => {
  const farm = farmWith({}, [unscheduled]);
  const withdraw = (requested: bigint, from = farm) =>
    withdrawReward(from, { rewardIndex: 0, rewardMint: mint, requested }, at);
  const part = withdraw(30n);
  expect([part.amount, part.farm.rewardInfos[0]?.rewardsAvailable]).toEqual([30n, 70n]);
  expect(withdraw(500n).amount).toBe(100n);
  expect(errorOf(() => withdraw(0n))).toBe('RewardDoesNotExist');
  const empty = farmWith({}, [{ ...unscheduled, rewardsAvailable: lamports(0n) }]);
  expect(errorOf(() => withdraw(1n, empty))).toBe('WithdrawRewardZeroAvailable');
  for (const curve of [schedule([0n, 1n]), schedule([0n, 0n], [5n, 0n])]) {
    const scheduled = farmWith({}, [{ ...unscheduled, rewardScheduleCurve: curve }]);
    expect(errorOf(() => withdraw(1n, scheduled))).toBe('RewardScheduleCurveSet');
  }
});

const once = delegatedFarm({ isRewardUserOnceEnabled: 1 });
const rewarded = userWith({
  userId: 9n,
  rewardsIssuedUnclaimed: firstOfTen(lamports(5n), lamports(0n)),
  rewardsIssuedCumulative: firstOfTen(lamports(50n), lamports(0n)),
});

test('a one-time reward adds to the issued rewards of the farm and the user', () => {
  const given = { rewardIndex: 0, amount: 7n, expectedRewards: 5n };
  const { farm, user } = rewardUserOnce({ farm: once, user: rewarded }, given, NEWEST_FARMS_RULES);
  expect(user.rewardsIssuedUnclaimed[0]).toBe(12n);
  expect(user.rewardsIssuedCumulative[0]).toBe(57n);
  expect(farm.rewardInfos[0]).toMatchObject({
    rewardsIssuedUnclaimed: 7n,
    rewardsIssuedCumulative: 7n,
    rewardsAvailable: once.rewardInfos[0]?.rewardsAvailable,
  });
});

const giveOnce = (
  rules: FarmsRules,
  given: { expectedRewards: bigint; userStateId?: bigint },
  { farm = once, user = rewarded } = {},
) => errorOf(() => rewardUserOnce({ farm, user }, { rewardIndex: 0, amount: 1n, ...given }, rules));

test('a one-time reward must expect the unclaimed rewards of the user', () => {
  const rules = NEWEST_FARMS_RULES;
  expect(giveOnce(rules, { expectedRewards: 5n })).toBeUndefined();
  expect(giveOnce(rules, { expectedRewards: 6n })).toBe('RewardsIssuedCumulativeMismatch');
  // trailing bytes are not an argument
  expect(giveOnce(rules, { expectedRewards: 5n, userStateId: 8n })).toBeUndefined();
  const disabled = { farm: delegatedFarm() };
  expect(giveOnce(rules, { expectedRewards: 5n }, disabled)).toBe('RewardUserOnceFeatureDisabled');
});

test('release 1.7.0 compares the cumulative rewards and the id of the user', () => {
  const rules = findRelease(farmsReleases, '1.7.0')?.rules ?? NEWEST_FARMS_RULES;
  const give = (expectedRewards: bigint, userStateId: bigint, user = rewarded) =>
    giveOnce(rules, { expectedRewards, userStateId }, { user });
  expect(give(5n, 9n)).toBe('RewardsIssuedCumulativeMismatch');
  expect(give(50n, 9n)).toBeUndefined();
  expect(give(50n, 8n)).toBe('UserStateIdMismatch');
  const atLimit = {
    ...rewarded,
    rewardsIssuedCumulative: firstOfTen(lamports(U64_MAX), lamports(0n)),
  };
  expect(give(U64_MAX, 8n, atLimit)).toBe('UserStateIdMismatch');
  expect(give(U64_MAX, 9n, atLimit)).toBe('RewardsIssuedCumulativeAtMax');
});

test('a deposit to the vault raises the active stakes', () => {
  const farm = farmWith({ totalStakedAmount: lamports(10n) });
  expect(depositToFarmVault(farm, 5n)).toEqual({ ...farm, totalStakedAmount: 15n });
  expect(errorOf(() => depositToFarmVault(farm, 0n))).toBe('DepositZero');
  expect(errorOf(() => depositToFarmVault(delegatedFarm(), 1n))).toBe('FarmDelegated');
});

test('a withdrawal from the vault takes from active and pending stakes, each rounded down', () => {
  const farm = farmWith({ totalStakedAmount: lamports(10n), totalPendingAmount: lamports(5n) });
  const part = withdrawFromFarmVault(farm, 7n);
  expect(part.amount).toBe(6n);
  expect(part.farm).toMatchObject({ totalStakedAmount: 6n, totalPendingAmount: 3n });
  expect(part.farm.isFarmFrozen).toBe(0);
  const all = withdrawFromFarmVault(farm, 15n);
  expect(all.amount).toBe(15n);
  expect(all.farm).toMatchObject({
    totalStakedAmount: 0n,
    totalPendingAmount: 0n,
    isFarmFrozen: 1,
  });
  expect(errorOf(() => withdrawFromFarmVault(delegatedFarm(), 1n))).toBe('FarmDelegated');
});

test('penalties are paid once', () => {
  const slashed = { slashedAmountCurrent: lamports(8n), slashedAmountCumulative: lamports(20n) };
  const { farm, amount } = withdrawSlashedAmount(farmWith(slashed));
  expect(amount).toBe(8n);
  expect(farm).toMatchObject({ slashedAmountCurrent: 0n, slashedAmountCumulative: 20n });
  expect(errorOf(() => withdrawSlashedAmount(delegatedFarm(slashed)))).toBe('FarmDelegated');
});

test('the treasury fee is at most 100 %', () => {
  const config = globalConfig.body.decode(new DataView(new ArrayBuffer(globalConfig.size)), 0);
  const value = (fee: bigint) => concatBytes([u64Bytes(fee), new Uint8Array(24)]);
  expect(updateGlobalConfig(config, 1, value(10_000n)).treasuryFeeBps).toBe(10_000n);
  expect(errorOf(() => updateGlobalConfig(config, 1, value(10_001n)))).toBe('InvalidConfigValue');
  const admin = numberedAddress(8);
  expect(updateGlobalConfig(config, 0, addressToBytes(admin))).toEqual({
    ...config,
    pendingGlobalAdmin: admin,
  });
  expect(errorOf(() => updateGlobalConfig(config, 2, value(0n)))).toBe('InvalidGlobalConfigMode');
});
