import { expect } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { type Instruction, READ, WRITE } from '#core/base/solana/instruction.ts';
import { instructionError } from '../localnet/instruction-error.ts';
import { ExampleFarm, repeatedByteAddress, WALLETS } from './example-farm.ts';
import { timeAtUnix } from './farm-accounts.ts';
import { initializeCall, setStakeCall, stakeCall } from './farm-instructions.ts';

const [alice, bob, carol] = WALLETS;

export const START = 1_000n;
export const NOW = 1_100n;
export const OTHER_ADDRESS = repeatedByteAddress(99);
export const DELEGATE = carol;

/** Alice has a stake of 100, bob has a user state without a stake, and carol has none. */
export function stakedFarm(): ExampleFarm {
  const farm = new ExampleFarm();
  const calls = [initializeCall(alice), initializeCall(bob), stakeCall(alice, 100n)];
  expect(farm.run(timeAtUnix(START), ...calls)).toBeUndefined();
  return farm;
}

/** Alice has a stake of 100. Carol is the delegate authority. */
export function delegatedStakeFarm(): ExampleFarm {
  const farm = new ExampleFarm({ delegateAuthority: DELEGATE });
  const calls = [
    initializeCall(alice, { authority: DELEGATE }),
    setStakeCall(DELEGATE, { wallet: alice, newAmount: 100n }),
  ];
  expect(farm.run(timeAtUnix(START), ...calls)).toBeUndefined();
  return farm;
}

export type RejectionCase = readonly [
  what: string,
  code: number,
  call: Instruction,
  prepare?: (farm: ExampleFarm) => void,
];

/** Adds a title with the rejected action and the error code. */
export const titleCases = (cases: readonly RejectionCase[]) =>
  cases.map(
    (rejectionCase) => [`${rejectionCase[0]} (${rejectionCase[1]})`, rejectionCase] as const,
  );

export function expectFarmRejection(
  farm: ExampleFarm,
  [, code, call, prepare]: RejectionCase,
): void {
  prepare?.(farm);
  expect(farm.run(timeAtUnix(NOW), call)).toEqual(instructionError(code));
}

export const withoutSigners = (call: Instruction): Instruction => ({
  ...call,
  accounts: call.accounts.map(({ address }) => ({ address, role: WRITE })),
});

export const withExtraAccount = (call: Instruction): Instruction => ({
  ...call,
  accounts: [...call.accounts, { address: OTHER_ADDRESS, role: READ }],
});

export const addOtherTokenAccount = (owner: Address, mint: Address) => (farm: ExampleFarm) =>
  farm.setToken(OTHER_ADDRESS, { mint, owner, amount: 1_000n });
