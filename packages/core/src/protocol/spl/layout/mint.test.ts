import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import { mint } from './mint.ts';

/** 82 bytes: no mint authority, supply 1000, 6 decimals, initialized, no freeze authority. */
function plainMint(): Uint8Array {
  const data = new Uint8Array(82);
  data.set([0xe8, 0x03], 36);
  data[44] = 6;
  data[45] = 1;
  return data;
}

/** Padded to 165 bytes, type byte 1, then the given entries. */
function extendedMint(entries: readonly number[]): Uint8Array {
  const data = new Uint8Array(166 + entries.length);
  data.set(plainMint());
  data[165] = 1;
  data.set(entries, 166);
  return data;
}

const token = (data: Uint8Array) => ({ owner: TOKEN_PROGRAM, data });
const token2022 = (data: Uint8Array) => ({ owner: TOKEN_2022_PROGRAM, data });

test('decodes a plain mint without extensions', () => {
  const value = mint.decode(token(plainMint()));
  expect(value).toMatchObject({ supply: 1000n, decimals: 6, extensions: undefined });
  expect(mint.view(token(plainMint())).supply).toBe(1000n);
});

test('preserves a key after a tag of 0', () => {
  const data = plainMint();
  data.fill(9, 4, 36);
  const value = mint.decode(token(data));
  expect(value.mintAuthorityTag).toBe(0);
  expect(value.mintAuthority).not.toBe(ZERO_ADDRESS);
  expect(mint.encode(value)).toEqual(data);
});

test('round-trips known extensions, unknown extensions and trailing bytes', () => {
  const data = extendedMint([6, 0, 1, 0, 2, 99, 0, 2, 0, 5, 6, 0, 0, 7]);
  const value = mint.decode(token2022(data));
  expect(value.extensions).toEqual({
    entries: [
      { kind: 'defaultAccountState', value: { state: 2 } },
      { kind: 'other', type: 99, data: Uint8Array.of(5, 6) },
    ],
    rest: Uint8Array.of(0, 0, 7),
  });
  expect(mint.encode(value)).toEqual(data);
});

test('a single byte after the last entry is padding', () => {
  const data = extendedMint([9, 0, 0, 0, 5]);
  const value = mint.decode(token2022(data));
  expect(value.extensions?.entries).toEqual([{ kind: 'nonTransferable', value: {} }]);
  expect(mint.encode(value)).toEqual(data);
});

test.each([
  ['another owner', { owner: ZERO_ADDRESS, data: plainMint() }, 'ACCOUNT_WRONG_OWNER'],
  ['a missing byte', token(plainMint().subarray(1)), 'ACCOUNT_WRONG_SIZE'],
  ['extensions under the Token program', token(extendedMint([])), 'ACCOUNT_WRONG_SIZE'],
  ['the size of a token account', token2022(new Uint8Array(165)), 'ACCOUNT_WRONG_SIZE'],
  ['the size of a multisig', token2022(new Uint8Array(355)), 'ACCOUNT_WRONG_SIZE'],
  ['the type byte of a token account', token2022(extendedMint([]).with(165, 2)), 'MALFORMED_DATA'],
  ['padding that is not zero', token2022(extendedMint([]).with(100, 1)), 'MALFORMED_DATA'],
  ['a tag of 2', token(plainMint().with(0, 2)), 'MALFORMED_DATA'],
  ['no initialization', token(plainMint().with(45, 0)), 'MALFORMED_DATA'],
  ['an entry without a length', token2022(extendedMint([9, 0, 0])), 'MALFORMED_DATA'],
  ['a truncated entry', token2022(extendedMint([99, 0, 2, 0, 5])), 'MALFORMED_DATA'],
  ['a known entry of another size', token2022(extendedMint([6, 0, 0, 0])), 'MALFORMED_DATA'],
])('a mint with %s throws', (_, account, code) => {
  expect(catchError(() => mint.decode(account))?.code).toBe(code);
});

test('matches a mint by owner, size and type byte', () => {
  expect(mint.matches(token(plainMint()))).toBe(true);
  expect(mint.matches(token2022(extendedMint([])))).toBe(true);
  expect(mint.matches(token(extendedMint([])))).toBe(false);
  expect(mint.matches(token2022(extendedMint([]).with(165, 2)))).toBe(false);
  expect(mint.matches({ owner: ZERO_ADDRESS, data: plainMint() })).toBe(false);
});
