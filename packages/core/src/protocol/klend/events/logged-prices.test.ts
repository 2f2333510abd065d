import { expect, test } from 'vitest';
import {
  namedAddress,
  programAddress,
  publishedCall,
} from '../../../../../../test/support/protocol/published-calls.ts';
import { bytesFromHex } from '../../../base/encoding/bytes.ts';
import { readLoggedPrices } from './logged-prices.ts';

const refresh = publishedCall('klend', 'refreshReserve');

/** With prices if `skips` is 0. */
const refreshBatch = (reserves: readonly string[], skips: number) => ({
  program: programAddress('klend'),
  accounts: reserves
    .flatMap((reserve) => [reserve, 'market', 'pyth', 'switchboard', 'twap', 'scope'])
    .map(namedAddress),
  data: Uint8Array.of(...bytesFromHex('906e1a67a2ccfc93'), skips),
  path: [0],
  children: [],
});

test('a refresh logs the price of its reserve', () => {
  const logs = ['Instruction: RefreshReserve', 'Token: SOL Price: 165.2633'];
  expect(readLoggedPrices(refresh, logs)).toEqual([
    { reserve: namedAddress('reserve'), tenThousandths: 1_652_633n },
  ]);
});

test('a refresh of several reserves logs their prices in order', () => {
  const logs = ['Token: SOL Price: 165.2633', 'Token: USD Coin Price: 0.9999'];
  const prices = [
    { reserve: namedAddress('first'), tenThousandths: 1_652_633n },
    { reserve: namedAddress('second'), tenThousandths: 9_999n },
  ];
  expect(readLoggedPrices(refreshBatch(['first', 'second'], 0), logs)).toEqual(prices);
  expect(readLoggedPrices(refreshBatch(['first', 'second', 'third'], 0), logs)).toEqual([]);
  expect(readLoggedPrices(refreshBatch(['first', 'second'], 1), logs)).toEqual([]);
});

test('four decimals do not tell a price that rounds to zero', () => {
  expect(readLoggedPrices(refresh, ['Token: BONK Price: 0.0000'])).toEqual([]);
});

test('a call without the line tells no price', () => {
  expect(readLoggedPrices(refresh, [])).toEqual([]);
  expect(readLoggedPrices(refresh, ['Token: SOL Price: unknown'])).toEqual([]);
});

test('other calls tell no price', () => {
  const logs = ['Token: SOL Price: 165.2633'];
  expect(readLoggedPrices(publishedCall('klend', 'refreshObligation'), logs)).toEqual([]);
});
