import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { seededBytes } from '../../../../../test/support/random/seeded-bytes.ts';
import { addressToBytes, toAddress } from '../encoding/address.ts';
import { bytesFromHex } from '../encoding/bytes.ts';
import { isOnCurve } from './curve25519.ts';

const P = 2n ** 255n - 19n;
const modulo = (value: bigint) => ((value % P) + P) % P;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = modulo(base);
  for (let rest = exponent; rest > 0n; rest /= 2n) {
    if (rest % 2n === 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

const inverse = (value: bigint) => power(value, P - 2n);

/** The curve is -x^2 + y^2 = 1 + d x^2 y^2 with d = -121665 / 121666. */
const D = modulo(-121_665n * inverse(121_666n));

/** The definition: computes x^2 and applies Euler's criterion. */
function hasPoint(bytes: Uint8Array): boolean {
  const number = bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const y = modulo(number % 2n ** 255n);
  const xSquared = modulo((y * y - 1n) * inverse(D * y * y + 1n));
  return xSquared === 0n || power(xSquared, (P - 1n) / 2n) === 1n;
}

function toBytes(y: bigint, signBit = 0n): Uint8Array {
  const number = y + signBit * 2n ** 255n;
  return Uint8Array.from({ length: 32 }, (_, i) => Number((number >> BigInt(8 * i)) & 255n));
}

type Point = readonly [bigint, bigint];

function add([x1, y1]: Point, [x2, y2]: Point): Point {
  const product = D * x1 * x2 * y1 * y2;
  return [
    modulo((x1 * y2 + x2 * y1) * inverse(1n + product)),
    modulo((y1 * y2 + x1 * x2) * inverse(1n - product)),
  ];
}

const BASE: Point = [
  15_112_221_349_535_400_772_501_151_409_588_531_511_454_012_693_041_857_206_046_113_283_949_847_762_202n,
  modulo(4n * inverse(5n)),
];

test('the base point and its multiples are on the curve', () => {
  expect(toBytes(BASE[1])).toEqual(bytesFromHex(`58${'66'.repeat(31)}`));
  let point = BASE;
  for (let i = 0; i < 40; i++) {
    const [x, y] = point;
    expect(isOnCurve(toBytes(y, x % 2n))).toBe(true);
    point = add(point, BASE);
  }
});

test('wallet keys are on the curve, program derived addresses are not', () => {
  // Public keys of the first two test vectors of RFC 8032.
  for (const key of [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  ]) {
    expect(isOnCurve(bytesFromHex(key))).toBe(true);
  }
  for (const text of [
    '9DrvZvyWh1HuAoZxvYWMvkf2XCzryCpGgHqrMjyDWpmo',
    'BEe6HXZf6cByeb8iCxukjB8k74kJN3cVbBAGi49Hfi6W',
    'EvF8jgEedtXPM57apSwh9eRjM2GtEYwh7oP6gB9nUpEF',
    '24tHwQyJJ9akVXxnvkekGfAoeUJXXS7mE6kQNioNySsK',
    '8RYFMQY79YBGEJH6G6TRXYKVHJUNTir8YaCL9B7SckxJ',
    'G9xKTRhM57AL4my3ZRVNqM95mxtACgKdNRPX6EVhB7hv',
  ]) {
    expect(isOnCurve(addressToBytes(toAddress(text)))).toBe(false);
  }
});

test('agrees with the definition near zero, the prime and the sign bit', () => {
  const edges = [0n, 1n, 2n, 3n, P - 2n, P - 1n, P, P + 1n, P + 2n, P + 18n, 2n ** 255n - 1n];
  for (const y of edges) {
    for (const signBit of [0n, 1n]) {
      expect([y, isOnCurve(toBytes(y, signBit))]).toEqual([y, hasPoint(toBytes(y, signBit))]);
    }
  }
  // y of 0, 1 and -1 has the points (i, 0), (0, 1) and (0, -1); y of 2 has none.
  expect([0n, 1n, P - 1n, 2n].map((y) => isOnCurve(toBytes(y)))).toEqual([true, true, true, false]);
});

test('property: agrees with the definition on random bytes', () => {
  assertProperty(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      expect(isOnCurve(bytes)).toBe(hasPoint(bytes));
    }),
    25,
  );
});

/** P is 5 modulo 8, so the root, if any, is one of two powers. */
function rootOf(square: bigint): bigint | undefined {
  const root = power(square, (P + 3n) / 8n);
  return [root, modulo(root * power(2n, (P - 1n) / 4n))].find(
    (each) => modulo(each * each - square) === 0n,
  );
}

/** A y for which (y^2 - 1)(d y^2 + 1) equals the number, if any. */
function solutionFor(product: bigint): bigint | undefined {
  const root = rootOf(modulo((1n - D) ** 2n + 4n * D * (1n + product)));
  return root === undefined ? undefined : rootOf(modulo((D - 1n + root) * inverse(2n * D)));
}

test('long runs of zero bits do not change the result', () => {
  const products = [29n, 30n, 31n, 32n, 33n, 59n, 60n, 61n, 63n, 64n, 65n, 90n, 128n].flatMap(
    (zeros) => Array.from({ length: 20 }, (_, k) => (2n * BigInt(k) + 1n) << zeros),
  );
  const solutions = products.map(solutionFor).filter((y) => y !== undefined);
  const answers = solutions.map((y) => isOnCurve(toBytes(y)));
  expect(answers).toEqual(solutions.map((y) => hasPoint(toBytes(y))));
  expect(new Set(answers).size).toBe(2);
});

test('about half of all keys are on the curve', () => {
  const keys = Array.from({ length: 200 }, (_, i) => seededBytes(i + 1, 64).subarray(32));
  const count = keys.filter(isOnCurve).length;
  expect(count).toBe(keys.filter(hasPoint).length);
  expect(count).toBeGreaterThan(70);
  expect(count).toBeLessThan(130);
});
