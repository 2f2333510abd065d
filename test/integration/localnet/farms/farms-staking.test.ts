import { expect, test } from 'vitest';
import { WAD } from '#core/base/numbers/decimal-wad.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { TOKEN_2022_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  ataOf,
  FARM_VAULT,
  REWARD_MINTS,
  STAKED_MINT,
  userStateOf,
  WALLETS,
} from '../../../support/farms/example-farm.ts';
import { timeAtUnix } from '../../../support/farms/farm-accounts.ts';
import {
  refreshFarmCall,
  refreshUserCall,
  stakeCall,
  unstakeCall,
  withdrawCall,
} from '../../../support/farms/farm-instructions.ts';
import {
  addOtherTokenAccount,
  expectFarmRejection,
  NOW,
  OTHER_ADDRESS,
  type RejectionCase,
  START,
  stakedFarm,
  titleCases,
  withExtraAccount,
  withoutSigners,
} from '../../../support/farms/farm-scenarios.ts';

const [alice, bob, carol] = WALLETS;

const staking: readonly RejectionCase[] = [
  ['a missing signature', 3010, withoutSigners(stakeCall(alice, 1n))],
  ['a zero stake', 6000, stakeCall(alice, 0n)],
  ['an extra account', 6014, withExtraAccount(stakeCall(alice, 1n))],
  ['more than the balance', 1, stakeCall(alice, 10n ** 12n)],
  ['a missing user state', 3007, stakeCall(carol, 1n)],
  ["another wallet's state", 2001, stakeCall(alice, 1n, { userState: userStateOf(bob) })],
  [
    'a state of another farm',
    2001,
    stakeCall(alice, 1n, { farmState: OTHER_ADDRESS }),
    (farm) => farm.setFarm(OTHER_ADDRESS, {}),
  ],
  ['a farm that is not one', 3002, stakeCall(alice, 1n, { farmState: userStateOf(bob) })],
  [
    'another vault',
    2001,
    stakeCall(alice, 1n, { farmVault: OTHER_ADDRESS }),
    addOtherTokenAccount(alice, STAKED_MINT),
  ],
  [
    'a vault that is not derived from the farm',
    2006,
    stakeCall(alice, 1n, { farmVault: OTHER_ADDRESS }),
    (farm) => {
      farm.changeFarm({ farmVault: OTHER_ADDRESS });
      addOtherTokenAccount(alice, STAKED_MINT)(farm);
    },
  ],
  [
    'a vault with a delegate',
    6020,
    stakeCall(alice, 1n),
    (farm) => farm.changeToken(FARM_VAULT, { delegateTag: 1 }),
  ],
  [
    'a vault with a close authority',
    6021,
    stakeCall(alice, 1n),
    (farm) => farm.changeToken(FARM_VAULT, { closeAuthorityTag: 1 }),
  ],
  ['tokens of another wallet', 2001, stakeCall(alice, 1n, { userAta: ataOf(bob, STAKED_MINT) })],
  [
    'tokens of another mint',
    6025,
    stakeCall(alice, 1n, { userAta: ataOf(alice, REWARD_MINTS[0]) }),
  ],
  ['another mint', 6026, stakeCall(alice, 1n, { tokenMint: REWARD_MINTS[0] })],
  ['the other token program', 3008, stakeCall(alice, 1n, { tokenProgram: TOKEN_2022_PROGRAM })],
  [
    'a deposit over the cap',
    6045,
    stakeCall(alice, 11n),
    (farm) => farm.changeFarm({ depositCapAmount: toLamports(110n) }),
  ],
  ['unstaking zero shares', 6001, unstakeCall(alice, 0n)],
  ['unstaking without shares', 6002, unstakeCall(bob, 1n)],
  ['unstaking for another wallet', 2001, unstakeCall(bob, 1n, { userState: userStateOf(alice) })],
  [
    'unstaking a locked stake',
    6041,
    unstakeCall(alice, WAD),
    (farm) => farm.changeFarm({ lockingMode: 1n, lockingDuration: 1_000n }),
  ],
  [
    'unstaking with a pending withdrawal',
    6037,
    unstakeCall(alice, WAD),
    (farm) => {
      expect(farm.run(timeAtUnix(START), unstakeCall(alice, WAD))).toBeUndefined();
    },
  ],
  ['a withdrawal without unstaked shares', 6031, withdrawCall(alice)],
  [
    'a withdrawal before the end of the cooldown',
    6036,
    withdrawCall(alice),
    (farm) => {
      farm.changeFarm({ withdrawalCooldownPeriod: 101 });
      expect(farm.run(timeAtUnix(START), unstakeCall(alice, WAD))).toBeUndefined();
    },
  ],
  [
    'a withdrawal to another wallet',
    2001,
    withdrawCall(alice, { userAta: ataOf(bob, STAKED_MINT) }),
  ],
  ['another authority', 2001, withdrawCall(alice, { farmVaultsAuthority: OTHER_ADDRESS })],
  [
    'an authority that is not derived from the farm',
    2006,
    withdrawCall(alice, { farmVaultsAuthority: OTHER_ADDRESS }),
    (farm) => farm.changeFarm({ farmVaultsAuthority: OTHER_ADDRESS }),
  ],
  [
    'a mint of the other token program',
    3007,
    stakeCall(alice, 1n),
    (farm) => farm.fundWallet(TOKEN_2022_PROGRAM, STAKED_MINT),
  ],
  [
    'tokens of the other token program',
    3007,
    stakeCall(alice, 1n),
    (farm) => farm.fundWallet(TOKEN_2022_PROGRAM, ataOf(alice, STAKED_MINT)),
  ],
];

