import { expect, test } from 'vitest';
import { bytesFromHex } from '../encoding/bytes.ts';
import { instruction } from './instruction.ts';
import { createInstructionSet } from './instruction-set.ts';

const codec = (name: string, discriminator: string) =>
  instruction({ name, discriminator, accounts: {}, args: {} });

test('the longest matching discriminator wins', () => {
  const set = createInstructionSet([codec('short', '1a'), codec('long', '1a01')]);
  expect(set.nameOf(bytesFromHex('1a02'))).toBe('short');
  expect(set.codecOf(bytesFromHex('1a0102'))?.name).toBe('long');
});

test('an empty discriminator matches only empty data', () => {
  const set = createInstructionSet([codec('empty', '')]);
  expect(set.nameOf(new Uint8Array())).toBe('empty');
  expect(set.nameOf(Uint8Array.of(1))).toBeUndefined();
});

test('an instruction with only a name has no codec', () => {
  const set = createInstructionSet([], { ab: 'named' });
  expect(set.nameOf(Uint8Array.of(0xab))).toBe('named');
  expect(set.codecOf(Uint8Array.of(0xab))).toBeUndefined();
});
