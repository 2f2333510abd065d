import { addressFromBytes } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { WalletCache } from './wallet-cache.ts';

const addressOf = (byte: number) => addressFromBytes(new Uint8Array(32).fill(byte));
const knownOf = (wallet: number, program = 200) => ({
  env: 'localnet' as const,
  program: addressOf(program),
  wallet: addressOf(wallet),
});
const factsOf = (table: number) => ({ lookupTable: addressOf(table), referrer: undefined });

test('a table or a referrer is remembered, nothing is not', () => {
  const memory = new WalletCache();
  memory.remember(knownOf(1), factsOf(11));
  memory.remember(knownOf(2), { lookupTable: undefined, referrer: addressOf(12) });
  memory.remember(knownOf(3), { lookupTable: undefined, referrer: undefined });
  expect(memory.recall(knownOf(1))).toEqual(factsOf(11));
  expect(memory.recall(knownOf(2))).toEqual({ lookupTable: undefined, referrer: addressOf(12) });
  expect(memory.recall(knownOf(3))).toBeUndefined();
});

test('the same wallet of another program or cluster is another one', () => {
  const memory = new WalletCache();
  memory.remember(knownOf(1), factsOf(11));
  expect(memory.recall(knownOf(1, 201))).toBeUndefined();
  expect(memory.recall({ ...knownOf(1), env: 'devnet' })).toBeUndefined();
});

test('the newest word counts', () => {
  const memory = new WalletCache();
  memory.remember(knownOf(1), factsOf(11));
  memory.remember(knownOf(1), { ...factsOf(11), referrer: addressOf(12) });
  expect(memory.recall(knownOf(1))?.referrer).toBe(addressOf(12));
});

test('the one that was not needed longest is forgotten first', () => {
  const memory = new WalletCache(2);
  memory.remember(knownOf(1), factsOf(11));
  memory.remember(knownOf(2), factsOf(12));
  memory.recall(knownOf(1));
  memory.remember(knownOf(3), factsOf(13));
  expect([1, 2, 3].map((wallet) => memory.recall(knownOf(wallet))?.lookupTable)).toEqual([
    addressOf(11),
    undefined,
    addressOf(13),
  ]);
});
