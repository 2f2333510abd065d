import { expect, test } from 'vitest';
import { bytesFromHex } from '../encoding/bytes.ts';
import { instruction } from './instruction.ts';
import { createInstructionSet } from './instruction-set.ts';

const codec = (name: string, discriminator: string) =>
  instruction({ name, discriminator, accounts: {}, args: {} });

test('the longest first bytes decide', () => {
  const set = createInstructionSet([codec('short', '1a'), codec('long', '1a01')]);
  expect(set.nameOf(bytesFromHex('1a02'))).toBe('short');
  expect(set.codecOf(bytesFromHex('1a0102'))?.name).toBe('long');
});

test('an instruction without data is only found where there is none', () => {
  const set = createInstructionSet([codec('empty', '')]);
  expect(set.nameOf(new Uint8Array())).toBe('empty');
  expect(set.nameOf(Uint8Array.of(1))).toBeUndefined();
});

test('a name alone gives no codec', () => {
  const set = createInstructionSet([], { ab: 'named' });
  expect(set.nameOf(Uint8Array.of(0xab))).toBe('named');
  expect(set.codecOf(Uint8Array.of(0xab))).toBeUndefined();
});
