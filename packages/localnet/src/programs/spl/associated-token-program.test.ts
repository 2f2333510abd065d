import { type Address, type Instruction, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@tidegate/core/protocol/spl';
import {
  createAssociatedToken,
  createAssociatedTokenIdempotent,
  createAssociatedTokenWithoutData,
  tokenTransfer,
} from '@tidegate/core/protocol/spl/instructions';
import { expect, test } from 'vitest';
import { instructionError } from '../../../../../test/support/localnet/instruction-error.ts';
import {
  mintAccount,
  runNative,
  tokenHolding,
  walletAccount,
} from '../../../../../test/support/localnet/run-native.ts';
import { extensionsOf } from '../../../../../test/support/localnet/token-accounts.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';

const PAYER = numberedAddress(1);
const OWNER = numberedAddress(2);
const MINT = numberedAddress(3);
const OTHER = numberedAddress(4);
const ATA = associatedTokenAddress(OWNER, MINT, TOKEN_PROGRAM);

const payer = [PAYER, walletAccount()] as const;
const mint = [MINT, mintAccount({})] as const;

const createAccounts = (tokenProgram: Address) => ({
  payer: PAYER,
  ata: associatedTokenAddress(OWNER, MINT, tokenProgram),
  owner: OWNER,
  mint: MINT,
  systemProgram: SYSTEM_PROGRAM,
  tokenProgram,
});

const idempotent = (
  changes: Partial<ReturnType<typeof createAccounts>> = {},
  program = TOKEN_PROGRAM,
) =>
  createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
    accounts: { ...createAccounts(program), ...changes },
    args: {},
  });

const create = createAssociatedToken.build(ASSOCIATED_TOKEN_PROGRAM, {
  accounts: createAccounts(TOKEN_PROGRAM),
  args: {},
});

const withoutData = createAssociatedTokenWithoutData.build(ASSOCIATED_TOKEN_PROGRAM, {
  accounts: createAccounts(TOKEN_PROGRAM),
  args: {},
});

/** Program and first data byte of each inner instruction. */
const innerCalls = (inner: readonly { readonly instruction: Instruction }[] = []) =>
  inner.map(({ instruction }) => [instruction.programAddress, instruction.data[0]]);

test.each([create, withoutData, idempotent()])(
  'a new account is funded and initialized',
  (instruction) => {
    const { error, token, account, inner } = runNative([payer, mint], [instruction]);
    expect(error).toBeUndefined();
    expect(token(ATA)).toMatchObject({ mint: MINT, owner: OWNER, amount: 0n, state: 1 });
    expect([account(ATA).lamports, account(PAYER).lamports]).toEqual([2_039_280n, 9_997_960_720n]);
    expect(innerCalls(inner.get(0))).toEqual([
      [TOKEN_PROGRAM, 0x15],
      [SYSTEM_PROGRAM, 0],
      [TOKEN_PROGRAM, 0x16],
      [TOKEN_PROGRAM, 0x12],
    ]);
  },
);

test('an address derived from another owner is rejected', () => {
  const { error, logs } = runNative([payer, mint], [idempotent({ owner: OTHER })]);
  expect(error).toEqual(instructionError('InvalidSeeds'));
  expect(logs).toContain('Program log: Error: Associated address does not match seed derivation');
});

test('existing lamports at the address are topped up', () => {
  const funded = [ATA, walletAccount(39_280n)] as const;
  const { error, account, inner } = runNative([payer, mint, funded], [create]);
  expect(error).toBeUndefined();
  expect([account(ATA).lamports, account(PAYER).lamports]).toEqual([2_039_280n, 9_998_000_000n]);
  expect(innerCalls(inner.get(0)).slice(1, 4)).toEqual([
    [SYSTEM_PROGRAM, 2],
    [SYSTEM_PROGRAM, 8],
    [SYSTEM_PROGRAM, 1],
  ]);
});

