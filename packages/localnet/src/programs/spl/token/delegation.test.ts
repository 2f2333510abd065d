import { type Address, READ, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { approve, approveChecked, revoke } from '@tidegate/core/protocol/spl/instructions';
import { expect, test } from 'vitest';
import {
  firstInstructionError,
  runNative,
} from '../../../../../../test/support/localnet/run-native.ts';
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

const approving = (owner: Address = ALICE) =>
  approve.build(TOKEN_PROGRAM, {
    accounts: { source: ALICE_TOKENS, delegate: CAROL, owner },
    args: { amount: 500n },
  });

const approvingChecked = (mint: Address, decimals: number) =>
  approveChecked.build(TOKEN_PROGRAM, {
    accounts: { source: ALICE_TOKENS, mint, delegate: CAROL, owner: ALICE },
    args: { amount: 500n, decimals },
  });

const revoking = (owner: Address = ALICE, program = TOKEN_PROGRAM) =>
  revoke.build(program, { accounts: { source: ALICE_TOKENS, owner }, args: {} });

const delegated = { delegate: CAROL, delegatedAmount: toLamports(30n) };
const frozen = { alice: { state: 2 } };

test.each([approving(), approvingChecked(MINT, 9)])(
  'a delegate may be given more than there is',
  (instruction) => {
    const { error, token } = runNative(tokenAccounts(), [instruction]);
    expect(error).toBeUndefined();
    expect(token(ALICE_TOKENS)).toMatchObject({
      ...{ amount: 100n, delegateTag: 1, delegate: CAROL, delegatedAmount: 500n },
    });
  },
);

test('a later delegate takes the place of the first', () => {
  const alice = { delegate: BOB, delegatedAmount: toLamports(3n) };
  const { token } = runNative(tokenAccounts({ alice }), [approving()]);
  expect(token(ALICE_TOKENS)).toMatchObject({ delegate: CAROL, delegatedAmount: 500n });
});

test.each([
  ['of a frozen account', 17, frozen, approving()],
  ['by somebody else', 4, {}, approving(BOB)],
  ['with another mint', 3, {}, approvingChecked(OTHER_MINT, 9)],
  ['with other decimals', 18, {}, approvingChecked(MINT, 8)],
] as const)('an approval %s is refused', (...[, code, scene, instruction]) => {
  expect(runNative(tokenAccounts(scene), [instruction]).error).toEqual(firstInstructionError(code));
});

test.each([ALICE, CAROL])('owner and delegate can end it: %s', (authority) => {
  const { error, token } = runNative(tokenAccounts({ alice: delegated }), [revoking(authority)]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS)).toMatchObject({
    delegateTag: 0,
    delegate: CAROL,
    delegatedAmount: 0n,
  });
});

test('Token-2022 forgets the key as well', () => {
  const scene = tokenAccounts({ program: TOKEN_2022_PROGRAM, alice: delegated });
  const { token } = runNative(scene, [revoking(ALICE, TOKEN_2022_PROGRAM)]);
  expect(token(ALICE_TOKENS)).toMatchObject({ delegateTag: 0, delegate: ZERO_ADDRESS });
});

test('nobody else can end it, nor of a frozen account', () => {
  expect(runNative(tokenAccounts({ alice: delegated }), [revoking(BOB)]).error).toEqual(
    firstInstructionError(4),
  );
  expect(runNative(tokenAccounts(frozen), [revoking()]).error).toEqual(firstInstructionError(17));
});

test.each([approving(), revoking()])('it must be signed', (instruction) => {
  expect(runNative(tokenAccounts(), [withRole(instruction, ALICE, READ)]).error).toEqual(
    firstInstructionError('MissingRequiredSignature'),
  );
});
