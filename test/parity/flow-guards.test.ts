import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { CodedError } from '#core/base/errors.ts';
import type { AccountMeta, Instruction, Role } from '#core/base/solana/instruction.ts';
import { guardBuild } from '#core/builders/guards/guard-build.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { mint } from '#core/protocol/spl/layout/mint.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import {
  type GuardFlow,
  guardFlows,
  withAddressReplaced,
  withoutInstruction,
} from '../support/flows/guard-flows.ts';
import { pinned, testPinned } from '../support/golden/pinned-figures.ts';
import { numberedAddress } from '../support/protocol/codecs.ts';
import { accountNames, instructionName } from '../support/protocol/instruction-account-names.ts';

const flows = guardFlows();
const FOREIGN_WALLET = numberedAddress(1);

/** Operations of the official client that Tidegate does not build. */
const others = new Map([
  ...[18, 19, 20, 21].map((number) => [number, 'version 1 instructions'] as const),
  [24, 'two operations in one instruction'],
  ...[26, 27].map((number) => [number, 'cTokens in the wallet'] as const),
  ...[30, 31, 32, 33, 34].map((number) => [number, 'the instructions of a swap'] as const),
]);

const isAllowed = ({ name }: GuardFlow): boolean => !others.has(Number(name.slice(0, 2)));
const allowedFlows = flows.filter(isAllowed);

/** The reason of the guard, or undefined if the build passes. Rethrows every other error. */
function rejection({ wallet, instructions, context }: Omit<GuardFlow, 'name'>): string | undefined {
  try {
    guardBuild({ wallet, instructions }, context);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'UNSAFE_BUILD') return error.message;
    throw error;
  }
  return undefined;
}

testPinned('the guard allows 37 of the 49 flows', () => {
  expect([flows.length, allowedFlows.length]).toEqual([pinned.flows.all, pinned.flows.allowed]);
});

test.each(allowedFlows)('$name passes', (flow) => {
  expect(rejection(flow)).toBeUndefined();
});

test.each(flows.filter((flow) => !isAllowed(flow)))('$name is rejected', (flow) => {
  expect(rejection(flow)).toMatch(/is not allowed/);
});

test.each(allowedFlows)('$name is rejected for another wallet', (flow) => {
  expect(rejection({ ...flow, wallet: numberedAddress(5) })).toMatch(/ is /);
});

test.each(allowedFlows)("$name is rejected with another wallet's token account", (flow) => {
  const tokens = [...flow.context.accounts].flatMap(([address, account]) => {
    if (account === undefined || !tokenAccount.matches(account)) return [];
    const held = tokenAccount.decode(account);
    return held.owner === flow.wallet ? [{ address, mint: held.mint, program: account.owner }] : [];
  });
  // without the instructions that create and close the accounts, which would be rejected earlier
  const bare = ['createIdempotent', 'closeAccount'].reduce(withoutInstruction, flow);
  for (const { address, mint, program } of tokens) {
    const redirected = withAddressReplaced(
      bare,
      address,
      associatedTokenAddress(FOREIGN_WALLET, mint, program),
    );
    expect(rejection(redirected)).toMatch(/ is /);
  }
});

/** An instruction of a flow. */
type FlowInstruction = { readonly kind: string; readonly flow: GuardFlow; readonly index: number };

/** Every instruction type with every combination of optional accounts, in the shortest flow that has it. */
function instructionsByKind(): FlowInstruction[] {
  const byKind = new Map<string, FlowInstruction>();
  for (const flow of allowedFlows.toSorted(
    (a, b) => a.instructions.length - b.instructions.length,
  )) {
    flow.instructions.forEach((instruction, index) => {
      const { programAddress, accounts } = instruction;
      const shape = accounts.map(({ address }) => (address === programAddress ? '-' : '+'));
      const kind = `${instructionName(instruction)} ${shape.join('')}`;
      if (!byKind.has(kind)) byKind.set(kind, { kind, flow, index });
    });
  }
  return [...byKind.values()];
}

const flowInstructions = instructionsByKind();

function instructionAt({ flow, index }: FlowInstruction): Instruction {
  const found = flow.instructions[index];
  if (found === undefined) throw new Error(`${flow.name} has no instruction ${index}`);
  return found;
}

/** Whether the flow passes with a replaced instruction. */
function passesWith({ flow, index }: FlowInstruction, instruction: Instruction): boolean {
  return (
    rejection({ ...flow, instructions: flow.instructions.with(index, instruction) }) === undefined
  );
}

function passesWithAccount(
  flowInstruction: FlowInstruction,
  at: number,
  meta: AccountMeta,
): boolean {
  const instruction = instructionAt(flowInstruction);
  return passesWith(flowInstruction, {
    ...instruction,
    accounts: instruction.accounts.with(at, meta),
  });
}

