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
import {
  firstInstructionError,
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

const named = (tokenProgram: Address) => ({
  payer: PAYER,
  ata: associatedTokenAddress(OWNER, MINT, tokenProgram),
  owner: OWNER,
  mint: MINT,
  systemProgram: SYSTEM_PROGRAM,
  tokenProgram,
});

const idempotent = (changed: Partial<ReturnType<typeof named>> = {}, program = TOKEN_PROGRAM) =>
  createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
    accounts: { ...named(program), ...changed },
    args: {},
  });

const create = createAssociatedToken.build(ASSOCIATED_TOKEN_PROGRAM, {
  accounts: named(TOKEN_PROGRAM),
  args: {},
});

const withoutData = createAssociatedTokenWithoutData.build(ASSOCIATED_TOKEN_PROGRAM, {
  accounts: named(TOKEN_PROGRAM),
  args: {},
});

/** The programs and first bytes of what was called. */
const called = (inner: readonly { readonly instruction: Instruction }[] = []) =>
  inner.map(({ instruction }) => [instruction.programAddress, instruction.data[0]]);

test.each([create, withoutData, idempotent()])('a new account is paid for and opened', (made) => {
  const { error, token, account, inner } = runNative([payer, mint], [made]);
  expect(error).toBeUndefined();
  expect(token(ATA)).toMatchObject({ mint: MINT, owner: OWNER, amount: 0n, state: 1 });
  expect([account(ATA).lamports, account(PAYER).lamports]).toEqual([2_039_280n, 9_997_960_720n]);
  expect(called(inner.get(0))).toEqual([
    [TOKEN_PROGRAM, 0x15],
    [SYSTEM_PROGRAM, 0],
    [TOKEN_PROGRAM, 0x16],
    [TOKEN_PROGRAM, 0x12],
  ]);
});

test('an address of another owner is refused', () => {
  const { error, logs } = runNative([payer, mint], [idempotent({ owner: OTHER })]);
  expect(error).toEqual(firstInstructionError('InvalidSeeds'));
  expect(logs).toContain('Program log: Error: Associated address does not match seed derivation');
});

test('lamports that wait at the address are only topped up', () => {
  const waiting = [ATA, walletAccount(39_280n)] as const;
  const { error, account, inner } = runNative([payer, mint, waiting], [create]);
  expect(error).toBeUndefined();
  expect([account(ATA).lamports, account(PAYER).lamports]).toEqual([2_039_280n, 9_998_000_000n]);
  expect(called(inner.get(0)).slice(1, 4)).toEqual([
    [SYSTEM_PROGRAM, 2],
    [SYSTEM_PROGRAM, 8],
    [SYSTEM_PROGRAM, 1],
  ]);
});

test('SOL that waits at the address of wrapped SOL becomes tokens', () => {
  const ata = associatedTokenAddress(OWNER, WRAPPED_SOL_MINT, TOKEN_PROGRAM);
  const waiting = [ata, walletAccount(2_039_280n + 5n)] as const;
  const sol = [WRAPPED_SOL_MINT, mintAccount({})] as const;
  const made = idempotent({ mint: WRAPPED_SOL_MINT, ata });
  const { error, token, account } = runNative([payer, sol, waiting], [made]);
  expect(error).toBeUndefined();
  expect(token(ata).amount).toBe(5n);
  expect(account(PAYER).lamports).toBe(10_000_000_000n);
});

test('one that is there is left alone, or refused by the first form', () => {
  const there = [ATA, tokenHolding({ mint: MINT, owner: OWNER, amount: toLamports(9n) })] as const;
  const again = runNative([payer, mint, there], [idempotent()]);
  expect(again.error).toBeUndefined();
  expect(again.inner.size).toBe(0);
  expect(again.account(ATA)).toEqual(there[1]);
  const { error } = runNative([payer, mint, there], [create]);
  expect(error).toEqual(firstInstructionError('IllegalOwner'));
});

test('one that was given to another owner is refused', () => {
  const given = [ATA, tokenHolding({ mint: MINT, owner: OTHER })] as const;
  expect(runNative([payer, mint, given], [idempotent()]).error).toEqual(firstInstructionError(0));
});

test('a mint that is none, or of the other token program, is refused', () => {
  expect(runNative([payer, [MINT, walletAccount()]], [idempotent()]).error).toEqual(
    firstInstructionError('IncorrectProgramId'),
  );
  const foreign = [MINT, mintAccount({}, TOKEN_2022_PROGRAM)] as const;
  expect(runNative([payer, foreign], [idempotent()]).error).toEqual(
    firstInstructionError('IncorrectProgramId'),
  );
});

test('who cannot pay gets no account', () => {
  const poor = [PAYER, walletAccount(2_039_279n)] as const;
  const { error, logs } = runNative([poor, mint], [idempotent()]);
  expect(error).toEqual(firstInstructionError(1));
  expect(logs).toContain('Transfer: insufficient lamports 2039279, need 2039280');
});

test('an account of Token-2022 is as large as its mint asks, and keeps its owner', () => {
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
  // 165, the type byte, 4 for the owner, 5 for the hook
  expect(account(ata).data).toHaveLength(175);
  expect(account(ata).lamports).toBe(2_108_880n);
  expect(token(ata).extensions?.entries.map(({ kind }) => kind)).toEqual([
    'immutableOwner',
    'transferHookAccount',
  ]);
});

test('what was just opened can be used in the same transaction', () => {
  const source = [
    OTHER,
    tokenHolding({ mint: MINT, owner: OTHER, amount: toLamports(3n) }),
  ] as const;
  const sent = tokenTransfer.build(TOKEN_PROGRAM, {
    accounts: { source: OTHER, destination: ATA, authority: OTHER },
    args: { amount: 3n },
  });
  const signed = {
    ...sent,
    accounts: sent.accounts.map((meta) => ({ ...meta, role: 3 as const })),
  };
  const { error, token } = runNative([payer, mint, source], [idempotent(), signed]);
  expect(error).toBeUndefined();
  expect(token(ATA).amount).toBe(3n);
});

test('an instruction that it does not have is refused', () => {
  const unknown = { ...create, data: Uint8Array.of(9) };
  expect(runNative([payer, mint], [unknown]).error).toEqual(
    firstInstructionError('InvalidInstructionData'),
  );
});
