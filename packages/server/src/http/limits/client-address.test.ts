import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddress, isLoopback, parseTrustedProxies, rateLimitKey } from './client-address.ts';

function addressOf(peer: string, forwarded: string | undefined, ...proxies: string[]): string {
  const trusted = parseTrustedProxies(proxies);
  if (trusted === undefined) throw new Error('bad proxies');
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  return clientAddress(request, trusted);
}

test('x-forwarded-for is ignored unless the sender is a trusted proxy', () => {
  expect(addressOf('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
  expect(addressOf('203.0.113.9', '198.51.100.1', '10.0.0.0/8')).toBe('203.0.113.9');
});

test('a trusted proxy can set only the last address', () => {
  expect(addressOf('10.1.2.3', '1.1.1.1, 198.51.100.1', '10.0.0.0/8')).toBe('198.51.100.1');
  expect(addressOf('10.1.2.3', '1.1.1.1, 198.51.100.1, 10.9.9.9', '10.0.0.0/8')).toBe(
    '198.51.100.1',
  );
  expect(addressOf('10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.0/8')).toBe('10.0.0.1');
  expect(addressOf('10.1.2.3', undefined, '10.0.0.0/8')).toBe('10.1.2.3');
});

test('an invalid entry ends the search', () => {
  expect(addressOf('10.1.2.3', '198.51.100.1, unknown', '10.0.0.0/8')).toBe('10.1.2.3');
  expect(addressOf('10.1.2.3', '', '10.0.0.0/8')).toBe('10.1.2.3');
});

test('ports, brackets and IPv4-mapped addresses are accepted', () => {
  expect(addressOf('::ffff:10.1.2.3', '198.51.100.1:443', '10.0.0.0/8')).toBe('198.51.100.1');
  expect(addressOf('::1', '[2001:DB8::1]:443', '::1')).toBe('2001:db8::1');
  expect(addressOf('fe80::1%eth0', undefined)).toBe('fe80::1');
});

test('the key of an IPv6 address is its /64 prefix', () => {
  expect(rateLimitKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(rateLimitKey('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64');
  expect(rateLimitKey('2001:0db8:0001:0002:ffff::')).toBe('2001:db8:1:2::/64');
  expect(rateLimitKey('2001:db8::1')).toBe('2001:db8:0:0::/64');
  expect(rateLimitKey('::1')).toBe('0:0:0:0::/64');
  expect(rateLimitKey('64:ff9b::1.2.3.4')).toBe('64:ff9b:0:0::/64');
  expect(rateLimitKey('203.0.113.9')).toBe('203.0.113.9');
});

test('127.0.0.0/8 and ::1 are loopback addresses', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1'].map(isLoopback)).toEqual([true, true, true]);
  expect(['128.0.0.1', '::2', '10.0.0.1'].map(isLoopback)).toEqual([false, false, false]);
});

test.each(['nope', '10.0.0.0/33', '10.0.0.0/x', '10.0.0/8', '::/129', '1.2.3.4/8/9'])(
  '%s is not a valid proxy',
  (entry) => {
    expect(parseTrustedProxies([entry])).toBeUndefined();
  },
);
