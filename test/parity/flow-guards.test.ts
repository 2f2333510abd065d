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
import { numberedAddress } from '../support/protocol/codecs.ts';
import { accountNames, instructionName } from '../support/protocol/instruction-account-names.ts';

const flows = guardFlows();
const STRANGER = numberedAddress(1);

/** Operations of the official client that are not ours. */
const others = new Map([
  ...[18, 19, 20, 21].map((number) => [number, 'instructions of the first generation'] as const),
  [24, 'two operations in one instruction'],
  ...[26, 27].map((number) => [number, 'receipt tokens in the wallet'] as const),
  [29, 'a liquidation'],
  ...[28, 30, 31, 32, 33, 34].map((number) => [number, 'a flash loan'] as const),
]);

const isOurs = ({ name }: GuardFlow): boolean => !others.has(Number(name.slice(0, 2)));
const ours = flows.filter(isOurs);

/** What the guard says; undefined when the build passes. Any other failure than its own is one of the test. */
function refusal({ wallet, instructions, context }: Omit<GuardFlow, 'name'>): string | undefined {
  try {
    guardBuild({ wallet, instructions }, context);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'UNSAFE_BUILD') return error.message;
    throw error;
  }
  return undefined;
}

test('35 of the 49 flows are of kinds that we build', () => {
  expect([flows.length, ours.length]).toEqual([49, 35]);
});

test.each(ours)('$name passes', (flow) => {
  expect(refusal(flow)).toBeUndefined();
});

test.each(flows.filter((flow) => !isOurs(flow)))('$name does not pass', (flow) => {
  expect(refusal(flow)).toMatch(/is not one that we build/);
});

test.each(ours)('$name does not pass for another wallet', (flow) => {
  expect(refusal({ ...flow, wallet: numberedAddress(5) })).toMatch(/ is /);
});

test.each(ours)('$name does not pass with the token account of a stranger', (flow) => {
  const tokens = [...flow.context.accounts].flatMap(([address, account]) => {
    if (account === undefined || !tokenAccount.matches(account)) return [];
    const held = tokenAccount.decode(account);
    return held.owner === flow.wallet ? [{ address, mint: held.mint, program: account.owner }] : [];
  });
  // without what makes sure that the accounts are there and closes them, which would be refused already
  const bare = ['createIdempotent', 'closeAccount'].reduce(withoutInstruction, flow);
  for (const { address, mint, program } of tokens) {
    const stolen = withAddressReplaced(
      bare,
      address,
      associatedTokenAddress(STRANGER, mint, program),
    );
    expect(refusal(stolen)).toMatch(/ is /);
  }
});

/** One instruction of a flow. */
type Place = { readonly kind: string; readonly flow: GuardFlow; readonly index: number };

/** Every kind of instruction with every choice of optional accounts, in the shortest flow that has it. */
function placesOfKinds(): Place[] {
  const byKind = new Map<string, Place>();
  for (const flow of ours.toSorted((a, b) => a.instructions.length - b.instructions.length)) {
    flow.instructions.forEach((instruction, index) => {
      const { programAddress, accounts } = instruction;
      const shape = accounts.map(({ address }) => (address === programAddress ? '-' : '+'));
      const kind = `${instructionName(instruction)} ${shape.join('')}`;
      if (!byKind.has(kind)) byKind.set(kind, { kind, flow, index });
    });
  }
  return [...byKind.values()];
}

const places = placesOfKinds();

function instructionAt({ flow, index }: Place): Instruction {
  const found = flow.instructions[index];
  if (found === undefined) throw new Error(`${flow.name} has no instruction ${index}`);
  return found;
}

/** Whether the flow passes with another instruction in that place. */
function passesWith({ flow, index }: Place, instruction: Instruction): boolean {
  return (
    refusal({ ...flow, instructions: flow.instructions.with(index, instruction) }) === undefined
  );
}

function passesWithAccount(place: Place, at: number, meta: AccountMeta): boolean {
  const instruction = instructionAt(place);
  return passesWith(place, { ...instruction, accounts: instruction.accounts.with(at, meta) });
}

