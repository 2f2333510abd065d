import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { SCOPE_PROGRAMS } from '#core/protocol/scope/program.ts';
import { TOKEN_2022_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  ataOf,
  type ExampleFarm,
  FARM,
  REWARD_MINTS,
  REWARD_VAULTS,
  repeatedByteAddress,
  STAKED_MINT,
  TREASURY_VAULTS,
  userStateOf,
  WALLETS,
} from '../../../support/farms/example-farm.ts';
import { timeAtUnix } from '../../../support/farms/farm-accounts.ts';
import {
  addRewardsCall,
  harvestCall,
  refreshFarmCall,
  refreshUserCall,
} from '../../../support/farms/farm-instructions.ts';
import {
  addOtherTokenAccount,
  expectFarmRejection,
  NOW,
  OTHER_ADDRESS,
  type RejectionCase,
  stakedFarm,
  titleCases,
  withExtraAccount,
} from '../../../support/farms/farm-scenarios.ts';
import { instructionError } from '../../../support/localnet/instruction-error.ts';

const [alice, bob, _carol] = WALLETS;

const rewards: readonly RejectionCase[] = [
  [
    'an early harvest',
    6017,
    harvestCall(alice, 0),
    (farm) => {
      const { rewardInfos } = farm.farm;
      farm.changeFarm({
        rewardInfos: rewardInfos.map((reward) => ({ ...reward, minClaimDurationSeconds: 101n })),
      });
    },
  ],
  ['an unknown reward', 6009, harvestCall(alice, 2)],
  ['a harvest for another wallet', 6066, harvestCall(bob, 0, { userState: userStateOf(alice) })],
  [
    'a payout to the payer instead of the owner',
    2015,
    harvestCall(bob, 0, { userState: userStateOf(alice) }),
    (farm) => farm.changeFarm({ isHarvestingPermissionless: 1 }),
  ],
  [
    'an account of another mint',
    2014,
    harvestCall(alice, 0, { userRewardTokenAccount: ataOf(alice, REWARD_MINTS[1]) }),
  ],
  ['the vault of another reward', 6009, harvestCall(alice, 0, { rewardsVault: REWARD_VAULTS[1] })],
  ['another treasury', 2006, harvestCall(alice, 0, { rewardsTreasuryVault: TREASURY_VAULTS[1] })],
  ['the other token program', 2021, harvestCall(alice, 0, { tokenProgram: TOKEN_2022_PROGRAM })],
  ['no token program', 3008, harvestCall(alice, 0, { tokenProgram: OTHER_ADDRESS })],
  ['another authority', 2001, harvestCall(alice, 0, { farmVaultsAuthority: OTHER_ADDRESS })],
  [
    'an authority that is not derived from the farm',
    2006,
    harvestCall(alice, 0, { farmVaultsAuthority: OTHER_ADDRESS }),
    (farm) => farm.changeFarm({ farmVaultsAuthority: OTHER_ADDRESS }),
  ],
  [
    'a reward vault that is not derived from the farm',
    2006,
    harvestCall(alice, 0, { rewardsVault: OTHER_ADDRESS }),
    (farm) => {
      addOtherTokenAccount(alice, REWARD_MINTS[0])(farm);
      const { rewardInfos } = farm.farm;
      farm.changeFarm({
        rewardInfos: rewardInfos.map((reward) => ({ ...reward, rewardsVault: OTHER_ADDRESS })),
      });
    },
  ],
  [
    "a mint other than the vault's",
    2014,
    harvestCall(alice, 0, {
      rewardMint: REWARD_MINTS[1],
      userRewardTokenAccount: ataOf(alice, REWARD_MINTS[1]),
    }),
  ],
  [
    'a treasury of another mint',
    2014,
    harvestCall(alice, 0),
    (farm) => farm.changeToken(TREASURY_VAULTS[0] ?? FARM, { mint: REWARD_MINTS[1] }),
  ],
  ['a config that is not one', 3002, harvestCall(alice, 0, { globalConfig: FARM })],
  [
    'a vault with a delegate',
    6018,
    harvestCall(alice, 0),
    (farm) => farm.changeToken(REWARD_VAULTS[0] ?? FARM, { delegateTag: 1 }),
  ],
  [
    'a vault with a close authority',
    6019,
    harvestCall(alice, 0),
    (farm) => farm.changeToken(REWARD_VAULTS[0] ?? FARM, { closeAuthorityTag: 1 }),
  ],
  ['an extra account', 6014, withExtraAccount(harvestCall(alice, 0))],
  [
    'adding rewards to a vault of another farm',
    2003,
    addRewardsCall(alice, { index: 0, amount: 1n }, { rewardVault: OTHER_ADDRESS }),
    addOtherTokenAccount(alice, REWARD_MINTS[0]),
  ],
  [
    'adding rewards of another mint',
    6027,
    addRewardsCall(
      alice,
      { index: 0, amount: 1n },
      { payerRewardTokenAta: ataOf(alice, STAKED_MINT) },
    ),
  ],
  [
    "adding rewards from another wallet's account",
    6028,
    addRewardsCall(
      alice,
      { index: 0, amount: 1n },
      { payerRewardTokenAta: ataOf(bob, REWARD_MINTS[0]) },
    ),
  ],
  ['adding more rewards than the payer has', 1, addRewardsCall(alice, { index: 0, amount: 1n })],
  [
    'adding rewards without a token program',
    3008,
    addRewardsCall(alice, { index: 0, amount: 1n }, { tokenProgram: OTHER_ADDRESS }),
  ],
  [
    'adding rewards from an account of the other token program',
    2021,
    addRewardsCall(alice, { index: 0, amount: 1n }),
    (farm) => farm.fundWallet(TOKEN_2022_PROGRAM, ataOf(alice, REWARD_MINTS[0])),
  ],
  [
    "adding rewards of a mint other than the vault's",
    2014,
    addRewardsCall(alice, { index: 0, amount: 1n }, { rewardMint: REWARD_MINTS[1] }),
  ],
  [
    'adding rewards with a vault of another owner',
    2015,
    addRewardsCall(alice, { index: 0, amount: 1n }, { farmVaultsAuthority: OTHER_ADDRESS }),
  ],
  [
    'adding rewards with an authority that is not derived from the farm',
    2006,
    addRewardsCall(alice, { index: 0, amount: 1n }, { farmVaultsAuthority: OTHER_ADDRESS }),
    (farm) => farm.changeToken(REWARD_VAULTS[0] ?? FARM, { owner: OTHER_ADDRESS }),
  ],
];

