import { expect, test } from 'vitest';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { ctokenPrice } from './price-chain.ts';

test.each([
  // 10^6 cToken lamports of a reserve with 73929312281779856681222178258142 bits for 57654321098765
  [1_282_285_713_765_233_800_276_632n, 6, { value: 111_220_556_528_911_375n, exp: 17n }],
  // one lamport per cToken lamport
  [sfFromInt(1_000_000n), 6, { value: 100_000_000_000_000_000n, exp: 17n }],
  // a token with nine decimals: a whole cToken of a million lamports is a thousandth of it
  [sfFromInt(1_000_000n), 9, { value: 100_000_000_000_000_000n, exp: 20n }],
  [sfFromInt(0n), 6, { value: 0n, exp: 24n }],
])('a rate of %i with %i decimals', (bits, mintDecimals, price) => {
  expect(ctokenPrice({ exchangeRateSf: sfFromBits(bits), mintDecimals })).toEqual(price);
});
