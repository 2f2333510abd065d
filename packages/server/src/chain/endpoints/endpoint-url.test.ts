import { expect, test } from 'vitest';
import { parseEndpointUrl } from './endpoint-url.ts';

test('credentials become a header and are removed from the URL', () => {
  const url = parseEndpointUrl(new URL('https://me:s%20cret@rpc.example.org/v1'));
  expect(url.href).toBe('https://rpc.example.org/v1');
  expect(url.headers).toEqual({ authorization: `Basic ${btoa('me:s cret')}` });
});

test('path, query and password are redacted in messages of a node', () => {
  const url = parseEndpointUrl(
    new URL('https://u:passw%C3%B6rd@rpc.example.org/pathkey1/?api-key=querykey2'),
  );
  const message = 'no access to /pathkey1/ with querykey2,\n passwörd or passw%C3%B6rd';
  expect(url.redact(message)).toBe('no access to /***/ with ***, *** or ***');
});

test('messages of a node are shortened to one line', () => {
  const url = parseEndpointUrl(new URL('https://rpc.example.org'));
  expect(url.redact(`a\n${'b'.repeat(500)}`)).toBe(`a ${'b'.repeat(158)}`);
});
