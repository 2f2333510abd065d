import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import type { Address } from '../../base/encoding/address.ts';
import { bytesFromHex } from '../../base/encoding/bytes.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts';
import { requireMovement, tokenMovementOf, tokenMovements } from './token-movements.ts';
import type { Call } from './transaction/call-tree.ts';

/** Instruction data with an amount of 0x0203. */
function call(start: string, accounts: readonly number[], program: Address = TOKEN_PROGRAM): Call {
  const data = bytesFromHex(`${start}0302000000000000060900000000000000`);
  return { program, accounts: accounts.map(numberedAddress), data, path: [0], children: [] };
}

const amount = 0x0203n;
const source = numberedAddress(1);
const destination = numberedAddress(2);
const account = numberedAddress(3);

test.each([
  ['transfer', call('03', [1, 2, 9]), { kind: 'transfer', source, destination, amount }],
  ['transferChecked', call('0c', [1, 8, 2, 9]), { kind: 'transfer', source, destination, amount }],
  [
    'transferCheckedWithFee',
    call('1a01', [1, 8, 2, 9], TOKEN_2022_PROGRAM),
    { kind: 'transfer', source, destination, amount, fee: 9n },
  ],
  ['mintTo', call('07', [8, 3, 9]), { kind: 'mint', account, amount }],
  ['mintToChecked', call('0e', [8, 3, 9]), { kind: 'mint', account, amount }],
  ['burn', call('08', [3, 8, 9]), { kind: 'burn', account, amount }],
  ['burnChecked', call('0f', [3, 8, 9]), { kind: 'burn', account, amount }],
])('%s is a movement', (_, tokenCall, expected) => {
  expect(tokenMovementOf(tokenCall)).toEqual(expected);
});

test.each([
  ['an approval', call('04', [1, 2, 9])],
  ['another part of the fee extension', call('1a02', [1, 8, 2, 9], TOKEN_2022_PROGRAM)],
  ['a call of another program', call('03', [1, 2, 9], SYSTEM_PROGRAM)],
])('%s is not a movement', (_, otherCall) => {
  expect(tokenMovementOf(otherCall)).toBeUndefined();
});

test('sums are per pair of accounts and per direction', () => {
  const moved = tokenMovements([
    call('03', [1, 2, 9]),
    call('0c', [1, 8, 2, 9]),
    call('03', [2, 1, 9]),
    call('07', [8, 3, 9]),
  ]);
  expect(moved.transferred(source, destination)).toBe(2n * amount);
  expect(moved.transferred(destination, source)).toBe(amount);
  expect(moved.transferred(source, account)).toBeUndefined();
  expect(moved.minted(account)).toBe(amount);
  expect(moved.minted(source)).toBeUndefined();
  expect(moved.burned(account)).toBeUndefined();
});

test('a transfer of zero differs from no transfer', () => {
  const nothing = { ...call('03', [1, 2, 9]), data: bytesFromHex('030000000000000000') };
  expect(tokenMovements([nothing]).transferred(source, destination)).toBe(0n);
  expect(requireMovement(0n, 'transfer')).toBe(0n);
  expect(catchError(() => requireMovement(undefined, 'transfer'))?.code).toBe('MALFORMED_DATA');
});
