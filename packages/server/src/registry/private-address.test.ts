import { expect, test } from 'vitest';
import { isPrivateAddress } from './private-address.ts';

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '::7f00:1',
  '::10.0.0.1',
  '::ffff:0:127.0.0.1',
  'fec0::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fd00::1',
  'fe80::1%eth0',
  'ff02::1',
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each(['1.1.1.1', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  },
);
