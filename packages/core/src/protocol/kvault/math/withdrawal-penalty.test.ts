import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { ceilSf, sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import {
  maxGrossAmount,
  minGrossAmount,
  penaltyOfGross,
  penaltyOfNet,
  penaltyRates,
} from './withdrawal-quote.ts';

const source = (bps: bigint, lamports: bigint) => ({
  withdrawalPenaltyBps: bps,
  withdrawalPenaltyLamports: toLamports(lamports),
});

test('the larger of the vault and the global rate applies', () => {
  expect(penaltyRates(source(5n, 10n), source(3n, 20n))).toEqual({ bps: 5n, lamports: 20n });
  expect(penaltyRates(source(3n, 20n), source(5n, 10n))).toEqual({ bps: 5n, lamports: 20n });
});

test('the penalty is the larger of the bps and the fixed amount', () => {
  const terms = { bps: 100n, lamports: 7n };
  expect(penaltyOfGross(terms, sfFromInt(1_000n))).toBe(sfFromInt(10n));
  expect(penaltyOfGross(terms, sfFromInt(500n))).toBe(sfFromInt(7n));
  expect(penaltyOfGross({ bps: 1n, lamports: 0n }, sfFromInt(1n))).toBe((1n << 60n) / 10_000n);
});

test('a penalty of one percent on a net of 99 is 1, within 60 bits', () => {
  const onTop = penaltyOfNet({ bps: 100n, lamports: 0n }, sfFromInt(99n));
  expect(onTop).toBeLessThan(sfFromInt(1n));
  expect(onTop).toBeGreaterThan(sfFromBits(sfFromInt(1n) - 1_000n));
  expect(penaltyOfNet({ bps: 100n, lamports: 3n }, sfFromInt(99n))).toBe(sfFromInt(3n));
});

test('property: maxGrossAmount and minGrossAmount are the exact bounds of a payout', () => {
  const terms = fc.record({ bps: fc.bigInt(0n, 9_999n), lamports: fc.bigInt(0n, 10_000n) });
  assertProperty(
    fc.property(terms, fc.bigInt(1n, 1n << 50n), (some, net) => {
      const netOf = (gross: bigint): bigint =>
        gross - ceilSf(penaltyOfGross(some, sfFromInt(gross)));
      const most = maxGrossAmount(some, net);
      expect(netOf(most)).toBeLessThanOrEqual(net);
      expect(netOf(most + 1n)).toBeGreaterThan(net);
      const least = minGrossAmount(some, net);
      expect(netOf(least)).toBeGreaterThanOrEqual(net);
      expect(netOf(least - 1n)).toBeLessThan(net);
    }),
    100,
  );
});
