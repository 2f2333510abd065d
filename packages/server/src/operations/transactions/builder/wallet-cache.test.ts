import { addressFromBytes } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { WalletCache } from './wallet-cache.ts';

const addressOf = (byte: number) => addressFromBytes(new Uint8Array(32).fill(byte));
const walletKey = (wallet: number, program = 200) => ({
  env: 'localnet' as const,
  program: addressOf(program),
  wallet: addressOf(wallet),
});
const withTable = (table: number) => ({ lookupTable: addressOf(table), referrer: undefined });

test('metadata with a lookup table or a referrer is cached, empty metadata is not', () => {
  const cache = new WalletCache();
  cache.set(walletKey(1), withTable(11));
  cache.set(walletKey(2), { lookupTable: undefined, referrer: addressOf(12) });
  cache.set(walletKey(3), { lookupTable: undefined, referrer: undefined });
  expect(cache.get(walletKey(1))).toEqual(withTable(11));
  expect(cache.get(walletKey(2))).toEqual({ lookupTable: undefined, referrer: addressOf(12) });
  expect(cache.get(walletKey(3))).toBeUndefined();
});

test('entries are separate per program and cluster', () => {
  const cache = new WalletCache();
  cache.set(walletKey(1), withTable(11));
  expect(cache.get(walletKey(1, 201))).toBeUndefined();
  expect(cache.get({ ...walletKey(1), env: 'devnet' })).toBeUndefined();
});

test('a second write replaces the first', () => {
  const cache = new WalletCache();
  cache.set(walletKey(1), withTable(11));
  cache.set(walletKey(1), { ...withTable(11), referrer: addressOf(12) });
  expect(cache.get(walletKey(1))?.referrer).toBe(addressOf(12));
});

test('a full cache evicts the least recently used wallet', () => {
  const cache = new WalletCache(2);
  cache.set(walletKey(1), withTable(11));
  cache.set(walletKey(2), withTable(12));
  cache.get(walletKey(1));
  cache.set(walletKey(3), withTable(13));
  expect([1, 2, 3].map((wallet) => cache.get(walletKey(wallet))?.lookupTable)).toEqual([
    addressOf(11),
    undefined,
    addressOf(13),
  ]);
});
