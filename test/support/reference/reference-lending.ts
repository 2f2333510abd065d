import type { Address } from '#core/base/encoding/address.ts';
import type { LendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import type { Obligation } from '#core/protocol/klend/layout/obligation.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import type { DatedPrice } from '#core/protocol/scope/layout/oracle-prices.ts';
import { referenceDuration } from './reference-accrual.ts';

/** A number times 10^50. This file shares no code with the code under test. */
export type Decimal50 = bigint;

const ONE: Decimal50 = 10n ** 50n;
const SF = 2n ** 60n;
/** How often a year the hosted API compounds, whatever the basis of a reserve. */
const SLOTS_PER_YEAR = 63_072_000n;
const NOWHERE = '11111111111111111111111111111111';

export const toDecimal50 = (numerator: bigint, denominator = 1n): Decimal50 =>
  (numerator * ONE) / denominator;

export const multiply = (a: Decimal50, b: Decimal50): Decimal50 => (a * b) / ONE;

export const divide = (a: Decimal50, b: Decimal50): Decimal50 => (b === 0n ? 0n : (a * ONE) / b);

/** Parses plain decimal text of a response. */
export function parseDecimal50(text: string): Decimal50 {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + fraction.slice(0, 50).padEnd(50, '0'));
  return text.startsWith('-') ? -value : value;
}

export function power(base: Decimal50, exponent: bigint): Decimal50 {
  if (exponent === 0n) return ONE;
  const half = power(base, exponent / 2n);
  return exponent % 2n === 0n ? multiply(half, half) : multiply(multiply(half, half), base);
}

export type ReferenceReserve = {
  /** In lamports. */
  readonly supply: Decimal50;
  readonly debt: Decimal50;
  /** USD per whole token. */
  readonly price: Decimal50;
  readonly borrowApy: Decimal50;
  readonly supplyApy: Decimal50;
  /** The value of a cToken in lamports. */
  readonly perCToken: Decimal50;
  readonly cumulative: Decimal50;
  readonly lamportsPerToken: bigint;
  readonly config: Reserve['config'];
};

type ReferenceContext = {
  readonly slot: bigint;
  readonly unix: bigint;
  readonly slotMs: bigint;
  readonly prices: readonly DatedPrice[];
};

/** A reserve at a slot by the documented formulas, with 50 decimals and without rounding rules. */
export function referenceReserve(
  reserve: Reserve,
  { slot, unix, slotMs, prices }: ReferenceContext,
): ReferenceReserve {
  const { liquidity, config, collateral } = reserve;
  const sf = (value: bigint): Decimal50 => toDecimal50(value, SF);
  const host = toDecimal50(BigInt(config.hostFixedInterestRateBps), 10_000n);
  const take = toDecimal50(BigInt(config.protocolTakeRatePct), 100n);
  const fees =
    sf(liquidity.accumulatedProtocolFeesSf) +
    sf(liquidity.accumulatedReferrerFeesSf) +
    sf(liquidity.pendingReferrerFeesSf);
  const available = toDecimal50(liquidity.totalAvailableAmount);
  const oldDebt = sf(liquidity.borrowedAmountSf);
  const { units, perYear } = referenceDuration(config.interestRateBasis, reserve.lastUpdate, {
    slot,
    unix,
  });
  const oldRate = curveRate(reserve, divide(oldDebt, available + oldDebt - fees));
  const growth = power(ONE + (oldRate + host) / perYear, units);
  const debt = multiply(oldDebt, growth);
  const hostPart = multiply(oldDebt, power(ONE + host / perYear, units)) - oldDebt;
  const newFees = hostPart + multiply(debt - oldDebt - hostPart, take);
  const supply = available + debt - fees - newFees;
  const used = divide(debt, supply);
  const rate = curveRate(reserve, used);
  const realYear = (apr: Decimal50): Decimal50 =>
    config.interestRateBasis === 0 ? (apr * 500n) / slotMs : apr;
  const apy = (apr: Decimal50): Decimal50 =>
    power(ONE + realYear(apr) / SLOTS_PER_YEAR, SLOTS_PER_YEAR) - ONE;
  return {
    supply,
    debt,
    price: chainProduct(config.tokenInfo.scopeConfiguration.priceChain, prices),
    borrowApy: apy(rate + host),
    supplyApy: apy(multiply(multiply(used, rate), ONE - take)),
    perCToken: supply / collateral.mintTotalSupply,
    cumulative: multiply(sf(liquidity.cumulativeBorrowRateBsf.value), growth),
    lamportsPerToken: 10n ** liquidity.mintDecimals,
    config,
  };
}

