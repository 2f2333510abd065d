import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { addressToBytes, ZERO_ADDRESS } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import { createSeededKeys, deriveSecretKey } from './seeded-keys.ts';

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

test('an address verifies signatures of its secret key', () => {
  const address = createSeededKeys('seed')('wallet/1');
  const x = base64url(addressToBytes(address));
  const d = base64url(deriveSecretKey('seed', 'wallet/1'));
  const message = Buffer.from('message');
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  const signature = sign(null, message, createPrivateKey({ key: { ...jwk, d }, format: 'jwk' }));
  expect(verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature)).toBe(true);
});

test('addresses depend on seed and name only', () => {
  const a = createSeededKeys('a');
  const addresses = [a('x'), a('y'), createSeededKeys('b')('x'), ZERO_ADDRESS];
  expect(new Set(addresses).size).toBe(4);
  expect(createSeededKeys('a')('x')).toBe(a('x'));
});
