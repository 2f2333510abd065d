import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  addScaled,
  ratioOfScaled,
  type Scaled,
  scaledOf,
  ZERO_SCALED,
} from '../../base/numbers/fixed-decimal.ts';
import { divRatioOrZero, mulRatio } from '../../base/numbers/ratio.ts';
import type { Sf } from '../../base/numbers/scaled-fraction.ts';
import { wholeTokens } from '../vaults/vault-metrics.ts';

/** USD for a whole token and for SOL at the end of an interval; zero where there is none. */
export type IntervalPrices = { readonly tokenPrice: Ratio; readonly solPrice: Ratio };

/** What came in over many intervals, each at its own prices. It is kept with a point and goes on from there. */
export type Accrued = { readonly tokens: Scaled; readonly usd: Scaled; readonly sol: Scaled };

export const NOTHING_ACCRUED: Accrued = {
  tokens: ZERO_SCALED,
  usd: ZERO_SCALED,
  sol: ZERO_SCALED,
};

/** One interval more: `tokens` that came in by its end, whole ones, or went where they are below zero. */
export function accrueTokens(
  before: Accrued,
  tokens: Ratio,
  { tokenPrice, solPrice }: IntervalPrices,
): Accrued {
  const usd = mulRatio(tokens, tokenPrice);
  return {
    tokens: addScaled(before.tokens, scaledOf(tokens)),
    usd: addScaled(before.usd, scaledOf(usd)),
    sol: addScaled(before.sol, scaledOf(divRatioOrZero(usd, solPrice))),
  };
}

/** What a vault's account counts since it was made, in lamports. */
type VaultCounters = {
  readonly cumulativeEarnedInterestSf: Sf;
  readonly cumulativePerfFeesSf: Sf;
  readonly cumulativeMgmtFeesSf: Sf;
};

export type VaultAccrued = {
  readonly interest: Accrued;
  readonly performanceFees: Accrued;
  readonly managementFees: Accrued;
};

export const NO_VAULT_ACCRUED: VaultAccrued = {
  interest: NOTHING_ACCRUED,
  performanceFees: NOTHING_ACCRUED,
  managementFees: NOTHING_ACCRUED,
};

export type VaultInterval = IntervalPrices & {
  readonly from: VaultCounters;
  readonly to: VaultCounters;
  readonly tokenDecimals: bigint;
};

/** From one point of a vault to the next. The first interval starts where the counters are zero. */
export function accrueVault(before: VaultAccrued, interval: VaultInterval): VaultAccrued {
  const { from, to } = interval;
  const step = (accrued: Accrued, name: keyof VaultCounters): Accrued =>
    accrueCounter(accrued, { from: from[name], to: to[name] }, interval);
  return {
    interest: step(before.interest, 'cumulativeEarnedInterestSf'),
    performanceFees: step(before.performanceFees, 'cumulativePerfFeesSf'),
    managementFees: step(before.managementFees, 'cumulativeMgmtFeesSf'),
  };
}

function accrueCounter(
  before: Accrued,
  { from, to }: { readonly from: Sf; readonly to: Sf },
  interval: VaultInterval,
): Accrued {
  if (to < from) {
    const reason = 'a sum that only grows is smaller than before';
    throw new CodedError('MALFORMED_DATA', { what: 'history of a vault', reason });
  }
  const all = wholeTokens(to, interval.tokenDecimals);
  const tokens = { ...all, numerator: all.numerator - from };
  return accrueTokens(before, tokens, interval);
}

/** In whole tokens, USD and SOL. */
export type AccruedAmounts = { readonly tokens: Ratio; readonly usd: Ratio; readonly sol: Ratio };

export const accruedAmounts = ({ tokens, usd, sol }: Accrued): AccruedAmounts => ({
  tokens: ratioOfScaled(tokens),
  usd: ratioOfScaled(usd),
  sol: ratioOfScaled(sol),
});