/** Everything that the flow names, a stranger and his token accounts, and others' accounts of every kind. */
function substitutes({ flow: { instructions, context } }: Place): Set<Address> {
  const { state } = context;
  const named = instructions.flatMap(({ programAddress, accounts }) => [
    programAddress,
    ...accounts.map(({ address }) => address),
  ]);
  const stolen = named.flatMap((address) => {
    const account = context.accounts.get(address);
    const isMint = account !== undefined && mint.matches(account);
    return isMint ? [associatedTokenAddress(STRANGER, address, account.owner)] : [];
  });
  const markets = state.markets().map(({ address }) => address);
  const obligations = markets.flatMap((market) => [...state.obligationsIn(market)].slice(0, 2));
  const reserves = markets.flatMap((market) => state.reservesOf(market).slice(0, 2));
  const held = [...state.vaults(), ...reserves, ...obligations].map(({ address }) => address);
  return new Set([...named, STRANGER, ...stolen, ...markets, ...held]);
}

/** What an accepted substitute is, in the place of what was there. */
function describeChange(place: Place, from: Address, to: Address): string {
  const { state } = place.flow.context;
  if (to === instructionAt(place).programAddress) return 'absent';
  const vaults = instructionAt(place).accounts.flatMap(({ address }) => state.vault(address) ?? []);
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
 * The only accounts that may be others, and why that harms nobody: anyone may refresh any reserve, and without its
 * price account it keeps the price that it has. The lists behind the named accounts are counted and compared by
 * the programs, which refuse any that is not exactly the obligation's or the vault's; nothing is paid to them.
 */
const harmless = [
  'borrowObligationLiquidityV2 behind: another reserve of the market',
  'deposit behind: another market of the vault',
  'deposit behind: another reserve of the vault',
  'refreshObligation behind: another reserve of the market',
  'refreshReserve reserve: another reserve of the market',
  'refreshReserve scopePrices: absent',
  'withdraw behind: another market of the vault',
  'withdraw behind: another reserve of the vault',
  'withdrawFromAvailable behind: another market of the vault',
  'withdrawFromAvailable behind: another reserve of the vault',
];

/** Changes of one account of an instruction that the guard lets pass. */
function acceptedChanges(place: Place): string[] {
  const instruction = instructionAt(place);
  const slots = accountNames(instruction);
  return instruction.accounts.flatMap((meta, at) =>
    [...substitutes(place)]
      .filter((address) => address !== meta.address)
      .filter((address) => passesWithAccount(place, at, { ...meta, address }))
      .map((address) => {
        const change = describeChange(place, meta.address, address);
        return `${instructionName(instruction)} ${slots[at] ?? 'behind'}: ${change}`;
      }),
  );
}

test('no other address passes in any place of any kind of instruction, but harmless ones', () => {
  expect([...new Set(places.flatMap(acceptedChanges))].sort()).toEqual(harmless);
}, 120_000);

test.each(places)('$kind: no other role passes in any place', (place) => {
  const roles: readonly Role[] = [0, 1, 2, 3];
  const passed = instructionAt(place).accounts.flatMap((meta, at) =>
    roles
      .filter((role) => role !== meta.role && passesWithAccount(place, at, { ...meta, role }))
      .map((role) => `${at} as ${role}`),
  );
  expect(passed).toEqual([]);
});

test.each(places)('$kind: no account more, none less', (place) => {
  const instruction = instructionAt(place);
  const { accounts } = instruction;
  for (const role of [0, 1, 2, 3] as const) {
    const more = [...accounts, { address: STRANGER, role }];
    expect(passesWith(place, { ...instruction, accounts: more })).toBe(false);
  }
  const named = accountNames(instruction).length;
  for (let at = 0; at < named; at++) {
    expect(passesWith(place, { ...instruction, accounts: accounts.toSpliced(at, 1) })).toBe(false);
  }
});

test.each(places)('$kind: no byte more, none less', (place) => {
  const instruction = instructionAt(place);
  const { data } = instruction;
  for (const bytes of [[...data, 0], [...data.subarray(0, -1)], []]) {
    expect(passesWith(place, { ...instruction, data: Uint8Array.from(bytes) })).toBe(false);
  }
});
