import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import { tokenAccount } from './token-account.ts';

/** 165 bytes of an initialized account with an amount of 0x0102. */
function plainAccount(): Uint8Array {
  const data = new Uint8Array(165);
  data.set([2, 1], 64);
  data[108] = 1;
  return data;
}

const token = (data: Uint8Array) => ({ owner: TOKEN_PROGRAM, data });
const token2022 = (data: Uint8Array) => ({ owner: TOKEN_2022_PROGRAM, data });

test('the amount of wrapped SOL does not include the rent', () => {
  const data = plainAccount();
  data.set([1, 0, 0, 0, 0xf0, 0x1d, 0x1f], 109);
  expect(tokenAccount.decode(token(data))).toMatchObject({
    amount: 258n,
    isNativeTag: 1,
    isNative: 2_039_280n,
    extensions: undefined,
  });
});

test('withheld fees are not part of the amount', () => {
  const data = new Uint8Array(178);
  data.set(plainAccount());
  data.set([2, 2, 0, 8, 0, 7], 165);
  const value = tokenAccount.decode(token2022(data));
  expect(value.extensions?.entries).toEqual([
    { kind: 'transferFeeAmount', value: { withheldAmount: 7n } },
  ]);
  expect(value.amount).toBe(258n);
  expect(tokenAccount.encode(value)).toEqual(data);
});

test.each([
  ['state 0', token(plainAccount().with(108, 0))],
  ['state 3', token(plainAccount().with(108, 3))],
  ['a delegate tag of 2', token(plainAccount().with(72, 2))],
  ['a native tag of 2', token(plainAccount().with(109, 2))],
  ['a close authority tag of 256', token(plainAccount().with(130, 1))],
])('a token account with %s throws', (_, account) => {
  expect(catchError(() => tokenAccount.view(account))?.code).toBe('MALFORMED_DATA');
  expect(catchError(() => tokenAccount.decode(account))?.code).toBe('MALFORMED_DATA');
});

test('decodes a frozen account', () => {
  expect(tokenAccount.view(token(plainAccount().with(108, 2))).amount).toBe(258n);
});

test('a mint is not a token account', () => {
  const padded = new Uint8Array(166).with(165, 1);
  expect(tokenAccount.matches(token(new Uint8Array(82)))).toBe(false);
  expect(tokenAccount.matches(token2022(padded))).toBe(false);
  expect(tokenAccount.matches(token2022(padded.with(165, 2)))).toBe(true);
});
