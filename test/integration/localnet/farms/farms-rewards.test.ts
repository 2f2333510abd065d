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
  customInstructionError,
  expectFarmRejection,
  NOW,
  OTHER_ADDRESS,
  type RejectionCase,
  stakedFarm,
  titleCases,
  withExtraAccount,
} from '../../../support/farms/farm-scenarios.ts';

const [alice, bob, _carol] = WALLETS;

const rewards: readonly RejectionCase[] = [
  [
    'a harvest too soon',
    6017,
    harvestCall(alice, 0),
    (made) => {
      const { rewardInfos } = made.farm;
      made.changeFarm({
        rewardInfos: rewardInfos.map((reward) => ({ ...reward, minClaimDurationSeconds: 101n })),
      });
    },
  ],
  ['a reward that the farm does not have', 6009, harvestCall(alice, 2)],
  ['a harvest for somebody else', 6066, harvestCall(bob, 0, { userState: userStateOf(alice) })],
  [
    'a reward to who harvests, not to the owner',
    2015,
    harvestCall(bob, 0, { userState: userStateOf(alice) }),
    (made) => made.changeFarm({ isHarvestingPermissionless: 1 }),
  ],
  [
    'a harvest for somebody else, not to the usual account',
    6076,
    harvestCall(bob, 0, { userState: userStateOf(alice), userRewardTokenAccount: OTHER_ADDRESS }),
    (made) => {
      made.changeFarm({ isHarvestingPermissionless: 1 });
      addOtherTokenAccount(alice, REWARD_MINTS[0])(made);
    },
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
    (made) => made.changeFarm({ farmVaultsAuthority: OTHER_ADDRESS }),
  ],
  [
    'a vault of the reward that is not derived from the farm',
    2006,
    harvestCall(alice, 0, { rewardsVault: OTHER_ADDRESS }),
    (made) => {
      addOtherTokenAccount(alice, REWARD_MINTS[0])(made);
      const { rewardInfos } = made.farm;
      made.changeFarm({
        rewardInfos: rewardInfos.map((reward) => ({ ...reward, rewardsVault: OTHER_ADDRESS })),
      });
    },
  ],
  [
    'another mint than that of the vault',
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
    (made) => made.changeToken(TREASURY_VAULTS[0] ?? FARM, { mint: REWARD_MINTS[1] }),
  ],
  ['settings that are none', 3002, harvestCall(alice, 0, { globalConfig: FARM })],
  [
    'a vault that somebody may spend from',
    6018,
    harvestCall(alice, 0),
    (made) => made.changeToken(REWARD_VAULTS[0] ?? FARM, { delegateTag: 1 }),
  ],
  [
    'a vault that somebody may close',
    6019,
    harvestCall(alice, 0),
    (made) => made.changeToken(REWARD_VAULTS[0] ?? FARM, { closeAuthorityTag: 1 }),
  ],
  ['one account too many', 6014, withExtraAccount(harvestCall(alice, 0))],
  [
    'rewards into a vault of another farm',
    2003,
    addRewardsCall(alice, { index: 0, amount: 1n }, { rewardVault: OTHER_ADDRESS }),
    addOtherTokenAccount(alice, REWARD_MINTS[0]),
  ],
  [
    'rewards of another mint',
    6027,
    addRewardsCall(
      alice,
      { index: 0, amount: 1n },
      { payerRewardTokenAta: ataOf(alice, STAKED_MINT) },
    ),
  ],
  [
    'rewards out of the purse of somebody else',
    6028,
    addRewardsCall(
      alice,
      { index: 0, amount: 1n },
      { payerRewardTokenAta: ataOf(bob, REWARD_MINTS[0]) },
    ),
  ],
  ['more rewards than the payer has', 1, addRewardsCall(alice, { index: 0, amount: 1n })],
  [
    'rewards by no token program',
    3008,
    addRewardsCall(alice, { index: 0, amount: 1n }, { tokenProgram: OTHER_ADDRESS }),
  ],
  [
    'rewards out of an account of the other token program',
    2021,
    addRewardsCall(alice, { index: 0, amount: 1n }),
    (made) => made.fundWallet(TOKEN_2022_PROGRAM, ataOf(alice, REWARD_MINTS[0])),
  ],
  [
    'rewards of another mint than the vault',
    2014,
    addRewardsCall(alice, { index: 0, amount: 1n }, { rewardMint: REWARD_MINTS[1] }),
  ],
  [
    'rewards for a vault of somebody else',
    2015,
    addRewardsCall(alice, { index: 0, amount: 1n }, { farmVaultsAuthority: OTHER_ADDRESS }),
  ],
  [
    'rewards for a vault whose authority is not derived from the farm',
    2006,
    addRewardsCall(alice, { index: 0, amount: 1n }, { farmVaultsAuthority: OTHER_ADDRESS }),
    (made) => made.changeToken(REWARD_VAULTS[0] ?? FARM, { owner: OTHER_ADDRESS }),
  ],
];

