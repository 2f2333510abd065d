import { expect, test } from 'vitest';
import { splitCredentials } from './url-credentials.ts';

const split = (text: string) => {
  const { url, headers } = splitCredentials(new URL(text));
  return [url.href, headers['authorization']];
};

test('credentials leave the address and become a header', () => {
  expect(split('https://a%40b:c%3Ad@example.org/x?y=1')).toEqual([
    'https://example.org/x?y=1',
    `Basic ${Buffer.from('a@b:c:d').toString('base64')}`,
  ]);
  expect(split('https://only-a-name@example.org/')).toEqual([
    'https://example.org/',
    `Basic ${Buffer.from('only-a-name:').toString('base64')}`,
  ]);
});

test('an address without credentials stays as it is', () => {
  expect(split('wss://example.org/key')).toEqual(['wss://example.org/key', undefined]);
});

test('a lone percent sign stands for itself', () => {
  expect(split('https://a:100%@example.org/')[1]).toBe(
    `Basic ${Buffer.from('a:100%').toString('base64')}`,
  );
});