/** All addresses of the flow, a foreign wallet with its token accounts, and foreign accounts of every type. */
function substitutes({ flow: { instructions, context } }: FlowInstruction): Set<Address> {
  const { state } = context;
  const named = instructions.flatMap(({ programAddress, accounts }) => [
    programAddress,
    ...accounts.map(({ address }) => address),
  ]);
  const redirected = named.flatMap((address) => {
    const account = context.accounts.get(address);
    const isMint = account !== undefined && mint.matches(account);
    return isMint ? [associatedTokenAddress(FOREIGN_WALLET, address, account.owner)] : [];
  });
  const markets = state.markets().map(({ address }) => address);
  const obligations = markets.flatMap((market) => [...state.obligationsIn(market)].slice(0, 2));
  const reserves = markets.flatMap((market) => state.reservesOf(market).slice(0, 2));
  const held = [...state.vaults(), ...reserves, ...obligations].map(({ address }) => address);
  return new Set([...named, FOREIGN_WALLET, ...redirected, ...markets, ...held]);
}

/** Describes an accepted replacement. */
function describeChange(flowInstruction: FlowInstruction, from: Address, to: Address): string {
  const { state } = flowInstruction.flow.context;
  if (to === instructionAt(flowInstruction).programAddress) return 'absent';
  const vaults = instructionAt(flowInstruction).accounts.flatMap(
    ({ address }) => state.vault(address) ?? [],
  );
  const reserves = vaults.flatMap(({ fields }) =>
    [...fields.vaultAllocationStrategy].map(({ reserve }) => reserve),
  );
  const marketOf = (reserve: Address) => state.reserve(reserve)?.fields.lendingMarket;
  if (reserves.includes(from) && reserves.includes(to)) return 'another reserve of the vault';
  const markets = reserves.map(marketOf);
  if (markets.includes(from) && markets.includes(to)) return 'another market of the vault';
  const isSameMarket = marketOf(from) !== undefined && marketOf(from) === marketOf(to);
  return isSameMarket ? 'another reserve of the market' : to;
}

/**
 * The only replacements that pass, all harmless: anyone can refresh any reserve, and without its price account it keeps
 * its price. The programs check the remaining accounts and reject any list that is not exactly the obligation's or the
 * vault's; these accounts receive no funds.
 */
const harmless = [
  'borrowObligationLiquidityV2 remaining: another reserve of the market',
  'deposit remaining: another market of the vault',
  'deposit remaining: another reserve of the vault',
  'refreshObligation remaining: another reserve of the market',
  'refreshReserve reserve: another reserve of the market',
  'refreshReserve scopePrices: absent',
  'withdraw remaining: another market of the vault',
  'withdraw remaining: another reserve of the vault',
  'withdrawFromAvailable remaining: another market of the vault',
  'withdrawFromAvailable remaining: another reserve of the vault',
];

/** Replacements of one account that the guard accepts. */
function acceptedChanges(flowInstruction: FlowInstruction): string[] {
  const instruction = instructionAt(flowInstruction);
  const slots = accountNames(instruction);
  return instruction.accounts.flatMap((meta, at) =>
    [...substitutes(flowInstruction)]
      .filter((address) => address !== meta.address)
      .filter((address) => passesWithAccount(flowInstruction, at, { ...meta, address }))
      .map((address) => {
        const change = describeChange(flowInstruction, meta.address, address);
        return `${instructionName(instruction)} ${slots[at] ?? 'remaining'}: ${change}`;
      }),
  );
}

test('only harmless address replacements pass in any instruction', () => {
  expect([...new Set(flowInstructions.flatMap(acceptedChanges))].sort()).toEqual(harmless);
});

test.each(flowInstructions)('$kind: no other account role passes', (flowInstruction) => {
  const roles: readonly Role[] = [0, 1, 2, 3];
  const passed = instructionAt(flowInstruction).accounts.flatMap((meta, at) =>
    roles
      .filter(
        (role) => role !== meta.role && passesWithAccount(flowInstruction, at, { ...meta, role }),
      )
      .map((role) => `${at} as ${role}`),
  );
  expect(passed).toEqual([]);
});

test.each(flowInstructions)('$kind: no additional or missing account passes', (flowInstruction) => {
  const instruction = instructionAt(flowInstruction);
  const { accounts } = instruction;
  for (const role of [0, 1, 2, 3] as const) {
    const more = [...accounts, { address: FOREIGN_WALLET, role }];
    expect(passesWith(flowInstruction, { ...instruction, accounts: more })).toBe(false);
  }
  const named = accountNames(instruction).length;
  for (let at = 0; at < named; at++) {
    expect(
      passesWith(flowInstruction, { ...instruction, accounts: accounts.toSpliced(at, 1) }),
    ).toBe(false);
  }
});

test.each(flowInstructions)('$kind: no additional or missing byte passes', (flowInstruction) => {
  const instruction = instructionAt(flowInstruction);
  const { data } = instruction;
  for (const bytes of [[...data, 0], [...data.subarray(0, -1)], []]) {
    expect(passesWith(flowInstruction, { ...instruction, data: Uint8Array.from(bytes) })).toBe(
      false,
    );
  }
});
