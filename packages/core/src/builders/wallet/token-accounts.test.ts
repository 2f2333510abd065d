import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { type GoldenAccount, goldenCluster } from '../../../../../test/support/golden/golden.ts';
import {
  goldenTokenAddress,
  goldenUser,
} from '../../../../../test/support/golden/golden-addresses.ts';
import { goldenReader } from '../../../../../test/support/golden/golden-reader.ts';
import { type Address, toAddress } from '../../base/encoding/address.ts';
import { READ, SIGN, SIGN_WRITE, WRITE } from '../../base/solana/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../protocol/spl/programs.ts';
import type { BuildContext } from '../build.ts';
import {
  closeTokenAccountStep,
  createTokenAccountStep,
  isWrappedSol,
  readWalletToken,
  requiredTokenAccounts,
  type WalletToken,
  wrapSolSteps,
} from './token-accounts.ts';

const { accounts: cluster } = goldenCluster();
const state = goldenReader();

/** A golden cluster wallet and its token accounts. */
const wallet = goldenUser('erin').address;
const wrapped = goldenTokenAddress('erin', 'SOL');
const newer = goldenTokenAddress('erin', 'PYUSD');
const newerMint = toAddress('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo');

const sol: WalletToken = {
  wallet,
  mint: WRAPPED_SOL_MINT,
  tokenProgram: TOKEN_PROGRAM,
  label: 'SOL',
};
const pyusd: WalletToken = {
  wallet,
  mint: newerMint,
  tokenProgram: TOKEN_2022_PROGRAM,
  label: 'PYUSD',
};

const contextWith = (...entries: [Address, GoldenAccount | undefined][]): BuildContext => ({
  state,
  accounts: new Map(entries),
});

test('the token account is required, and for Token-2022 also the mint', () => {
  expect(requiredTokenAccounts(sol)).toEqual([wrapped]);
  expect(requiredTokenAccounts(pyusd)).toEqual([newer, newerMint]);
});

test('reads an existing token account; a missing one is undefined', () => {
  expect(readWalletToken(sol, contextWith([wrapped, cluster.get(wrapped)]))?.amount).toBe(
    200_000_000_000n,
  );
  expect(readWalletToken(sol, contextWith([wrapped, undefined]))).toBeUndefined();
  expect(readWalletToken(sol, contextWith())).toBeUndefined();
});

test('lamports at an unused address are not a token account', () => {
  const airdropped = { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 5n };
  expect(readWalletToken(sol, contextWith([wrapped, airdropped]))).toBeUndefined();
  expect(createTokenAccountStep(sol, contextWith([wrapped, airdropped])).creates).toBeDefined();
});

test('the create instruction is always added; rent is due only if the account is missing', () => {
  const instruction = {
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      { address: wallet, role: SIGN_WRITE },
      { address: wrapped, role: WRITE },
      { address: wallet, role: READ },
      { address: WRAPPED_SOL_MINT, role: READ },
      { address: SYSTEM_PROGRAM, role: READ },
      { address: TOKEN_PROGRAM, role: READ },
    ],
    data: Uint8Array.of(1),
  };
  const missing = createTokenAccountStep(sol, contextWith([wrapped, undefined]));
  expect(missing.instruction).toEqual(instruction);
  expect(missing.creates).toEqual({
    address: wrapped,
    what: 'token account for SOL',
    rentLamports: 2_039_280n,
  });
  const held = createTokenAccountStep(sol, contextWith([wrapped, cluster.get(wrapped)]));
  expect(held.instruction).toEqual(instruction);
  expect(held.creates).toBeUndefined();
});

test('the rent of a Token-2022 account depends on its mint', () => {
  const rent = cluster.get(newer)?.lamports;
  const context = contextWith([newer, undefined], [newerMint, cluster.get(newerMint)]);
  expect(createTokenAccountStep(pyusd, context).creates?.rentLamports).toBe(rent);
  expect(rent).toBe(2_074_080n);
});

test('a Token-2022 token without a mint account throws', () => {
  const context = contextWith([newer, undefined], [newerMint, undefined]);
  expect(catchError(() => createTokenAccountStep(pyusd, context))?.code).toBe('NOT_FOUND');
});

test('SOL is wrapped by a transfer and a sync', () => {
  expect(wrapSolSteps(sol, 258n).map(({ instruction }) => instruction)).toEqual([
    {
      programAddress: SYSTEM_PROGRAM,
      accounts: [
        { address: wallet, role: SIGN_WRITE },
        { address: wrapped, role: WRITE },
      ],
      data: Uint8Array.of(2, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0),
    },
    {
      programAddress: TOKEN_PROGRAM,
      accounts: [{ address: wrapped, role: WRITE }],
      data: Uint8Array.of(17),
    },
  ]);
});

test('an account is closed to the wallet by its token program', () => {
  const step = closeTokenAccountStep(pyusd, { why: 'It is empty.', refundLamports: 7n });
  expect(step).toEqual({
    instruction: {
      programAddress: TOKEN_2022_PROGRAM,
      accounts: [
        { address: newer, role: WRITE },
        { address: wallet, role: WRITE },
        { address: wallet, role: SIGN },
      ],
      data: Uint8Array.of(9),
    },
    why: 'It is empty.',
    closes: { address: newer, what: 'token account for PYUSD', refundLamports: 7n },
  });
});

test('wrapped SOL is recognized by its mint', () => {
  expect([sol, pyusd].map(isWrappedSol)).toEqual([true, false]);
});