test.each(titleCases(staking))('rejects %s', (_, rejection) => {
  expectFarmRejection(stakedFarm(), rejection);
});

test('a mint is not accepted as a token account', () => {
  const error = { InstructionError: [0, 'InvalidAccountData'] };
  const call = stakeCall(alice, 1n, { userAta: STAKED_MINT });
  expect(stakedFarm().run(timeAtUnix(NOW), call)).toEqual(error);
});

test('the program panics at a farm with an invalid time unit', () => {
  const farm = stakedFarm();
  farm.changeFarm({ timeUnit: 2 });
  const error = { InstructionError: [0, 'ProgramFailedToComplete'] };
  expect(farm.run(timeAtUnix(NOW), stakeCall(alice, 1n))).toEqual(error);
});

test('a violated constraint is logged as Anchor does', () => {
  const call = stakeCall(alice, 1n, { userState: userStateOf(bob) });
  const logged =
    /AnchorError caused by account: user_state\. Error Code: ConstraintHasOne\. Error Number: 2001\./;
  expect(stakedFarm().logsOf(timeAtUnix(NOW), call)).toEqual(
    expect.arrayContaining([expect.stringMatching(logged)]),
  );
});

test('a refresh updates the farm and logs the issued rewards', () => {
  const farm = stakedFarm();
  const line = 'refresh_global_reward issuing_reward=1000 last_ts=1000 ts=1100';
  expect(farm.logsOf(timeAtUnix(NOW), refreshFarmCall())).toContain(
    `Program log: farm_operations::${line}`,
  );
  expect(farm.run(timeAtUnix(NOW), refreshFarmCall())).toBeUndefined();
  expect(farm.farm.rewardInfos[0]).toMatchObject({
    lastIssuanceTs: NOW,
    rewardsIssuedUnclaimed: 1_000n,
  });
});

test('a deposit earns from the first refresh after its warm-up', () => {
  const farm = stakedFarm();
  farm.changeFarm({ depositWarmupPeriod: 50 });
  expect(farm.run(timeAtUnix(START), stakeCall(bob, 100n))).toBeUndefined();
  const logs = farm.logsOf(timeAtUnix(NOW), refreshUserCall(bob));
  const gained = `active_stake_gained (scaled) ${100n * WAD}`;
  // Ten per second since the start for alice alone; a tenth of it for the second reward.
  const tally = 'update_user_rewards_tally_on_stake_increase reward_index';
  for (const line of [
    'refresh_global_rewards ts=1100',
    `user_refresh_stake amount_staked 100 ${gained}`,
    `${tally}=0 new_reward_tally(scaled)=${1_000n * WAD}`,
    `${tally}=1 new_reward_tally(scaled)=${100n * WAD}`,
  ]) {
    expect(logs).toContain(`Program log: farm_operations::${line}`);
  }
  expect(farm.run(timeAtUnix(NOW), refreshUserCall(bob))).toBeUndefined();
  expect(farm.user(bob)).toMatchObject({ activeStakeScaled: 100n * WAD });
  expect(farm.farm.totalActiveStakeScaled).toBe(200n * WAD);
});
