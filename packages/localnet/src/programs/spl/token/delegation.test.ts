import { type Address, READ, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { approve, approveChecked, revoke } from '@tidegate/core/protocol/spl/instructions';
import { expect, test } from 'vitest';
import { instructionError } from '../../../../../../test/support/localnet/instruction-error.ts';
import { runNative } from '../../../../../../test/support/localnet/run-native.ts';
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  CAROL,
  MINT,
  OTHER_MINT,
  tokenAccounts,
  withRole,
} from '../../../../../../test/support/localnet/token-accounts.ts';

const approveInstruction = (owner: Address = ALICE) =>
  approve.build(TOKEN_PROGRAM, {
    accounts: { source: ALICE_TOKENS, delegate: CAROL, owner },
    args: { amount: 500n },
  });

const approveCheckedInstruction = (mint: Address, decimals: number) =>
  approveChecked.build(TOKEN_PROGRAM, {
    accounts: { source: ALICE_TOKENS, mint, delegate: CAROL, owner: ALICE },
    args: { amount: 500n, decimals },
  });

const revokeInstruction = (owner: Address = ALICE, program = TOKEN_PROGRAM) =>
  revoke.build(program, { accounts: { source: ALICE_TOKENS, owner }, args: {} });

const delegated = { delegate: CAROL, delegatedAmount: toLamports(30n) };
const frozen = { alice: { state: 2 } };

test.each([approveInstruction(), approveCheckedInstruction(MINT, 9)])(
  'a delegated amount may exceed the balance',
  (instruction) => {
    const { error, token } = runNative(tokenAccounts(), [instruction]);
    expect(error).toBeUndefined();
    expect(token(ALICE_TOKENS)).toMatchObject({
      amount: 100n,
      delegateTag: 1,
      delegate: CAROL,
      delegatedAmount: 500n,
    });
  },
);

test('a new delegate replaces the previous one', () => {
  const alice = { delegate: BOB, delegatedAmount: toLamports(3n) };
  const { token } = runNative(tokenAccounts({ alice }), [approveInstruction()]);
  expect(token(ALICE_TOKENS)).toMatchObject({ delegate: CAROL, delegatedAmount: 500n });
});

test.each([
  ['of a frozen account', 17, frozen, approveInstruction()],
  ['by another wallet', 4, {}, approveInstruction(BOB)],
  ['with another mint', 3, {}, approveCheckedInstruction(OTHER_MINT, 9)],
  ['with other decimals', 18, {}, approveCheckedInstruction(MINT, 8)],
] as const)('an approval %s is rejected', (...[, code, setup, instruction]) => {
  expect(runNative(tokenAccounts(setup), [instruction]).error).toEqual(instructionError(code));
});

test.each([ALICE, CAROL])('owner and delegate can revoke: %s', (authority) => {
  const { error, token } = runNative(tokenAccounts({ alice: delegated }), [
    revokeInstruction(authority),
  ]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS)).toMatchObject({
    delegateTag: 0,
    delegate: CAROL,
    delegatedAmount: 0n,
  });
});

test('Token-2022 also clears the key', () => {
  const setup = tokenAccounts({ program: TOKEN_2022_PROGRAM, alice: delegated });
  const { token } = runNative(setup, [revokeInstruction(ALICE, TOKEN_2022_PROGRAM)]);
  expect(token(ALICE_TOKENS)).toMatchObject({ delegateTag: 0, delegate: ZERO_ADDRESS });
});

test('nobody else can revoke, and a frozen account cannot be changed', () => {
  expect(runNative(tokenAccounts({ alice: delegated }), [revokeInstruction(BOB)]).error).toEqual(
    instructionError(4),
  );
  expect(runNative(tokenAccounts(frozen), [revokeInstruction()]).error).toEqual(
    instructionError(17),
  );
});

test.each([approveInstruction(), revokeInstruction()])('a signature is required', (instruction) => {
  expect(runNative(tokenAccounts(), [withRole(instruction, ALICE, READ)]).error).toEqual(
    instructionError('MissingRequiredSignature'),
  );
});
