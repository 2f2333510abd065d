import { expect, test } from 'vitest';
import { catchError } from '../../../../../test/support/errors/catch-error.ts';
import { parseAccountJson, parseNamedAccountJson } from './parse-account.ts';

const owner = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';

const accountJson = (fields: Readonly<Record<string, unknown>>) =>
  JSON.stringify({
    data: ['AQID', 'base64'],
    executable: false,
    lamports: 5,
    owner,
    rentEpoch: 0,
    space: 3,
    ...fields,
  });

/** 300 bytes: 40 multiples of seven, zeros, remainders of five; compressed by zstd 1.5.4 from a pipe, as nodes do. */
const compressed =
  'KLUv/QBYxQEA1AIABw4VHCMqMTg/Rk1UW2JpcHd+hYyTmqGor7a9xMvS2eDn7vX8AwoRAAECAwQCAIwykXQoUAY=';
const decompressed = Uint8Array.from({ length: 300 }, (_, i) =>
  i < 40 ? i * 7 : i < 200 ? 0 : i % 5,
);

test('an account consists of its owner, lamports and data', () => {
  const data = Uint8Array.of(1, 2, 3);
  expect(parseAccountJson(accountJson({}))).toEqual({ owner, lamports: 5n, data });
});

test('lamports beyond the precision of JSON numbers are exact', () => {
  const text = accountJson({}).replace('"lamports":5', '"lamports": 18446744073709551615');
  expect(parseAccountJson(text)?.lamports).toBe(18446744073709551615n);
});

test('compressed data is decompressed with and without a given size', () => {
  const data = [compressed, 'base64+zstd'];
  expect(parseAccountJson(accountJson({ data, space: 300 }))?.data).toEqual(decompressed);
  expect(parseAccountJson(accountJson({ data, space: undefined }))?.data).toEqual(decompressed);
});

test('null and an account without lamports do not exist', () => {
  expect(parseAccountJson('null')).toBeUndefined();
  expect(parseAccountJson(accountJson({ lamports: 0, data: ['', 'base64'] }))).toBeUndefined();
});

test('the data is not a view of a larger buffer', () => {
  expect(parseAccountJson(accountJson({}))?.data.buffer.byteLength).toBe(3);
});

test.each([
  ['a number', '7'],
  ['truncated JSON', accountJson({}).slice(0, 20)],
  ['no owner', accountJson({ owner: undefined })],
  ['a wrong owner', accountJson({ owner: 'KLend2' })],
  ['negative lamports', accountJson({ lamports: -1 })],
  ['lamports as a string', accountJson({ lamports: '5' })],
  ['fractional lamports', accountJson({ lamports: 0.5 })],
  ['no data', accountJson({ data: undefined })],
  ['data as a string', accountJson({ data: 'AQID' })],
  ['an unknown encoding', accountJson({ data: ['AQID', 'base58'] })],
  ['invalid base64', accountJson({ data: ['AQ!D', 'base64'] })],
  ['truncated base64', accountJson({ data: ['AQI', 'base64'] })],
  [
    'truncated compressed data',
    accountJson({ data: [compressed.slice(0, 40), 'base64+zstd'], space: 300 }),
  ],
  ['uncompressed data', accountJson({ data: ['AQID', 'base64+zstd'] })],
  ...[0, 100, 299, 301, 400, 100_000].map((space) => [
    `compressed data whose size is not ${space}`,
    accountJson({ data: [compressed, 'base64+zstd'], space }),
  ]),
  ['data that is shorter than its size', accountJson({ space: 4 })],
  ['data that is longer than its size', accountJson({ space: 2 })],
  ['a program of another owner than a loader', accountJson({ executable: true })],
  ['a text as `executable`', accountJson({ executable: 'no' })],
  ['lamports of more than 64 bits', accountJson({}).replace(':5,', ':18446744073709551616,')],
  ['a size above the maximum', accountJson({ data: [compressed, 'base64+zstd'], space: 1e9 })],
])('%s is rejected', (_, text) => {
  expect(catchError(() => parseAccountJson(text))?.code).toMatch(
    /^(MALFORMED_DATA|INVALID_ADDRESS)$/,
  );
});

test('a part of the data is shorter than its size, and a program belongs to a loader', () => {
  expect(parseAccountJson(accountJson({ space: 300 }), 'part')?.data).toHaveLength(3);
  const loader = 'BPFLoaderUpgradeab1e11111111111111111111111';
  expect(parseAccountJson(accountJson({ executable: true, owner: loader }))?.owner).toBe(loader);
});

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const MAX_BLOCK = 128 * 1024;

/** A zstd frame of zeros: a header, then blocks that repeat one byte. Four bytes stand for 128 KiB. */
function bomb(header: readonly number[], blocks: number): string {
  const block = (isLast: boolean) => {
    const bits = (MAX_BLOCK << 3) | (1 << 1) | (isLast ? 1 : 0);
    return [bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, 0];
  };
  const bytes = Array.from({ length: blocks }, (_, index) => block(index === blocks - 1)).flat();
  return Buffer.from([...MAGIC, ...header, ...bytes]).toString('base64');
}

const SMALL_WINDOW = [0, 0x38];
const DECLARES_A_GIGABYTE = [0xa0, 0, 0, 0, 0x40];

test('zeros up to the size of the largest account are decompressed without a given size', () => {
  const data = [bomb(SMALL_WINDOW, 80), 'base64+zstd'];
  const account = parseAccountJson(accountJson({ data, space: undefined }));
  expect(account?.data.length).toBe(10 * 1024 * 1024);
});

test.each([
  ['81 blocks', bomb(SMALL_WINDOW, 81)],
  ['100,000 blocks, which are 12 GiB', bomb(SMALL_WINDOW, 100_000)],
  ['a header that declares a gigabyte, and 200 blocks', bomb(DECLARES_A_GIGABYTE, 200)],
])('a decompression bomb of %s is rejected, with and without a given size', (_, text) => {
  const data = [text, 'base64+zstd'];
  for (const space of [undefined, 1000, 10 * 1024 * 1024]) {
    const error = catchError(() => parseAccountJson(accountJson({ data, space })));
    expect(error?.code).toBe('MALFORMED_DATA');
  }
});

test('a keyed account requires its address', () => {
  const account = JSON.parse(accountJson({}));
  expect(parseNamedAccountJson(JSON.stringify({ pubkey: owner, account })).address).toBe(owner);
  const withoutAddress = JSON.stringify({ pubkey: 7, account });
  expect(catchError(() => parseNamedAccountJson(withoutAddress))?.code).toBe('MALFORMED_DATA');
});
