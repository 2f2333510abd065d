import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import {
  referenceDecode,
  referenceEncode,
} from '../../../../../test/support/reference/reference-base58.ts';
import { isOnCurve as referenceIsOnCurve } from '../../../../core/src/base/solana/curve25519.ts';
import { addressAt, addressBytes, isAddress } from './base58.ts';
import {
  farmAccounts,
  loanAddress,
  marketAuthority,
  PLAIN_LOAN,
  referrerTokenState,
  tokenAccountOf,
  userMetadata,
  vaultAccounts,
} from './derived-addresses.ts';
import { isOnCurve } from './program-address.ts';
import { KLEND_PROGRAMS, KVAULT_PROGRAMS, TOKEN_PROGRAM } from './programs.ts';

const [KLEND = ''] = KLEND_PROGRAMS;
const [KVAULT = ''] = KVAULT_PROGRAMS;
const wallet = '11111111111111111111111111111112';
const market = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const sol = 'So11111111111111111111111111111111111111112';
const farm = 'JAvnB9AKtgPsTEoKmn24Bq64UMoYcrtWtq42HHBdsPkh';
const reserve = 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59';
const vault = 'HDsayqAsDWy3QvANGqh2yNraqcD8Fnjgh73Mhb3WRS5E';

test('derives the addresses of the published vectors', () => {
  const loan = { ...PLAIN_LOAN, wallet, market };
  const multiply = { ...loan, tag: 1, seed1: sol, seed2: usdc };
  expect(marketAuthority(KLEND, market)).toBe('9DrvZvyWh1HuAoZxvYWMvkf2XCzryCpGgHqrMjyDWpmo');
  expect(userMetadata(KLEND, wallet)).toBe('8RYFMQY79YBGEJH6G6TRXYKVHJUNTir8YaCL9B7SckxJ');
  expect(loanAddress(KLEND, loan)).toBe('5R8c9NP5pPV4nVSu1N4LEf8s3yjk3S9CxJ8JMQ7iqNkj');
  expect(loanAddress(KLEND, multiply)).toBe('DYQTPBsJQaE8pT1u9NQjrNgo6e8oaV8GEzPvfvHnbu7P');
  expect(tokenAccountOf(wallet, usdc, TOKEN_PROGRAM)).toBe(
    'G9xKTRhM57AL4my3ZRVNqM95mxtACgKdNRPX6EVhB7hv',
  );
  expect(farmAccounts.userState(farm, wallet)).toBe('G6U1bK2yULcFzHmhHQHj8RQod1E3oGCGjcwmTmAWBP6U');
  expect(farmAccounts.authority(farm)).toBe('FdaqkxQdSJtvpAMmc2jjv6cCM2C3X8hoRBbtdazBTtBJ');
  expect(referrerTokenState(KLEND, wallet, reserve)).toBe(
    '2zeAqCd7Kf7tV6jqCRTeecbheEEvtofxggqLdD55nEYc',
  );
  expect(vaultAccounts.authority(KVAULT, vault)).toBe(
    'AyY6VCkHfTWdFs7SqBbu6AnCqLUhgzVHBzW3WcJu5Jc8',
  );
  expect(vaultAccounts.tokenVault(KVAULT, vault)).toBe(
    'CKTEDx5z19CntAB9B66AxuS98S1NuCgMvfpsew7TQwi',
  );
  expect(vaultAccounts.sharesMint(KVAULT, vault)).toBe(
    '7D8C5pDFxug58L9zkwK7bCiDg4kD4AygzbcZUmf5usHS',
  );
  expect(vaultAccounts.ctokenVault(KVAULT, vault, reserve)).toBe(
    'CZg8x8oqB7FYUfURq15F5AcjRTymcXsc8ann76CrpJrf',
  );
  expect(vaultAccounts.globalConfig(KVAULT)).toBe('BKyTcUe6daNG8HbgBix2ugdRHbykG2dK9hPBBqhUyoEX');
  expect(vaultAccounts.eventAuthority(KVAULT)).toBe('24tHwQyJJ9akVXxnvkekGfAoeUJXXS7mE6kQNioNySsK');
});

const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('property: addresses are read and written like the reference', () => {
  assertProperty(
    fc.property(keys, fc.nat(32), (key, zeros) => {
      const bytes = key.map((byte, i) => (i < zeros ? 0 : byte));
      const text = referenceEncode(bytes);
      expect(addressAt(bytes)).toBe(text);
      expect(addressBytes(text)).toEqual(referenceDecode(text));
    }),
    100,
  );
});

test('text that is no address is refused', () => {
  for (const text of [
    '',
    '1',
    wallet.slice(1),
    `1${wallet}`,
    'z'.repeat(44),
    `${wallet}0`,
    'O'.repeat(32),
  ]) {
    expect(addressBytes(text)).toBeUndefined();
  }
});

test('a cached address is valid, and only that', () => {
  const texts = Array.from({ length: 5_000 }, (_, i) =>
    addressAt(Uint8Array.from({ length: 32 }, (_each, at) => (at === 0 ? i >> 8 : at + i) % 256)),
  );
  for (const text of [...texts, ...texts]) {
    expect(isAddress(text)).toBe(true);
    expect(isAddress(`0${text.slice(1)}`)).toBe(false);
  }
});

test('property: a point on the curve is recognized as one', () => {
  assertProperty(
    fc.property(keys, (key) => {
      expect(isOnCurve(key)).toBe(referenceIsOnCurve(key));
    }),
    200,
  );
});