test.each(titleCases(rewards))('refused: %s', (_, refusal) => {
  expectFarmRejection(stakedFarm(), refusal);
});

test('the program stops at a reward beyond the ten places', () => {
  const error = { InstructionError: [0, 'ProgramFailedToComplete'] };
  expect(stakedFarm().run(timeAtUnix(NOW), harvestCall(alice, 10))).toEqual(error);
});

test('whoever harvests for another pays to the associated account', () => {
  const made = stakedFarm();
  made.changeFarm({ isHarvestingPermissionless: 1 });
  const receiver = ataOf(alice, REWARD_MINTS[0]);
  const call = harvestCall(bob, 0, {
    userState: userStateOf(alice),
    userRewardTokenAccount: receiver,
  });
  expect(made.run(timeAtUnix(NOW), call)).toBeUndefined();
  // a hundred seconds of ten, less a tenth
  expect(made.balance(receiver)).toBe(900n);
});

const PRICES = repeatedByteAddress(77);

/** Entry 3 of the prices is 0.5 as of `unix`. */
function putPrices(made: ExampleFarm, unix: bigint): void {
  const { body } = oraclePrices;
  const empty = body.decode(new DataView(new ArrayBuffer(body.size)), 0);
  const prices = empty.prices.map((price, i) =>
    i === 3
      ? { ...price, price: { value: 5n, exp: 1n }, unixTimestamp: toUnixSeconds(unix) }
      : price,
  );
  const [owner] = SCOPE_PROGRAMS;
  if (owner === undefined) throw new Error('no oracle program');
  made.accounts.set(PRICES, {
    ...{ owner, lamports: 1n, data: oraclePrices.encode({ ...empty, prices }) },
  });
}

const priced = { scopeOraclePriceId: 3n, scopePrices: PRICES, scopeOracleMaxAge: 50n };

test('a farm with an oracle pays by its price, which must be its own and not too old', () => {
  const made = stakedFarm();
  made.changeFarm(priced);
  putPrices(made, NOW - 51n);
  const call = (scopePrices: Address | undefined) => harvestCall(alice, 0, { scopePrices });
  expect(made.run(timeAtUnix(NOW), call(undefined))).toEqual(customInstructionError(6048));
  expect(made.run(timeAtUnix(NOW), refreshFarmCall())).toEqual(customInstructionError(6048));
  expect(made.run(timeAtUnix(NOW), refreshUserCall(alice))).toEqual(customInstructionError(6048));
  expect(made.run(timeAtUnix(NOW), call(FARM))).toEqual(customInstructionError(3007));
  expect(made.run(timeAtUnix(NOW), call(PRICES))).toEqual(customInstructionError(6047));
  made.changeFarm({ scopePrices: OTHER_ADDRESS });
  expect(made.run(timeAtUnix(NOW), call(PRICES))).toEqual(customInstructionError(6048));
  made.changeFarm(priced);
  putPrices(made, NOW - 50n);
  expect(made.run(timeAtUnix(NOW), call(PRICES))).toBeUndefined();
  // half of a hundred seconds of ten, less a tenth
  expect(made.balance(ataOf(alice, REWARD_MINTS[0]))).toBe(450n);
});
