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
  ['no signature', 3010, withoutSigners(stakeCall(alice, 1n))],
  ['nothing to stake', 6000, stakeCall(alice, 0n)],
  ['one account too many', 6014, withExtraAccount(stakeCall(alice, 1n))],
  ['more than the wallet has', 1, stakeCall(alice, 10n ** 12n)],
  ['no user state', 3007, stakeCall(carol, 1n)],
  ['the state of somebody else', 2001, stakeCall(alice, 1n, { userState: userStateOf(bob) })],
  [
    'a state in another farm',
    2001,
    stakeCall(alice, 1n, { farmState: OTHER_ADDRESS }),
    (made) => made.setFarm(OTHER_ADDRESS, {}),
  ],
  ['a farm that is none', 3002, stakeCall(alice, 1n, { farmState: userStateOf(bob) })],
  [
    'another vault than the farm has',
    2001,
    stakeCall(alice, 1n, { farmVault: OTHER_ADDRESS }),
    addOtherTokenAccount(alice, STAKED_MINT),
  ],
  [
    'a vault of the farm that is not derived from it',
    2006,
    stakeCall(alice, 1n, { farmVault: OTHER_ADDRESS }),
    (made) => {
      made.changeFarm({ farmVault: OTHER_ADDRESS });
      addOtherTokenAccount(alice, STAKED_MINT)(made);
    },
  ],
  [
    'a vault that somebody may spend from',
    6020,
    stakeCall(alice, 1n),
    (made) => made.changeToken(FARM_VAULT, { delegateTag: 1 }),
  ],
  [
    'a vault that somebody may close',
    6021,
    stakeCall(alice, 1n),
    (made) => made.changeToken(FARM_VAULT, { closeAuthorityTag: 1 }),
  ],
  ['tokens of somebody else', 2001, stakeCall(alice, 1n, { userAta: ataOf(bob, STAKED_MINT) })],
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
    (made) => made.changeFarm({ depositCapAmount: toLamports(110n) }),
  ],
  ['no shares asked for', 6001, unstakeCall(alice, 0n)],
  ['no shares there', 6002, unstakeCall(bob, 1n)],
  ['to unstake for somebody else', 2001, unstakeCall(bob, 1n, { userState: userStateOf(alice) })],
  [
    'a locked stake',
    6041,
    unstakeCall(alice, WAD),
    (made) => made.changeFarm({ lockingMode: 1n, lockingDuration: 1_000n }),
  ],
  [
    'an unstake while another waits to be withdrawn',
    6037,
    unstakeCall(alice, WAD),
    (made) => {
      expect(made.run(timeAtUnix(START), unstakeCall(alice, WAD))).toBeUndefined();
    },
  ],
  ['nothing unstaked', 6031, withdrawCall(alice)],
  [
    'a withdrawal before the cooldown is over',
    6036,
    withdrawCall(alice),
    (made) => {
      made.changeFarm({ withdrawalCooldownPeriod: 101 });
      expect(made.run(timeAtUnix(START), unstakeCall(alice, WAD))).toBeUndefined();
    },
  ],
  [
    'a withdrawal to somebody else',
    2001,
    withdrawCall(alice, { userAta: ataOf(bob, STAKED_MINT) }),
  ],
  ['another authority', 2001, withdrawCall(alice, { farmVaultsAuthority: OTHER_ADDRESS })],
  [
    'an authority that is not derived from the farm',
    2006,
    withdrawCall(alice, { farmVaultsAuthority: OTHER_ADDRESS }),
    (made) => made.changeFarm({ farmVaultsAuthority: OTHER_ADDRESS }),
  ],
  [
    'a mint of the other token program',
    3007,
    stakeCall(alice, 1n),
    (made) => made.fundWallet(TOKEN_2022_PROGRAM, STAKED_MINT),
  ],
  [
    'tokens of the other token program',
    3007,
    stakeCall(alice, 1n),
    (made) => made.fundWallet(TOKEN_2022_PROGRAM, ataOf(alice, STAKED_MINT)),
  ],
];

test.each(titleCases(staking))('refused: %s', (_, refusal) => {
  expectFarmRejection(stakedFarm(), refusal);
});

test('a mint is no token account', () => {
  const error = { InstructionError: [0, 'InvalidAccountData'] };
  const call = stakeCall(alice, 1n, { userAta: STAKED_MINT });
  expect(stakedFarm().run(timeAtUnix(NOW), call)).toEqual(error);
});

test('the program stops at a farm that it cannot count by', () => {
  const made = stakedFarm();
  made.changeFarm({ timeUnit: 2 });
  const error = { InstructionError: [0, 'ProgramFailedToComplete'] };
  expect(made.run(timeAtUnix(NOW), stakeCall(alice, 1n))).toEqual(error);
});

test('a broken constraint is told in the words of the framework', () => {
  const call = stakeCall(alice, 1n, { userState: userStateOf(bob) });
  const told =
    /AnchorError caused by account: user_state\. Error Code: ConstraintHasOne\. Error Number: 2001\./;
  expect(stakedFarm().logsOf(timeAtUnix(NOW), call)).toEqual(
    expect.arrayContaining([expect.stringMatching(told)]),
  );
});

test('a refresh brings the farm to date, and says what it issued', () => {
  const made = stakedFarm();
  const line = 'refresh_global_reward issuing_reward=1000 last_ts=1000 ts=1100';
  expect(made.logsOf(timeAtUnix(NOW), refreshFarmCall())).toContain(
    `Program log: farm_operations::${line}`,
  );
  expect(made.run(timeAtUnix(NOW), refreshFarmCall())).toBeUndefined();
  expect(made.farm.rewardInfos[0]).toMatchObject({
    lastIssuanceTs: NOW,
    rewardsIssuedUnclaimed: 1_000n,
  });
});

test('a deposit starts to earn with the first refresh after its warm-up', () => {
  const made = stakedFarm();
  made.changeFarm({ depositWarmupPeriod: 50 });
  expect(made.run(timeAtUnix(START), stakeCall(bob, 100n))).toBeUndefined();
  const logs = made.logsOf(timeAtUnix(NOW), refreshUserCall(bob));
  const gained = `active_stake_gained (scaled) ${100n * WAD}`;
  // Ten a second since the start for alice alone, a tenth of it of the second reward.
  const tally = 'update_user_rewards_tally_on_stake_increase reward_index';
  for (const line of [
    'refresh_global_rewards ts=1100',
    `user_refresh_stake amount_staked 100 ${gained}`,
    `${tally}=0 new_reward_tally(scaled)=${1_000n * WAD}`,
    `${tally}=1 new_reward_tally(scaled)=${100n * WAD}`,
  ]) {
    expect(logs).toContain(`Program log: farm_operations::${line}`);
  }
  expect(made.run(timeAtUnix(NOW), refreshUserCall(bob))).toBeUndefined();
  expect(made.user(bob)).toMatchObject({ activeStakeScaled: 100n * WAD });
  expect(made.farm.totalActiveStakeScaled).toBe(200n * WAD);
});
