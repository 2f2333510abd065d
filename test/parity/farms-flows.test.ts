import { expect, test } from 'vitest';
import { type Address, addressToBytes } from '#core/base/encoding/address.ts';
import { bytesEqual, bytesFromText } from '#core/base/encoding/bytes.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import type { AccountCodec, RawAccount } from '#core/base/solana/account.ts';
import { findProgramAddress } from '#core/base/solana/pda.ts';
import { harvestReward as harvestCall } from '#core/protocol/farms/instructions/rewards.ts';
import {
  initializeUser as initializeCall,
  setStakeDelegated as setStakeCall,
  stake as stakeCall,
  unstake as unstakeCall,
  withdrawUnstakedDeposits as withdrawCall,
} from '#core/protocol/farms/instructions/staking.ts';
import { type FarmState, farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { globalConfig } from '#core/protocol/farms/layout/global-config.ts';
import { type UserState, userState } from '#core/protocol/farms/layout/user-state.ts';
import { harvestReward } from '#core/protocol/farms/operations/rewards.ts';
import { stake, unstake, withdrawUnstakedDeposits } from '#core/protocol/farms/operations/stake.ts';
import { initializeUser, setStakeDelegated } from '#core/protocol/farms/operations/user-states.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { type FarmCall, flowFarmCalls } from '../support/flows/flow-farm-calls.ts';
import { type GoldenFlow, goldenFlows } from '../support/golden/golden.ts';

/** The farms and users after the calls of a flow so far. */
class Accounts {
  readonly #flow: GoldenFlow;
  readonly farms = new Map<Address, FarmState>();
  readonly users = new Map<Address, UserState>();
  /** Payouts of the first reward, by user state. */
  readonly paid = new Map<Address, bigint>();

  constructor(flow: GoldenFlow) {
    this.#flow = flow;
  }

  position(accounts: { farmState: Address; userState: Address }) {
    return { farm: this.farm(accounts.farmState), user: this.user(accounts.userState) };
  }

  farm(address: Address): FarmState {
    return this.farms.get(address) ?? farmState.decode(recorded(this.#flow.before, address));
  }

  user(address: Address): UserState {
    return this.users.get(address) ?? userState.decode(recorded(this.#flow.before, address));
  }

  write(
    accounts: { farmState: Address; userState: Address },
    { farm, user }: { farm: FarmState; user: UserState },
  ): void {
    this.farms.set(accounts.farmState, farm);
    this.users.set(accounts.userState, user);
  }
}

function recorded(
  accounts: ReadonlyMap<Address, RawAccount | undefined>,
  address: Address,
): RawAccount {
  const found = accounts.get(address);
  if (found === undefined) throw new Error(`${address} is not recorded`);
  return found;
}

function run(flow: GoldenFlow, state: Accounts, call: FarmCall): void {
  const { at } = call;
  const is = ({ discriminator }: { discriminator: Uint8Array }) =>
    bytesEqual(call.data.subarray(0, 8), discriminator);
  if (is(initializeCall)) {
    const { accounts } = initializeCall.decode(FARMS_PROGRAM, call);
    const { owner, delegatee } = accounts;
    const seeds = [bytesFromText('user'), ...[accounts.farmState, delegatee].map(addressToBytes)];
    const { address, bump } = findProgramAddress(seeds, FARMS_PROGRAM);
    expect(address).toBe(accounts.userState);
    const newUser = { farmState: accounts.farmState, owner, delegatee, bump };
    state.write(accounts, initializeUser(state.farm(accounts.farmState), newUser, { at }));
  } else if (is(setStakeCall)) {
    const { accounts, args } = setStakeCall.decode(FARMS_PROGRAM, call);
    state.write(accounts, setStakeDelegated(state.position(accounts), args.newAmount, { at }));
  } else if (is(stakeCall)) {
    const { accounts, args } = stakeCall.decode(FARMS_PROGRAM, call);
    expect(args.amount).toBe(U64_MAX);
    const amount = balanceChange(flow, accounts.farmVault);
    state.write(accounts, stake(state.position(accounts), amount, { at }));
  } else if (is(unstakeCall)) {
    const { accounts, args } = unstakeCall.decode(FARMS_PROGRAM, call);
    state.write(accounts, unstake(state.position(accounts), args.stakeSharesScaled, { at }));
  } else if (is(withdrawCall)) {
    const { accounts } = withdrawCall.decode(FARMS_PROGRAM, call);
    const withdrawn = withdrawUnstakedDeposits(state.position(accounts), { at });
    expect(-withdrawn.amount).toBe(balanceChange(flow, accounts.farmVault));
    state.write(accounts, withdrawn);
  } else if (is(harvestCall)) {
    runHarvest(flow, state, call);
  } else {
    throw new Error('unknown call of the farms program');
  }
}

function runHarvest(flow: GoldenFlow, state: Accounts, call: FarmCall): void {
  const { accounts, args } = harvestCall.decode(FARMS_PROGRAM, call);
  const { treasuryFeeBps } = globalConfig.decode(recorded(flow.before, accounts.globalConfig));
  const rewardIndex = Number(args.rewardIndex);
  const position = state.position(accounts);
  const harvested = harvestReward(position, { rewardIndex, treasuryFeeBps }, { at: call.at });
  const { total, user, treasury } = harvested.payout;
  expect(user).toBe(balanceChange(flow, accounts.userRewardTokenAccount));
  expect(treasury).toBe(balanceChange(flow, accounts.rewardsTreasuryVault));
  expect(-total).toBe(balanceChange(flow, accounts.rewardsVault));
  state.paid.set(accounts.userState, total);
  state.write(accounts, harvested);
}

/** The balance change of a token account over the flow. */
function balanceChange(flow: GoldenFlow, address: Address): bigint {
  const balance = ({ data }: RawAccount) => new DataView(data.buffer).getBigUint64(64, true);
  const before = flow.before.get(address);
  return balance(recorded(flow.after, address)) - (before === undefined ? 0n : balance(before));
}

function ofKind(flow: GoldenFlow, kind: Pick<AccountCodec<never>, 'matches'>): Address[] {
  return [...flow.after].flatMap(([address, account]) =>
    account !== undefined && kind.matches(account) ? address : [],
  );
}

/**
 * The recorded build is older than the counter `rewardsIssuedCumulative` and leaves it zero. Its value in the current
 * program follows from the recorded amounts: the current plus the paid minus the previous rewards.
 */
function expectedUser(flow: GoldenFlow, state: Accounts, address: Address): UserState {
  const after = userState.decode(recorded(flow.after, address));
  const before = flow.before.get(address);
  const had = before === undefined ? [] : userState.decode(before).rewardsIssuedUnclaimed;
  const earned = after.rewardsIssuedUnclaimed.map((has, i) =>
    toLamports(has + (i === 0 ? (state.paid.get(address) ?? 0n) : 0n) - (had[i] ?? 0n)),
  );
  return { ...after, rewardsIssuedCumulative: earned };
}

const flows = goldenFlows().filter((flow) => flow.err === null && flowFarmCalls(flow).length > 0);

test('21 flows change farms', () => {
  expect(flows.map(({ name }) => name.slice(0, 2)).join(' ')).toBe(
    '01 04 06 07 13 14 15 18 19 20 21 22 23 24 29 51 52 40 42 50 43',
  );
});

test.each(flows.map((flow) => [flow.name, flow] as const))(
  'after %s farms and users equal the recorded bytes',
  (_, flow) => {
    const state = new Accounts(flow);
    for (const call of flowFarmCalls(flow)) run(flow, state, call);
    const changed = (addresses: Address[]) =>
      addresses.filter((address) => flow.before.get(address) !== flow.after.get(address)).sort();
    expect([...state.farms.keys()].sort()).toEqual(changed(ofKind(flow, farmState)));
    expect([...state.users.keys()].sort()).toEqual(changed(ofKind(flow, userState)));
    for (const [address, farm] of state.farms) {
      expect(farmState.encode(farm)).toEqual(recorded(flow.after, address).data);
    }
    for (const [address, user] of state.users) {
      const expected = userState.encode(expectedUser(flow, state, address));
      expect(userState.encode(user)).toEqual(expected);
    }
  },
);
