import { expect, test } from 'vitest';
import { isAddress, isSignature, shortenAddress } from './address.ts';

const ADDRESS = 'Hmj7JCMyMLMCtbP3fKppRvgzv9gqV8WpoaihNJ4FyP9s';
const SIGNATURE =
  '4xdzbSjfjo2zgQbXeBNUqrNNyTuFFBaRnqeGQbhWY6VigqDM8zoYF6e2A6mkMimDWThwmHAFPtaNcBQ9ZyAFZCuw';

test('an address is shown by its ends', () => {
  expect(shortenAddress(ADDRESS)).toBe('Hmj7…yP9s');
  expect(shortenAddress('USDC')).toBe('USDC');
});

test('addresses and signatures are told apart by their length', () => {
  expect([isAddress(ADDRESS), isSignature(ADDRESS)]).toEqual([true, false]);
  expect([isAddress(SIGNATURE), isSignature(SIGNATURE)]).toEqual([false, true]);
  expect(isAddress('So11111111111111111111111111111111111111112')).toBe(true);
});

test('letters that base58 does not have make neither', () => {
  expect(isAddress(ADDRESS.replace('H', '0'))).toBe(false);
  expect(isAddress('Main Market')).toBe(false);
});

test('the beginning of an address is none, so that nothing is requested for it', () => {
  // 43 characters can be 32 bytes
  for (let length = 0; length < 43; length += 1) {
    expect(isAddress(ADDRESS.slice(0, length)), String(length)).toBe(false);
  }
});
