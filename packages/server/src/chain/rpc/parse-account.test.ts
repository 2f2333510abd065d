import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { parseAccountJson, parseNamedAccountJson } from './parse-account.ts';

const owner = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';

const answered = (fields: Readonly<Record<string, unknown>>) =>
  JSON.stringify({
    data: ['AQID', 'base64'],
    executable: false,
    lamports: 5,
    owner,
    rentEpoch: 0,
    space: 3,
    ...fields,
  });

/** 300 bytes: 40 multiples of seven, zeros, remainders of five; packed by zstd 1.5.4 from a pipe, as nodes do. */
const packed =
  'KLUv/QBYxQEA1AIABw4VHCMqMTg/Rk1UW2JpcHd+hYyTmqGor7a9xMvS2eDn7vX8AwoRAAECAwQCAIwykXQoUAY=';
const unpacked = Uint8Array.from({ length: 300 }, (_, i) => (i < 40 ? i * 7 : i < 200 ? 0 : i % 5));

test('an account is its owner, its lamports and its bytes', () => {
  const data = Uint8Array.of(1, 2, 3);
  expect(parseAccountJson(answered({}))).toEqual({ owner, lamports: 5n, data });
});

test('lamports beyond the precision of JSON numbers are exact', () => {
  const text = answered({}).replace('"lamports":5', '"lamports": 18446744073709551615');
  expect(parseAccountJson(text)?.lamports).toBe(18446744073709551615n);
});

test('packed data unpacks, with and without a stated size', () => {
  const data = [packed, 'base64+zstd'];
  expect(parseAccountJson(answered({ data, space: 300 }))?.data).toEqual(unpacked);
  expect(parseAccountJson(answered({ data, space: undefined }))?.data).toEqual(unpacked);
});

test('nothing, and an account without lamports, do not exist', () => {
  expect(parseAccountJson('null')).toBeUndefined();
  expect(parseAccountJson(answered({ lamports: 0, data: ['', 'base64'] }))).toBeUndefined();
});

test('the bytes are of their own and not a part of something larger', () => {
  expect(parseAccountJson(answered({}))?.data.buffer.byteLength).toBe(3);
});

test.each([
  ['no object', '7'],
  ['half an object', answered({}).slice(0, 20)],
  ['no owner', answered({ owner: undefined })],
  ['a wrong owner', answered({ owner: 'KLend2' })],
  ['negative lamports', answered({ lamports: -1 })],
  ['lamports as text', answered({ lamports: '5' })],
  ['broken lamports', answered({ lamports: 0.5 })],
  ['no data', answered({ data: undefined })],
  ['data as text', answered({ data: 'AQID' })],
  ['another encoding', answered({ data: ['AQID', 'base58'] })],
  ['letters that are not base64', answered({ data: ['AQ!D', 'base64'] })],
  ['base64 that is cut', answered({ data: ['AQI', 'base64'] })],
  ['packed data that is cut', answered({ data: [packed.slice(0, 40), 'base64+zstd'], space: 300 })],
  ['data that is not packed', answered({ data: ['AQID', 'base64+zstd'] })],
  ...[0, 100, 299, 301, 400, 100_000].map((space) => [
    `packed data of another size than the stated ${space}`,
    answered({ data: [packed, 'base64+zstd'], space }),
  ]),
  ['a size that no account has', answered({ data: [packed, 'base64+zstd'], space: 1e9 })],
])('%s is refused', (_, text) => {
  expect(catchError(() => parseAccountJson(text))?.code).toMatch(
    /^(MALFORMED_DATA|INVALID_ADDRESS)$/,
  );
});

test('a named account needs its name', () => {
  const account = JSON.parse(answered({}));
  expect(parseNamedAccountJson(JSON.stringify({ pubkey: owner, account })).address).toBe(owner);
  const nameless = JSON.stringify({ pubkey: 7, account });
  expect(catchError(() => parseNamedAccountJson(nameless))?.code).toBe('MALFORMED_DATA');
});
