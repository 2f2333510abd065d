import { expect } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { type Instruction, READ, WRITE } from '#core/base/solana/instruction.ts';
import { MadeFarm, madeAddress, WALLETS } from './example-farm.ts';
import { atUnix } from './farm-accounts.ts';
import { initializeCall, setStakeCall, stakeCall } from './farm-instructions.ts';

const [alice, bob, carol] = WALLETS;

export const START = 1_000n;
export const NOW = 1_100n;
export const ELSEWHERE = madeAddress(99);
export const DELEGATE = carol;

/** Alice has staked 100 at the start, bob is there without a stake, carol is not. */
export function farmScene(): MadeFarm {
  const made = new MadeFarm();
  const calls = [initializeCall(alice), initializeCall(bob), stakeCall(alice, 100n)];
  expect(made.run(atUnix(START), ...calls)).toBeUndefined();
  return made;
}

/** Alice alone has a stake of 100, and carol is who sets stakes. */
export function delegatedScene(): MadeFarm {
  const made = new MadeFarm({ delegateAuthority: DELEGATE });
  const calls = [
    initializeCall(alice, { authority: DELEGATE }),
    setStakeCall(DELEGATE, { wallet: alice, newAmount: 100n }),
  ];
  expect(made.run(atUnix(START), ...calls)).toBeUndefined();
  return made;
}

export type Refusal = readonly [
  what: string,
  code: number,
  call: Instruction,
  prepare?: (made: MadeFarm) => void,
];

/** With its title: what is refused, and with which code. */
export const titled = (refusals: readonly Refusal[]) =>
  refusals.map((refusal) => [`${refusal[0]} (${refusal[1]})`, refusal] as const);

export function expectRefused(made: MadeFarm, [, code, call, prepare]: Refusal): void {
  prepare?.(made);
  expect(made.run(atUnix(NOW), call)).toEqual(custom(code));
}

export const custom = (code: number) => ({ InstructionError: [0, { Custom: code }] });

export const unsigned = (call: Instruction): Instruction => ({
  ...call,
  accounts: call.accounts.map(({ address }) => ({ address, role: WRITE })),
});

export const withMore = (call: Instruction): Instruction => ({
  ...call,
  accounts: [...call.accounts, { address: ELSEWHERE, role: READ }],
});

export const otherTokens = (owner: Address, mint: Address) => (made: MadeFarm) =>
  made.putToken(ELSEWHERE, { mint, owner, amount: 1_000n });
