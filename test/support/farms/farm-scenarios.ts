import { expect } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { type Instruction, READ, WRITE } from '#core/base/solana/instruction.ts';
import { ExampleFarm, repeatedByteAddress, WALLETS } from './example-farm.ts';
import { timeAtUnix } from './farm-accounts.ts';
import { initializeCall, setStakeCall, stakeCall } from './farm-instructions.ts';

const [alice, bob, carol] = WALLETS;

export const START = 1_000n;
export const NOW = 1_100n;
export const OTHER_ADDRESS = repeatedByteAddress(99);
export const DELEGATE = carol;

/** Alice has staked 100 at the start, bob is there without a stake, carol is not. */
export function stakedFarm(): ExampleFarm {
  const made = new ExampleFarm();
  const calls = [initializeCall(alice), initializeCall(bob), stakeCall(alice, 100n)];
  expect(made.run(timeAtUnix(START), ...calls)).toBeUndefined();
  return made;
}

/** Alice alone has a stake of 100, and carol is who sets stakes. */
export function delegatedStakeFarm(): ExampleFarm {
  const made = new ExampleFarm({ delegateAuthority: DELEGATE });
  const calls = [
    initializeCall(alice, { authority: DELEGATE }),
    setStakeCall(DELEGATE, { wallet: alice, newAmount: 100n }),
  ];
  expect(made.run(timeAtUnix(START), ...calls)).toBeUndefined();
  return made;
}

export type RejectionCase = readonly [
  what: string,
  code: number,
  call: Instruction,
  prepare?: (made: ExampleFarm) => void,
];

/** With its title: what is refused, and with which code. */
export const titleCases = (refusals: readonly RejectionCase[]) =>
  refusals.map((refusal) => [`${refusal[0]} (${refusal[1]})`, refusal] as const);

export function expectFarmRejection(
  made: ExampleFarm,
  [, code, call, prepare]: RejectionCase,
): void {
  prepare?.(made);
  expect(made.run(timeAtUnix(NOW), call)).toEqual(customInstructionError(code));
}

export const customInstructionError = (code: number) => ({
  InstructionError: [0, { Custom: code }],
});

export const withoutSigners = (call: Instruction): Instruction => ({
  ...call,
  accounts: call.accounts.map(({ address }) => ({ address, role: WRITE })),
});

export const withExtraAccount = (call: Instruction): Instruction => ({
  ...call,
  accounts: [...call.accounts, { address: OTHER_ADDRESS, role: READ }],
});

export const addOtherTokenAccount = (owner: Address, mint: Address) => (made: ExampleFarm) =>
  made.setToken(OTHER_ADDRESS, { mint, owner, amount: 1_000n });
