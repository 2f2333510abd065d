import { type Address, READ, type Role, SIGN } from '@tidegate/core/base';
import { MEMO_PROGRAM, MEMO_V1_PROGRAM } from '@tidegate/core/protocol/spl';
import { expect, test } from 'vitest';
import { instructionError } from '../../../../../test/support/localnet/instruction-error.ts';
import { runNative } from '../../../../../test/support/localnet/run-native.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';

const [ALICE, BOB] = [numberedAddress(1), numberedAddress(2)];

const memo = (data: Uint8Array, signers: readonly (readonly [Address, Role])[] = []) => ({
  programAddress: MEMO_PROGRAM,
  accounts: signers.map(([address, role]) => ({ address, role })),
  data,
});
const encodeText = (value: string) => new TextEncoder().encode(value);

test('a memo is logged with its signers', () => {
  const { error, logs } = runNative(
    [],
    [
      memo(encodeText('paid, é'), [
        [ALICE, SIGN],
        [BOB, SIGN],
      ]),
    ],
  );
  expect(error).toBeUndefined();
  expect(logs.slice(1, 4)).toEqual([
    `Program log: Signed by ${ALICE}`,
    `Program log: Signed by ${BOB}`,
    'Program log: Memo (len 8): "paid, é"',
  ]);
});

test('a memo is logged as one line', () => {
  const { logs } = runNative([], [memo(encodeText('a\n"b"\\\t\u0001'))]);
  expect(logs[1]).toBe('Program log: Memo (len 8): "a\\n\\"b\\"\\\\\\t\\u{1}"');
});

test('all listed accounts must sign', () => {
  const { error } = runNative([], [memo(encodeText('x'), [[ALICE, READ]])]);
  expect(error).toEqual(instructionError('MissingRequiredSignature'));
});

test.each([
  ['c3a9c3', 2],
  ['61ff62', 1],
  ['ff', 0],
])('invalid UTF-8 is rejected: %s', (hex, valid) => {
  const data = Uint8Array.from(Buffer.from(hex, 'hex'));
  const { error, logs } = runNative([], [memo(data)]);
  expect(error).toEqual(instructionError('InvalidInstructionData'));
  expect(logs[1]).toBe(`Program log: Invalid UTF-8, from byte ${valid}`);
});

test('the v1 program accepts text and logs nothing', () => {
  const memoV1 = (data: Uint8Array) => ({ ...memo(data), programAddress: MEMO_V1_PROGRAM });
  const { error, logs } = runNative([], [memoV1(encodeText('x'))]);
  expect(error).toBeUndefined();
  expect(logs).toHaveLength(3);
  expect(runNative([], [memoV1(Uint8Array.of(255))]).error).toEqual(
    instructionError('InvalidInstructionData'),
  );
});
