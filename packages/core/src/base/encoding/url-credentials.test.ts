import { expect, test } from 'vitest';
import { splitCredentials } from './url-credentials.ts';

const split = (text: string) => {
  const { url, headers } = splitCredentials(new URL(text));
  return [url.href, headers['authorization']];
};

test('moves credentials from the URL into a header', () => {
  expect(split('https://a%40b:c%3Ad@example.org/x?y=1')).toEqual([
    'https://example.org/x?y=1',
    `Basic ${Buffer.from('a@b:c:d').toString('base64')}`,
  ]);
  expect(split('https://only-a-name@example.org/')).toEqual([
    'https://example.org/',
    `Basic ${Buffer.from('only-a-name:').toString('base64')}`,
  ]);
});

test('does not change a URL without credentials', () => {
  expect(split('wss://example.org/key')).toEqual(['wss://example.org/key', undefined]);
});

test('keeps an invalid percent escape as it is', () => {
  expect(split('https://a:100%@example.org/')[1]).toBe(
    `Basic ${Buffer.from('a:100%').toString('base64')}`,
  );
});
