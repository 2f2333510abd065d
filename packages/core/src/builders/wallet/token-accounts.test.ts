import { expect, test } from 'vitest';
import { errorCode } from '../../../../../test/support/errors/catch-error.ts';
import { type GoldenAccount, goldenCluster } from '../../../../../test/support/golden/golden.ts';
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

/** In the golden cluster, with what the token accounts of it are called there. */
const wallet = toAddress('743cEQh8LGUhPKHiCYZxRrhaRyACzZDJbp3DB3LUgYs6');
const wrapped = toAddress('3nkR9gm2EzxaP5a283gZDEqHzoYLA3pVCicDCt3yzZDT');
const newer = toAddress('2oSvVYcpKLq5cTBNuBFxFbED1GgLamLEfcDy11TciyzB');
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

const reading = (...entries: [Address, GoldenAccount | undefined][]): BuildContext => ({
  state,
  accounts: new Map(entries),
});

test('of a token its account is read, of the newer program also the mint', () => {
  expect(requiredTokenAccounts(sol)).toEqual([wrapped]);
  expect(requiredTokenAccounts(pyusd)).toEqual([newer, newerMint]);
});

test('a token that is held is read, one that is not there is not', () => {
  expect(readWalletToken(sol, reading([wrapped, cluster.get(wrapped)]))?.amount).toBe(
    200_000_000_000n,
  );
  expect(readWalletToken(sol, reading([wrapped, undefined]))).toBeUndefined();
  expect(readWalletToken(sol, reading())).toBeUndefined();
});

test('lamports at an address where nothing was created are no token account', () => {
  const gift = { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 5n };
  expect(readWalletToken(sol, reading([wrapped, gift]))).toBeUndefined();
  expect(createTokenAccountStep(sol, reading([wrapped, gift])).creates).toBeDefined();
});

test('an account is always asked for, and paid for only where it is missing', () => {
  const asked = {
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
  const missing = createTokenAccountStep(sol, reading([wrapped, undefined]));
  expect(missing.instruction).toEqual(asked);
  expect(missing.creates).toEqual({
    address: wrapped,
    what: 'token account for SOL',
    rentLamports: 2_039_280n,
  });
  const held = createTokenAccountStep(sol, reading([wrapped, cluster.get(wrapped)]));
  expect(held.instruction).toEqual(asked);
  expect(held.creates).toBeUndefined();
});

test('the rent of a token of the newer program follows from its mint', () => {
  const rent = cluster.get(newer)?.lamports;
  const scene = reading([newer, undefined], [newerMint, cluster.get(newerMint)]);
  expect(createTokenAccountStep(pyusd, scene).creates?.rentLamports).toBe(rent);
  expect(rent).toBe(2_074_080n);
});

test('a token of the newer program whose mint is not there is refused', () => {
  const scene = reading([newer, undefined], [newerMint, undefined]);
  expect(errorCode(() => createTokenAccountStep(pyusd, scene))).toBe('NOT_FOUND');
});

test('SOL is wrapped by a transfer to the own account and a count of it', () => {
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

test('an account is closed to the wallet, by the program that keeps it', () => {
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

test('wrapped SOL is known by its mint', () => {
  expect([sol, pyusd].map(isWrappedSol)).toEqual([true, false]);
});
