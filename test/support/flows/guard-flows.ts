import { expect } from 'vitest';
import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { BuildContext, WalletAccounts } from '#core/builders/build.ts';
import { guardBuild } from '#core/builders/guards/guard-build.ts';
import { initUserMetadata } from '#core/protocol/klend/instructions/obligations.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { GoldenAccount } from '../golden/golden.ts';
import { goldenReader } from '../golden/golden-reader.ts';
import { accountNames, instructionName } from '../protocol/instruction-account-names.ts';
import { readGoldenClusterFile } from './flow-context.ts';
import { type FlowSnapshot, flowSnapshots } from './flow-snapshots.ts';

/** A recorded list of instructions, and the context of their build. */
export type GuardFlow = {
  readonly name: string;
  readonly wallet: Address;
  readonly instructions: readonly Instruction[];
  readonly context: BuildContext;
  readonly snapshot: FlowSnapshot;
};

export function guardFlows(): GuardFlow[] {
  const { users } = readGoldenClusterFile();
  return flowSnapshots().map((snapshot) => {
    const { flow, at, accounts } = snapshot;
    const user = users.find(({ name }) => name === flow.raw['user']);
    return {
      name: flow.name,
      wallet: toAddress(user?.address ?? ''),
      instructions: withoutNewTable(flow.instructions),
      context: { state: goldenReader({ at, accounts }), accounts: flow.before },
      snapshot,
    };
  });
}

/** Finds the flow whose file name starts with a number. */
export function flowFinder(): (number: string) => GuardFlow {
  const flows = guardFlows();
  return (number) => {
    const found = flows.find(({ name }) => name.startsWith(number));
    if (found === undefined) throw new Error(`no flow ${number}`);
    return found;
  };
}

/** The first instruction with the name. */
export function findInstruction({ instructions }: GuardFlow, name: string): Instruction {
  const found = instructions.find((instruction) => instructionName(instruction) === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

export function instructionAccount(flow: GuardFlow, name: string, account: string): Address {
  const instruction = findInstruction(flow, name);
  return instruction.accounts[accountNames(instruction).indexOf(account)]?.address ?? ZERO_ADDRESS;
}

/** Replaces an address everywhere. */
export const withAddressReplaced = (flow: GuardFlow, from: Address, to: Address): GuardFlow => ({
  ...flow,
  instructions: flow.instructions.map(({ programAddress, accounts, data }) => ({
    programAddress: programAddress === from ? to : programAddress,
    accounts: accounts.map((meta) => (meta.address === from ? { ...meta, address: to } : meta)),
    data,
  })),
});

export const withoutInstruction = (flow: GuardFlow, name: string): GuardFlow => ({
  ...flow,
  instructions: flow.instructions.filter((instruction) => instructionName(instruction) !== name),
});

/** Replaces the read accounts; the state is unchanged. */
export const withLoadedAccounts = (flow: GuardFlow, accounts: WalletAccounts): GuardFlow => ({
  ...flow,
  context: { ...flow.context, accounts },
});

/** Changes an account in the state and in the read accounts. */
export function withAccount(
  flow: GuardFlow,
  address: Address,
  change: (account: GoldenAccount) => GoldenAccount,
): GuardFlow {
  const { snapshot, context } = flow;
  const original = snapshot.accounts.get(address);
  if (original === undefined) throw new Error(`${flow.name} does not have ${address}`);
  const accounts = new Map([...snapshot.accounts, [address, change(original)]]);
  const read = new Map([...context.accounts, [address, change(original)]]);
  const state = goldenReader({ at: snapshot.at, accounts });
  return { ...flow, context: { ...context, state, accounts: read } };
}

/** The official client creates a lookup table for a new wallet; our builders do not. */
function withoutNewTable(instructions: readonly Instruction[]): Instruction[] {
  return instructions
    .filter(({ programAddress }) => programAddress !== ADDRESS_LOOKUP_TABLE_PROGRAM)
    .map((instruction) => {
      const { programAddress, accounts, data } = instruction;
      const discriminator = initUserMetadata.discriminator;
      if (!discriminator.every((byte, i) => byte === data[i])) return instruction;
      const addresses = accounts.map(({ address }) => address);
      const call = initUserMetadata.decode(programAddress, { data, accounts: addresses });
      const args = { userLookupTable: ZERO_ADDRESS };
      return initUserMetadata.build(programAddress, { accounts: call.accounts, args });
    });
}

export const expectGuardAccepts = (flow: GuardFlow) =>
  expect(() => guardBuild(flow, flow.context)).not.toThrow();

export const expectGuardRejection = (flow: GuardFlow, reason: string) =>
  expect(() => guardBuild(flow, flow.context)).toThrow(reason);
