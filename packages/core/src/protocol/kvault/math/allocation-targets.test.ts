import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError } from '../../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import {
  repeatedByteAddress,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { allocationTargets } from './allocation-targets.ts';

const aum = sfFromBits(8_974_905_103_309_533_767_900_964n);

type AllocationInput = readonly [weight: bigint, cap: bigint];

function targets(
  allocations: readonly AllocationInput[],
  unallocated: AllocationInput = [0n, 0n],
  total = aum,
): bigint[] {
  const vault = vaultWith(
    { unallocatedWeight: unallocated[0], unallocatedTokensCap: toLamports(unallocated[1]) },
    allocations.map(([weight, cap], i) => ({
      reserve: repeatedByteAddress(i + 1),
      targetAllocationWeight: weight,
      tokenAllocationCap: toLamports(cap),
    })),
  );
  return [...allocationTargets(vault, total, new Map()).values()];
}

test('a cap in cTokens limits the liquidity that they are worth', () => {
  const [first, second] = [repeatedByteAddress(1), repeatedByteAddress(2)];
  const cap = (ctokenAllocationCap: bigint, tokenAllocationCap = toLamports(U64_MAX)) => {
    const vault = vaultWith({}, [
      { reserve: first, targetAllocationWeight: 1n, tokenAllocationCap, ctokenAllocationCap },
      { reserve: second, targetAllocationWeight: 1n, tokenAllocationCap: toLamports(U64_MAX) },
    ]);
    // Two lamports per cToken.
    const exchange = { totalSupply: sfFromInt(2_000n), mintTotalSupply: 1_000n };
    const exchanges = new Map([[first, exchange]]);
    return [...allocationTargets(vault, sfFromInt(1_000n), exchanges).values()];
  };
  expect(cap(100n)).toEqual([sfFromInt(200n), sfFromInt(800n)]);
  expect(cap(100n, toLamports(150n))).toEqual([sfFromInt(150n), sfFromInt(850n)]);
  for (const uncapped of [0n, U64_MAX]) {
    expect(cap(uncapped)).toEqual([sfFromInt(500n), sfFromInt(500n)]);
  }
});

test('without caps each reserve gets its part by weight, rounded down', () => {
  expect(
    targets([
      [1n, U64_MAX],
      [3n, U64_MAX],
    ]),
  ).toEqual([aum / 4n, (aum * 3n) / 4n]);
});

test('the unallocated weight reserves its part, at most its cap', () => {
  const allocations: AllocationInput[] = [
    [1n, U64_MAX],
    [3n, U64_MAX],
  ];
  expect(targets(allocations, [1n, 0n])).toEqual([
    1_794_981_020_661_906_753_580_193n,
    5_384_943_061_985_720_260_740_579n,
  ]);
  expect(targets(allocations, [1n, 500_000n])).toEqual([
    2_099_611_087_751_527_569_975_241n,
    6_298_833_263_254_582_709_925_723n,
  ]);
});

test('the excess over a cap goes to the others in the next round', () => {
  const allocations: AllocationInput[] = [
    [1n, U64_MAX],
    [3n, 2_000_000n],
    [2n, 1_000_000n],
  ];
  expect(targets(allocations)).toEqual([
    5_516_140_589_488_992_839_900_964n,
    sfFromInt(2_000_000n),
    sfFromInt(1_000_000n),
  ]);
});

test('a second round can reach the next cap', () => {
  // 100: first 50 and 50, the first capped at 10; then 40 more for a cap of 60, so 10 stay unallocated.
  const allocations: AllocationInput[] = [
    [1n, 10n],
    [1n, 60n],
  ];
  expect(targets(allocations, undefined, sfFromInt(100n))).toEqual([
    sfFromInt(10n),
    sfFromInt(60n),
  ]);
});

test('a part that equals its cap reaches it, so another round follows', () => {
  const ten = sfFromInt(10n);
  const allocations: AllocationInput[] = [
    [1n, 10n],
    [1n, U64_MAX],
    [1n, U64_MAX],
  ];
  expect(targets(allocations, undefined, sfFromBits(3n * ten + 2n))).toEqual([
    ten,
    ten + 1n,
    ten + 1n,
  ]);
});

test('the excess over all caps stays unallocated', () => {
  expect(
    targets([
      [1n, 1_000n],
      [3n, 2_000n],
    ]),
  ).toEqual([sfFromInt(1_000n), sfFromInt(2_000n)]);
});

test('a reserve with a cap of zero has no target, and its weight is ignored', () => {
  expect(
    targets(
      [
        [1n, 0n],
        [3n, U64_MAX],
      ],
      [1n, 0n],
    ),
  ).toEqual([0n, 6_731_178_827_482_150_325_925_723n]);
});

test('a vault without weights or tokens has targets of zero', () => {
  expect(targets([[0n, U64_MAX]])).toEqual([0n]);
  expect(targets([[5n, U64_MAX]], undefined, sfFromInt(0n))).toEqual([0n]);
  expect(targets([])).toEqual([]);
});

test('weights that overflow throw', () => {
  expect(catchError(() => targets([[1n << 60n, U64_MAX]]))?.code).toBe('MATH_OVERFLOW');
  const tooMany: AllocationInput[] = [
    [U64_MAX, U64_MAX],
    [1n, U64_MAX],
  ];
  expect(catchError(() => targets(tooMany, undefined, sfFromInt(0n)))?.code).toBe('MATH_OVERFLOW');
});

test('property: no target exceeds its cap, and their sum does not exceed the AUM', () => {
  const allocations = fc.array(fc.tuple(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 1n << 30n)), {
    maxLength: 25,
  });
  const totals = fc.bigInt(0n, 1n << 95n).map(sfFromBits);
  assertProperty(
    fc.property(allocations, totals, (some, total) => {
      const found = targets(some, [3n, 0n], total);
      found.forEach((target, i) => {
        expect(target).toBeLessThanOrEqual((some[i]?.[1] ?? 0n) << 60n);
      });
      expect(found.reduce((sum, target) => sum + target, 0n)).toBeLessThanOrEqual(total);
    }),
    100,
  );
});