test.each(titleCases(rewards))('rejects %s', (_, rejection) => {
  expectFarmRejection(stakedFarm(), rejection);
});

test('the program panics at a reward index beyond ten', () => {
  const error = { InstructionError: [0, 'ProgramFailedToComplete'] };
  expect(stakedFarm().run(timeAtUnix(NOW), harvestCall(alice, 10))).toEqual(error);
});

test('harvesting for another wallet pays to its associated account', () => {
  const farm = stakedFarm();
  farm.changeFarm({ isHarvestingPermissionless: 1 });
  const receiver = ataOf(alice, REWARD_MINTS[0]);
  const call = harvestCall(bob, 0, {
    userState: userStateOf(alice),
    userRewardTokenAccount: receiver,
  });
  expect(farm.run(timeAtUnix(NOW), call)).toBeUndefined();
  // A hundred seconds at ten per second, less 10 %.
  expect(farm.balance(receiver)).toBe(900n);
});

const PRICES = repeatedByteAddress(77);

/** Sets entry 3 of the prices to 0.5 as of `unix`. */
function putPrices(farm: ExampleFarm, unix: bigint): void {
  const { body } = oraclePrices;
  const empty = body.decode(new DataView(new ArrayBuffer(body.size)), 0);
  const prices = empty.prices.map((price, i) =>
    i === 3
      ? { ...price, price: { value: 5n, exp: 1n }, unixTimestamp: toUnixSeconds(unix) }
      : price,
  );
  const [owner] = SCOPE_PROGRAMS;
  if (owner === undefined) throw new Error('no oracle program');
  farm.accounts.set(PRICES, {
    owner,
    lamports: 1n,
    data: oraclePrices.encode({ ...empty, prices }),
  });
}

const priced = { scopeOraclePriceId: 3n, scopePrices: PRICES, scopeOracleMaxAge: 50n };

test('a farm with an oracle pays by its price, which must be its own and recent', () => {
  const farm = stakedFarm();
  farm.changeFarm(priced);
  putPrices(farm, NOW - 51n);
  const call = (scopePrices: Address | undefined) => harvestCall(alice, 0, { scopePrices });
  expect(farm.run(timeAtUnix(NOW), call(undefined))).toEqual(instructionError(6048));
  expect(farm.run(timeAtUnix(NOW), refreshFarmCall())).toEqual(instructionError(6048));
  expect(farm.run(timeAtUnix(NOW), refreshUserCall(alice))).toEqual(instructionError(6048));
  expect(farm.run(timeAtUnix(NOW), call(FARM))).toEqual(instructionError(3007));
  expect(farm.run(timeAtUnix(NOW), call(PRICES))).toEqual(instructionError(6047));
  farm.changeFarm({ scopePrices: OTHER_ADDRESS });
  expect(farm.run(timeAtUnix(NOW), call(PRICES))).toEqual(instructionError(6048));
  farm.changeFarm(priced);
  putPrices(farm, NOW - 50n);
  expect(farm.run(timeAtUnix(NOW), call(PRICES))).toBeUndefined();
  // Half of a hundred seconds at ten per second, less 10 %.
  expect(farm.balance(ataOf(alice, REWARD_MINTS[0]))).toBe(450n);
});
