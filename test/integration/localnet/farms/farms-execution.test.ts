import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import type { RawInstruction } from '#core/base/solana/instruction.ts';
import { harvestReward } from '#core/protocol/farms/instructions/rewards.ts';
import { stake } from '#core/protocol/farms/instructions/staking.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { farmsReleases } from '#core/protocol/farms/releases.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { createFarmsProgram, farmsProgram } from '#localnet/programs/farms/farms-program.ts';
import { standardPrograms } from '#localnet/programs/spl/standard-programs.ts';
import { farmLogs, runFarms, toInstruction } from '../../../support/farms/run-farms.ts';
import { flowFarmCalls } from '../../../support/flows/flow-farm-calls.ts';
import { type FlowSnapshot, flowSnapshots } from '../../../support/flows/flow-snapshots.ts';
import { runFlow } from '../../../support/flows/run-flow.ts';
import type { GoldenAccount } from '../../../support/golden/golden.ts';
import { pinned, testPinned } from '../../../support/golden/pinned-figures.ts';
import { exampleTokenAccount } from '../../../support/localnet/example-token.ts';

const goldenBuild = createFarmsProgram(farmsReleases[0].rules);

const snapshot = flowSnapshots().filter(
  ({ flow }) => flow.err === null && flowFarmCalls(flow).length > 0,
);
const named = snapshot.map((each) => [each.flow.name, each] as const);

function runCalls(each: FlowSnapshot, program = goldenBuild) {
  const instructions = flowFarmCalls(each.flow).map(toInstruction);
  return runFarms({ program, accounts: withTokens(each), at: each.at, instructions });
}

/**
 * What other programs do in between: the vault mints the shares to stake, and a wallet opens its
 * token account.
 */
function withTokens({ flow, accounts }: FlowSnapshot): Map<Address, GoldenAccount> {
  const all = new Map(accounts);
  const tokenProgram = TOKEN_PROGRAM;
  for (const call of flowFarmCalls(flow)) {
    if (isCall(stake, call)) {
      const { userAta, farmVault, owner, tokenMint } = stake.decode(FARMS_PROGRAM, call).accounts;
      const amount = balance(flow.after.get(farmVault)) - balance(flow.before.get(farmVault));
      all.set(userAta, exampleTokenAccount({ mint: tokenMint, owner, tokenProgram, amount }));
    }
    if (isCall(harvestReward, call)) {
      const {
        payer: owner,
        userRewardTokenAccount: address,
        rewardMint: mint,
      } = harvestReward.decode(FARMS_PROGRAM, call).accounts;
      if (!all.has(address))
        all.set(address, exampleTokenAccount({ mint, owner, tokenProgram, amount: 0n }));
    }
  }
  return all;
}

const isCall = (
  { discriminator }: { discriminator: Uint8Array },
  { data }: RawInstruction,
): boolean => bytesEqual(data.subarray(0, 8), discriminator);

const balance = (account: GoldenAccount | undefined): bigint =>
  account === undefined ? 0n : tokenAccount.decode(account).amount;

testPinned('21 golden flows call the farms program', () => {
  expect(named).toHaveLength(pinned.flows.farms);
});

test.each(named)('after %s all farms accounts match the recording', (_, each) => {
  const { error, live } = runCalls(each);
  expect(error).toBeUndefined();
  const unchanged = [...each.flow.after].filter(([, account]) => account?.owner === FARMS_PROGRAM);
  expect(unchanged.length).toBeGreaterThan(0);
  for (const [address, account] of unchanged) expect(live.get(address)).toEqual(account);
});

test.each(named)('the logs of %s match the recording', (_, each) => {
  const recorded = each.flow.transactions.flatMap(({ logs }) => farmLogs(logs));
  expect(farmLogs(runCalls(each).logs)).toEqual(recorded);
});

test.each(named)('the inner calls of %s match the recording', (_, each) => {
  const { inner } = runCalls(each);
  for (const [i, call] of flowFarmCalls(each.flow).entries()) {
    if (call.inner === undefined) continue;
    const calls = (inner.get(i) ?? []).map(({ instruction }) => ({
      program: instruction.programAddress,
      data: instruction.data,
      accounts: instruction.accounts.map(({ address }) => address),
    }));
    expect(calls).toEqual(call.inner);
  }
});

const moving = named.filter(([name]) => /^(40|42|43|50|51|52)/.test(name));

test.each(moving)('after %s the token vaults match the recording', (_, each) => {
  const { live } = runCalls(each);
  const vaults = flowFarmCalls(each.flow).flatMap((call) =>
    call.accounts.filter((address) => isVault(each, address)),
  );
  expect(vaults.length).toBeGreaterThan(0);
  for (const address of vaults) expect(live.get(address)).toEqual(each.flow.after.get(address));
});

/**
 * Token accounts of the farm, its rewards or the treasury: their authority is a derived address.
 */
function isVault({ flow }: FlowSnapshot, address: Address): boolean {
  const account = flow.before.get(address);
  if (account === undefined || !tokenAccount.matches(account)) return false;
  return flow.before.get(tokenAccount.decode(account).owner) === undefined;
}

/** The fee of one signature, which this run does not charge. */
const FEE = 5000n;

const claims = named.filter(([name]) => /^5/.test(name));

test.each(claims)('after %s as a transaction, all accounts match the recording', (_, each) => {
  const programs = new Map([...standardPrograms, [FARMS_PROGRAM, goldenBuild]]);
  const { error, changes } = runFlow(each, programs);
  expect(error).toBeUndefined();
  const payer = each.flow.instructions[0]?.accounts[0]?.address;
  for (const [address, account] of each.flow.after) {
    const actual = changes.get(address) ?? each.accounts.get(address);
    const fee = address === payer ? FEE : 0n;
    expect(actual && { ...actual, lamports: actual.lamports - fee }).toEqual(account);
  }
});

test('the current program counts cumulative user rewards and is otherwise equal', () => {
  for (const each of snapshot) {
    const { live } = runCalls(each, farmsProgram);
    for (const [address, account] of each.flow.after) {
      if (account?.owner !== FARMS_PROGRAM) continue;
      const actual = live.get(address);
      if (!userState.matches(account)) {
        expect(actual).toEqual(account);
        continue;
      }
      const { rewardsIssuedCumulative, ...rest } = userState.decode(actual);
      const { rewardsIssuedCumulative: none, ...recorded } = userState.decode(account);
      expect(rest).toEqual(recorded);
      expect(none.every((count) => count === 0n)).toBe(true);
      expect(rewardsIssuedCumulative[0]).toBeGreaterThanOrEqual(0n);
    }
  }
});
