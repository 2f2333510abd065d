import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { toAddress, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import type { OracleMappings } from '../layout/configuration.ts';
import { SCOPE_PROGRAM } from '../program.ts';
import { mappingEntry } from './mapping-entry.ts';

const feed = toAddress('So11111111111111111111111111111111111111112');

function mappings(): OracleMappings {
  const priceInfoAccounts = Array.from({ length: 512 }, () => ZERO_ADDRESS);
  const twapSource = Array.from({ length: 512 }, () => 65535);
  const refPrice = Array.from({ length: 512 }, () => 65535);
  const priceTypes = new Uint8Array(512);
  const twapEnabled = new Uint8Array(512);
  priceInfoAccounts[3] = feed;
  priceTypes[3] = 0x80 | 21;
  twapEnabled[3] = 0b0101;
  refPrice[3] = 9;
  priceInfoAccounts[4] = SCOPE_PROGRAM;
  priceTypes[4] = 41;
  twapSource[4] = 3;
  refPrice[5] = 4;
  twapSource[5] = 250;
  twapSource[6] = 250;
  const generic = Array.from({ length: 512 }, () => new Uint8Array(20));
  return { priceInfoAccounts, priceTypes, twapSource, twapEnabled, refPrice, generic };
}

test('bit 7 of the type is the frozen flag, the other bits are the oracle type', () => {
  expect(mappingEntry(mappings(), 3)).toEqual({
    priceInfoAccount: feed,
    oracleType: 21,
    isFrozen: true,
    twaps: ['1h', '24h'],
    averageOf: undefined,
    refPrice: 9,
    refPriceToleranceBps: undefined,
  });
});

test('a TWAP has its source entry and no price account', () => {
  expect(mappingEntry(mappings(), 4)).toEqual({
    priceInfoAccount: undefined,
    oracleType: 41,
    isFrozen: false,
    twaps: [],
    averageOf: { index: 3, period: '24h' },
    refPrice: undefined,
    refPriceToleranceBps: undefined,
  });
});

test('with a reference price the same field is a tolerance', () => {
  expect(mappingEntry(mappings(), 5)).toMatchObject({ refPrice: 4, refPriceToleranceBps: 250 });
  expect(mappingEntry(mappings(), 6).refPriceToleranceBps).toBeUndefined();
});

test('an index above 511 throws', () => {
  expect(mappingEntry(mappings(), 511).oracleType).toBe(0);
  expect(catchError(() => mappingEntry(mappings(), 512))?.code).toBe('MALFORMED_DATA');
});
