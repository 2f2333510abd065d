import { expect, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
import { checkHookUrl } from './hook-url.ts';

test('an https URL of a public host is accepted as it is', () => {
  for (const url of [
    'https://example.com/a?b=c',
    'https://93.184.216.34:8443/',
    'https://[2606:2800::1]/',
  ]) {
    expect(checkHookUrl(url, { allowsPrivate: false })).toBe(url);
  }
});

test('other schemes, credentials, private addresses and names of this machine are refused', () => {
  for (const url of [
    'http://example.com/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'nothing',
    'https://user:password@example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.1.2.3/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    `https://example.com/${'a'.repeat(2048)}`,
  ]) {
    const error = catchError(() => checkHookUrl(url, { allowsPrivate: false }));
    expect(error, url).toMatchObject({ code: 'INVALID_BODY' });
  }
});

test('for development, http and private addresses are accepted, but no credentials', () => {
  expect(checkHookUrl('http://127.0.0.1:9000/', { allowsPrivate: true })).toBe(
    'http://127.0.0.1:9000/',
  );
  const url = 'http://a:b@127.0.0.1/';
  const error = catchError(() => checkHookUrl(url, { allowsPrivate: true }));
  expect(error).toMatchObject({ code: 'INVALID_BODY' });
});
