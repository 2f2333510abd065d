import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  addFixedDecimals,
  type FixedDecimal,
  fixedDecimalFromRatio,
  fixedDecimalToRatio,
  ZERO_FIXED_DECIMAL,
} from '../../base/numbers/fixed-decimal.ts';
import { divRatioOrZero, mulRatio } from '../../base/numbers/ratio.ts';
import type { Sf } from '../../base/numbers/scaled-fraction.ts';
import { sfToWholeTokens } from '../vaults/vault-metrics.ts';

/** USD for a whole token and for SOL at the end of an interval; zero where there is none. */
export type IntervalPrices = { readonly tokenPrice: Ratio; readonly solPrice: Ratio };

/** What came in over many intervals, each at its own prices. It is kept with a point and goes on from there. */
export type AccruedValue = {
  readonly tokens: FixedDecimal;
  readonly usd: FixedDecimal;
  readonly sol: FixedDecimal;
};

export const ZERO_ACCRUED_VALUE: AccruedValue = {
  tokens: ZERO_FIXED_DECIMAL,
  usd: ZERO_FIXED_DECIMAL,
  sol: ZERO_FIXED_DECIMAL,
};

/** One interval more: `tokens` that came in by its end, whole ones, or went where they are below zero. */
export function accrueTokens(
  before: AccruedValue,
  tokens: Ratio,
  { tokenPrice, solPrice }: IntervalPrices,
): AccruedValue {
  const usd = mulRatio(tokens, tokenPrice);
  return {
    tokens: addFixedDecimals(before.tokens, fixedDecimalFromRatio(tokens)),
    usd: addFixedDecimals(before.usd, fixedDecimalFromRatio(usd)),
    sol: addFixedDecimals(before.sol, fixedDecimalFromRatio(divRatioOrZero(usd, solPrice))),
  };
}

/** What a vault's account counts since it was made, in lamports. */
type VaultCounters = {
  readonly cumulativeEarnedInterestSf: Sf;
  readonly cumulativePerfFeesSf: Sf;
  readonly cumulativeMgmtFeesSf: Sf;
};

export type VaultAccruedValues = {
  readonly interest: AccruedValue;
  readonly performanceFees: AccruedValue;
  readonly managementFees: AccruedValue;
};

export const ZERO_VAULT_ACCRUED_VALUES: VaultAccruedValues = {
  interest: ZERO_ACCRUED_VALUE,
  performanceFees: ZERO_ACCRUED_VALUE,
  managementFees: ZERO_ACCRUED_VALUE,
};

export type VaultInterval = IntervalPrices & {
  readonly from: VaultCounters;
  readonly to: VaultCounters;
  readonly tokenDecimals: bigint;
};

/** From one point of a vault to the next. The first interval starts where the counters are zero. */
export function accrueVault(
  before: VaultAccruedValues,
  interval: VaultInterval,
): VaultAccruedValues {
  const { from, to } = interval;
  const step = (accrued: AccruedValue, name: keyof VaultCounters): AccruedValue =>
    accrueCounter(accrued, { from: from[name], to: to[name] }, interval);
  return {
    interest: step(before.interest, 'cumulativeEarnedInterestSf'),
    performanceFees: step(before.performanceFees, 'cumulativePerfFeesSf'),
    managementFees: step(before.managementFees, 'cumulativeMgmtFeesSf'),
  };
}

function accrueCounter(
  before: AccruedValue,
  { from, to }: { readonly from: Sf; readonly to: Sf },
  interval: VaultInterval,
): AccruedValue {
  if (to < from) {
    const reason = 'a sum that only grows is smaller than before';
    throw new CodedError('MALFORMED_DATA', { what: 'history of a vault', reason });
  }
  const all = sfToWholeTokens(to, interval.tokenDecimals);
  const tokens = { ...all, numerator: all.numerator - from };
  return accrueTokens(before, tokens, interval);
}

/** In whole tokens, USD and SOL. */
export type AccruedAmounts = { readonly tokens: Ratio; readonly usd: Ratio; readonly sol: Ratio };

export const accruedAmounts = ({ tokens, usd, sol }: AccruedValue): AccruedAmounts => ({
  tokens: fixedDecimalToRatio(tokens),
  usd: fixedDecimalToRatio(usd),
  sol: fixedDecimalToRatio(sol),
});
