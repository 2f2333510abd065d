import type { Address } from '../../../base/encoding/address.ts';
import { CodedError } from '../../../base/errors.ts';
import { aprToApy } from '../../../base/numbers/apy.ts';
import { type Ratio, ratio } from '../../../base/numbers/decimal.ts';
import { addSf, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import type { VaultStateView } from '../layout/vault-state.ts';
import { usedAllocations, type VaultHoldings } from './holdings.ts';

/** Yearly rates as fractions, without rewards. `net` is after the vault's fees. */
export type VaultYield = {
  readonly grossApr: Ratio;
  readonly netApr: Ratio;
  readonly grossApy: Ratio;
  readonly netApy: Ratio;
};

/** The supply APR of each reserve. */
export type SupplyAprs = ReadonlyMap<Address, Ratio>;

type FeeTerms = Pick<VaultStateView, 'performanceFeeBps' | 'managementFeeBps'>;

/** The yield if all assets were allocated by weight. Ignores caps and the unallocated weight. */
export function theoreticalYield(
  vault: FeeTerms & Pick<VaultStateView, 'vaultAllocationStrategy'>,
  aprs: SupplyAprs,
): VaultYield {
  const parts = usedAllocations(vault).map((allocation) => ({
    apr: aprOf(aprs, allocation.reserve),
    weight: allocation.targetAllocationWeight,
  }));
  const total = parts.reduce((sum, { weight }) => sum + weight, 0n);
  return yieldOf(vault, weightedMean(parts, total));
}

/** The yield of the current holdings. Available tokens earn nothing. */
export function actualYield(
  vault: FeeTerms,
  holdings: VaultHoldings,
  aprs: SupplyAprs,
): VaultYield {
  const parts = holdings.invested.map(({ reserve, liquidity }) => ({
    apr: aprOf(aprs, reserve),
    weight: liquidity,
  }));
  const total = addSf(sfFromInt(holdings.available), holdings.investedTotal);
  return yieldOf(vault, weightedMean(parts, total));
}

function yieldOf(vault: FeeTerms, grossApr: Ratio): VaultYield {
  const { numerator, denominator } = grossApr;
  const afterFees = 10_000n - vault.performanceFeeBps;
  const netApr = ratio(
    numerator * afterFees - vault.managementFeeBps * denominator,
    denominator * 10_000n,
  );
  return {
    grossApr,
    netApr,
    // computed lazily because the power is expensive
    get grossApy() {
      return aprToApy(grossApr);
    },
    get netApy() {
      return aprToApy(netApr);
    },
  };
}

type Part = { readonly apr: Ratio; readonly weight: bigint };

/** Zero if the total weight is zero. */
function weightedMean(parts: readonly Part[], total: bigint): Ratio {
  if (total === 0n) return ratio(0n, 1n);
  const sum = parts.reduce(
    (soFar, { apr, weight }) =>
      ratio(
        soFar.numerator * apr.denominator + apr.numerator * weight * soFar.denominator,
        soFar.denominator * apr.denominator,
      ),
    ratio(0n, 1n),
  );
  return ratio(sum.numerator, sum.denominator * total);
}

function aprOf(aprs: SupplyAprs, reserve: Address): Ratio {
  const apr = aprs.get(reserve);
  if (apr !== undefined) return apr;
  const reason = `the reserve ${reserve} is missing`;
  throw new CodedError('MALFORMED_DATA', { what: 'supply rate list', reason });
}
