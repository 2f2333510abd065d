import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { WAD } from '#core/base/numbers/decimal-wad.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { FarmState } from '#core/protocol/farms/layout/farm-state.ts';
import type { UserState } from '#core/protocol/farms/layout/user-state.ts';
import {
  ataOf,
  ExampleFarm,
  FARM_VAULT,
  INITIAL_BALANCE,
  REWARD_MINTS,
  REWARD_VAULTS,
  STAKED_MINT,
  TREASURY_VAULTS,
  userStateOf,
  WALLETS,
} from '../../../support/farms/example-farm.ts';
import { timeAtUnix } from '../../../support/farms/farm-accounts.ts';
import {
  addRewardsCall,
  harvestCall,
  initializeCall,
  refreshFarmCall,
  refreshUserCall,
  stakeCall,
  transferOwnershipCall,
  unstakeCall,
  withdrawCall,
} from '../../../support/farms/farm-instructions.ts';
import { assertProperty } from '../../../support/properties/assert-property.ts';

const operations = [
  'stake',
  'unstake',
  'withdraw',
  'harvest',
  'refresh',
  'add',
  'transfer',
] as const;

const steps = fc.array(
  fc.record({
    act: fc.constantFrom(...operations),
    who: fc.nat(WALLETS.length - 1),
    other: fc.nat(WALLETS.length - 1),
    amount: fc.oneof(
      fc.bigInt(0n, 2_000n),
      fc.bigInt(0n, 2n * INITIAL_BALANCE),
      fc.constant(U64_MAX),
    ),
    index: fc.nat(1),
    pause: fc.bigInt(0n, 400n),
  }),
  { minLength: 20, maxLength: 60 },
);

type Operation = typeof steps extends fc.Arbitrary<readonly (infer S)[]> ? S : never;

const terms = fc.record({
  depositWarmupPeriod: fc.constantFrom(0, 0, 30),
  withdrawalCooldownPeriod: fc.constantFrom(0, 0, 50),
  lockingMode: fc.constantFrom(0n, 0n, 1n),
  lockingDuration: fc.constant(300n),
  lockingEarlyWithdrawalPenaltyBps: fc.constant(2_500n),
});

const walletAt = (index: number): Address => WALLETS[index] ?? WALLETS[0];