test('SOL at the address of a wrapped SOL account becomes tokens', () => {
  const ata = associatedTokenAddress(OWNER, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
  const funded = [ata, walletAccount(2_039_280n + 5n)] as const;
  const sol = [WRAPPED_SOL_MINT, mintAccount({})] as const;
  const instruction = idempotent({ mint: WRAPPED_SOL_MINT, ata });
  const { error, token, account } = runNative([payer, sol, funded], [instruction]);
  expect(error).toBeUndefined();
  expect(token(ata).amount).toBe(5n);
  expect(account(PAYER).lamports).toBe(10_000_000_000n);
});

test('an existing account is left unchanged by createIdempotent and rejected by create', () => {
  const existing = [
    ATA,
    tokenHolding({ mint: MINT, owner: OWNER, amount: toLamports(9n) }),
  ] as const;
  const repeated = runNative([payer, mint, existing], [idempotent()]);
  expect(repeated.error).toBeUndefined();
  expect(repeated.inner.size).toBe(0);
  expect(repeated.account(ATA)).toEqual(existing[1]);
  const { error } = runNative([payer, mint, existing], [create]);
  expect(error).toEqual(instructionError('IllegalOwner'));
});

test('an account whose owner was changed is rejected', () => {
  const reassigned = [ATA, tokenHolding({ mint: MINT, owner: OTHER })] as const;
  expect(runNative([payer, mint, reassigned], [idempotent()]).error).toEqual(instructionError(0));
});

test('a missing mint, or one of the other token program, is rejected', () => {
  expect(runNative([payer, [MINT, walletAccount()]], [idempotent()]).error).toEqual(
    instructionError('IncorrectProgramId'),
  );
  const foreign = [MINT, mintAccount({}, TOKEN_2022_PROGRAM)] as const;
  expect(runNative([payer, foreign], [idempotent()]).error).toEqual(
    instructionError('IncorrectProgramId'),
  );
});

test('creation fails if the payer lacks lamports', () => {
  const poor = [PAYER, walletAccount(2_039_279n)] as const;
  const { error, logs } = runNative([poor, mint], [idempotent()]);
  expect(error).toEqual(instructionError(1));
  expect(logs).toContain('Transfer: insufficient lamports 2039279, need 2039280');
});

test('a Token-2022 account has the size that its mint requires, and an immutable owner', () => {
  const hook = {
    kind: 'transferHook',
    value: { authority: OTHER, programId: ZERO_ADDRESS },
  } as const;
  const extensions = extensionsOf([hook]);
  const extended = [MINT, mintAccount({ extensions }, TOKEN_2022_PROGRAM)] as const;
  const ata = associatedTokenAddress(OWNER, MINT, TOKEN_2022_PROGRAM);
  const { error, token, account } = runNative(
    [payer, extended],
    [idempotent({}, TOKEN_2022_PROGRAM)],
  );
  expect(error).toBeUndefined();
  // 165, the type byte, 4 for the owner, 5 for the hook.
  expect(account(ata).data).toHaveLength(175);
  expect(account(ata).lamports).toBe(2_108_880n);
  expect(token(ata).extensions?.entries.map(({ kind }) => kind)).toEqual([
    'immutableOwner',
    'transferHookAccount',
  ]);
});

test('a new account can be used in the same transaction', () => {
  const source = [
    OTHER,
    tokenHolding({ mint: MINT, owner: OTHER, amount: toLamports(3n) }),
  ] as const;
  const transfer = tokenTransfer.build(TOKEN_PROGRAM, {
    accounts: { source: OTHER, destination: ATA, authority: OTHER },
    args: { amount: 3n },
  });
  const signed = {
    ...transfer,
    accounts: transfer.accounts.map((meta) => ({ ...meta, role: 3 as const })),
  };
  const { error, token } = runNative([payer, mint, source], [idempotent(), signed]);
  expect(error).toBeUndefined();
  expect(token(ATA).amount).toBe(3n);
});

test('an unknown instruction is rejected', () => {
  const unknown = { ...create, data: Uint8Array.of(9) };
  expect(runNative([payer, mint], [unknown]).error).toEqual(
    instructionError('InvalidInstructionData'),
  );
});