function curveRate({ config }: Reserve, used: Decimal50): Decimal50 {
  const points = config.borrowRateCurve.points.map((point) => ({
    x: toDecimal50(BigInt(point.utilizationRateBps), 10_000n),
    y: toDecimal50(BigInt(point.borrowRateBps), 10_000n),
  }));
  for (const [i, to] of points.entries()) {
    const from = points[i - 1];
    if (from === undefined || used > to.x || to.x === from.x) continue;
    return from.y + multiply(divide(used - from.x, to.x - from.x), to.y - from.y);
  }
  return points.at(-1)?.y ?? 0n;
}

function chainProduct(chain: readonly number[], prices: readonly DatedPrice[]): Decimal50 {
  let product = ONE;
  for (const index of chain) {
    const entry = prices[index];
    if (entry === undefined) break;
    product = multiply(product, toDecimal50(entry.price.value, 10n ** entry.price.exp));
  }
  return product;
}

export type ReferencePosition = {
  readonly reserve: Address;
  /** In whole tokens. */
  readonly tokens: Decimal50;
  readonly usd: Decimal50;
  readonly maxLtv: Decimal50;
  readonly liquidationLtv: Decimal50;
  readonly borrowFactor: Decimal50;
};

export type ReferenceLoan = {
  readonly deposits: readonly ReferencePosition[];
  readonly borrows: readonly ReferencePosition[];
};

type Book = {
  readonly market: LendingMarket;
  readonly reserves: ReadonlyMap<string, ReferenceReserve>;
};

export function referenceLoan(loan: Obligation, { market, reserves }: Book): ReferenceLoan {
  const group =
    loan.elevationGroup === 0 ? undefined : market.elevationGroups[loan.elevationGroup - 1];
  const position = (
    address: Address,
    lamports: (of: ReferenceReserve) => Decimal50,
  ): ReferencePosition[] => {
    if (address === NOWHERE) return [];
    const reserve = reserves.get(address);
    if (reserve === undefined) throw new Error(`no reserve ${address}`);
    const { config, price, lamportsPerToken } = reserve;
    const tokens = lamports(reserve) / lamportsPerToken;
    const factor =
      group === undefined && config.borrowFactorPct > 100n ? config.borrowFactorPct : 100n;
    return [
      {
        reserve: address,
        tokens,
        usd: multiply(tokens, price),
        maxLtv: toDecimal50(BigInt(group?.ltvPct ?? config.loanToValuePct), 100n),
        liquidationLtv: toDecimal50(
          BigInt(group?.liquidationThresholdPct ?? config.liquidationThresholdPct),
          100n,
        ),
        borrowFactor: toDecimal50(factor, 100n),
      },
    ];
  };
  return {
    deposits: loan.deposits.flatMap(({ depositReserve, depositedAmount }) =>
      position(depositReserve, ({ perCToken }) => depositedAmount * perCToken),
    ),
    borrows: loan.borrows.flatMap(({ borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf }) =>
      position(borrowReserve, ({ cumulative }) =>
        multiply(
          toDecimal50(borrowedAmountSf, SF),
          divide(cumulative, toDecimal50(cumulativeBorrowRateBsf.value, SF)),
        ),
      ),
    ),
  };
}

export const sum = (values: readonly Decimal50[]): Decimal50 => values.reduce((a, b) => a + b, 0n);