function instructionOf({
  act: operation,
  who: user,
  other,
  amount,
  index,
}: Operation): Instruction {
  const wallet = walletAt(user);
  switch (operation) {
    case 'stake':
      return stakeCall(wallet, amount);
    case 'unstake':
      return unstakeCall(wallet, amount * WAD - (amount === 0n ? 0n : BigInt(index)));
    case 'withdraw':
      return withdrawCall(wallet);
    case 'harvest':
      return harvestCall(wallet, index);
    case 'refresh':
      return index === 0 ? refreshFarmCall() : refreshUserCall(wallet);
    case 'add':
      return addRewardsCall(wallet, { index, amount });
    case 'transfer':
      return transferOwnershipCall(wallet, walletAt(other));
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

/** Compares the accounting of farm and users with the token balances. */
function checkAccounting(exampleFarm: ExampleFarm): void {
  const { farm } = exampleFarm;
  const users = WALLETS.map((wallet) => exampleFarm.user(wallet));
  const held = farm.totalStakedAmount + farm.totalPendingAmount + farm.slashedAmountCurrent;
  expect(exampleFarm.balance(FARM_VAULT)).toBe(held);
  expect(sum(users.map((user) => user.activeStakeScaled))).toBe(farm.totalActiveStakeScaled);
  const pending = users.map(
    (user) => user.pendingDepositStakeScaled + user.pendingWithdrawalUnstakeScaled,
  );
  expect(sum(pending)).toBe(farm.totalPendingStakeScaled);
  const wallets = sum(WALLETS.map((wallet) => exampleFarm.balance(ataOf(wallet, STAKED_MINT))));
  expect(wallets + held).toBe(INITIAL_BALANCE * BigInt(WALLETS.length));
  for (const i of REWARD_MINTS.keys())
    checkReward(exampleFarm, { i, users, reward: farm.rewardInfos[i] });
}

type RewardAccounting = {
  readonly i: number;
  readonly users: readonly UserState[];
  readonly reward: FarmState['rewardInfos'][number] | undefined;
};

function checkReward(exampleFarm: ExampleFarm, { i, users, reward }: RewardAccounting): void {
  const [mint, vault, treasury] = [REWARD_MINTS[i], REWARD_VAULTS[i], TREASURY_VAULTS[i]];
  if (!reward || !mint || !vault || !treasury) throw new Error(`no reward ${i}`);
  expect(exampleFarm.balance(vault)).toBe(reward.rewardsAvailable + reward.rewardsIssuedUnclaimed);
  const paid = sum(WALLETS.map((wallet) => exampleFarm.balance(ataOf(wallet, mint))));
  expect(exampleFarm.balance(vault) + exampleFarm.balance(treasury) + paid).toBe(INITIAL_BALANCE);
  const owed = sum(users.map((user) => user.rewardsIssuedUnclaimed[i] ?? 0n));
  expect(owed).toBeLessThanOrEqual(reward.rewardsIssuedUnclaimed);
  const earned = sum(users.map((user) => user.rewardsIssuedCumulative[i] ?? 0n));
  expect(earned).toBeLessThanOrEqual(reward.rewardsIssuedCumulative);
}

test('property: balances match the accounting, and payouts never exceed the issued rewards', () => {
  let done = 0;
  let rejected = 0;
  assertProperty(
    fc.property(terms, steps, (fields, all) => {
      const exampleFarm = new ExampleFarm(fields);
      let unix = 1_760_000_000n;
      for (const wallet of WALLETS)
        expect(exampleFarm.run(timeAtUnix(unix), initializeCall(wallet))).toBe(undefined);
      for (const step of all) {
        unix += step.pause;
        if (exampleFarm.run(timeAtUnix(unix), instructionOf(step)) !== undefined) {
          rejected++;
          continue;
        }
        done++;
        checkAccounting(exampleFarm);
      }
    }),
    30,
  );
  expect(done).toBeGreaterThan(200);
  expect(rejected).toBeGreaterThan(50);
});

test('at the end every user can withdraw everything', () => {
  const exampleFarm = new ExampleFarm();
  const start = 1_760_000_000n;
  for (const [i, wallet] of WALLETS.entries()) {
    const staked = stakeCall(wallet, 1_000n * BigInt(i + 1));
    expect(exampleFarm.run(timeAtUnix(start), initializeCall(wallet), staked)).toBeUndefined();
  }
  for (const wallet of WALLETS) {
    const leave = [unstakeCall(wallet, U64_MAX * WAD), withdrawCall(wallet)];
    const harvests = [harvestCall(wallet, 0), harvestCall(wallet, 1)];
    expect(exampleFarm.run(timeAtUnix(start + 600n), ...leave, ...harvests)).toBeUndefined();
    expect(exampleFarm.balance(ataOf(wallet, STAKED_MINT))).toBe(INITIAL_BALANCE);
  }
  // Ten per second for ten minutes in shares 1, 2 and 3 of 6, less 10 % treasury fee; a tenth of it
  // for the second reward.
  const paid = (mint: Address) => WALLETS.map((wallet) => exampleFarm.balance(ataOf(wallet, mint)));
  expect(paid(REWARD_MINTS[0])).toEqual([900n, 1_800n, 2_700n]);
  expect(paid(REWARD_MINTS[1])).toEqual([90n, 180n, 270n]);
  expect(TREASURY_VAULTS.map((vault) => exampleFarm.balance(vault))).toEqual([600n, 60n]);
  expect(exampleFarm.balance(FARM_VAULT)).toBe(0n);
});

test('the maximum amount stakes the whole balance, and a zero balance is accepted', () => {
  const exampleFarm = new ExampleFarm();
  const [wallet] = WALLETS;
  const all = stakeCall(wallet, U64_MAX);
  expect(exampleFarm.run(timeAtUnix(1_000n), initializeCall(wallet), all, all)).toBeUndefined();
  expect(exampleFarm.farm.totalStakedAmount).toBe(INITIAL_BALANCE);
  expect(exampleFarm.balance(ataOf(wallet, STAKED_MINT))).toBe(0n);
});

test('added rewards are distributed', () => {
  const exampleFarm = new ExampleFarm();
  const [wallet, giver] = WALLETS;
  const reward = { ...exampleFarm.farm.rewardInfos[0] };
  expect(reward.rewardsAvailable).toBe(INITIAL_BALANCE);
  exampleFarm.setToken(ataOf(giver, REWARD_MINTS[0]), {
    mint: REWARD_MINTS[0],
    owner: giver,
    amount: 500n,
  });
  expect(
    exampleFarm.run(timeAtUnix(1_000n), addRewardsCall(giver, { index: 0, amount: 500n })),
  ).toBeUndefined();
  const staked = [initializeCall(wallet), stakeCall(wallet, 5n)];
  expect(exampleFarm.run(timeAtUnix(1_000n), ...staked)).toBeUndefined();
  expect(exampleFarm.run(timeAtUnix(10n ** 6n), harvestCall(wallet, 0))).toBeUndefined();
  expect(exampleFarm.balance(ataOf(wallet, REWARD_MINTS[0]))).toBe(
    ((INITIAL_BALANCE + 500n) * 9n) / 10n,
  );
  expect(exampleFarm.farm.rewardInfos[0]?.rewardsAvailable).toBe(toLamports(0n));
});

test('a stake changes its owner without a token transfer, and the new owner needs no state', () => {
  const exampleFarm = new ExampleFarm();
  const [from, to] = WALLETS;
  const staked = [initializeCall(from), stakeCall(from, 600n)];
  expect(exampleFarm.run(timeAtUnix(1_000n), ...staked)).toBeUndefined();
  expect(exampleFarm.run(timeAtUnix(1_060n), transferOwnershipCall(from, to))).toBeUndefined();
  expect(exampleFarm.balance(FARM_VAULT)).toBe(600n);
  expect(exampleFarm.user(from)).toMatchObject({ activeStakeScaled: 0n, userId: 0n });
  expect(exampleFarm.user(to)).toMatchObject({
    owner: to,
    activeStakeScaled: 600n * WAD,
    userId: 1n,
  });
  // Ten per second for a minute.
  expect(exampleFarm.user(from).rewardsIssuedUnclaimed[0]).toBe(600n);
  expect(exampleFarm.hasAccount(userStateOf(to))).toBe(true);
});
