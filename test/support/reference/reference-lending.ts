import type { Address } from '#core/base/encoding/address.ts';
import type { LendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import type { Obligation } from '#core/protocol/klend/layout/obligation.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import type { DatedPrice } from '#core/protocol/scope/layout/oracle-prices.ts';

/** A number times 10^50. Nothing of this file is shared with the code that it is held against. */
export type Wide = bigint;

const ONE: Wide = 10n ** 50n;
const SF = 2n ** 60n;
const SLOTS_PER_YEAR = 63_072_000n;
const NOWHERE = '11111111111111111111111111111111';

export const toWide = (numerator: bigint, denominator = 1n): Wide =>
  (numerator * ONE) / denominator;

export const times = (a: Wide, b: Wide): Wide => (a * b) / ONE;

export const over = (a: Wide, b: Wide): Wide => (b === 0n ? 0n : (a * ONE) / b);

/** Plain decimal text as it stands in an answer. */
export function wideOfText(text: string): Wide {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + fraction.slice(0, 50).padEnd(50, '0'));
  return text.startsWith('-') ? -value : value;
}

export function power(base: Wide, exponent: bigint): Wide {
  if (exponent === 0n) return ONE;
  const half = power(base, exponent / 2n);
  return exponent % 2n === 0n ? times(half, half) : times(times(half, half), base);
}

export type TextbookReserve = {
  /** Lamports. */
  readonly supply: Wide;
  readonly debt: Wide;
  /** USD for a whole token. */
  readonly price: Wide;
  readonly borrowApy: Wide;
  readonly supplyApy: Wide;
  /** Lamports that a cToken is worth. */
  readonly perCToken: Wide;
  readonly cumulative: Wide;
  readonly lamportsPerToken: bigint;
  readonly config: Reserve['config'];
};

type Scene = {
  readonly slot: bigint;
  readonly slotMs: bigint;
  readonly prices: readonly DatedPrice[];
};

/** A reserve at a slot by the formulas as they are printed, with 50 decimals and no rounding rules. */
export function textbookReserve(
  reserve: Reserve,
  { slot, slotMs, prices }: Scene,
): TextbookReserve {
  const { liquidity, config, collateral } = reserve;
  const sf = (value: bigint): Wide => toWide(value, SF);
  const host = toWide(BigInt(config.hostFixedInterestRateBps), 10_000n);
  const take = toWide(BigInt(config.protocolTakeRatePct), 100n);
  const fees =
    sf(liquidity.accumulatedProtocolFeesSf) +
    sf(liquidity.accumulatedReferrerFeesSf) +
    sf(liquidity.pendingReferrerFeesSf);
  const available = toWide(liquidity.totalAvailableAmount);
  const oldDebt = sf(liquidity.borrowedAmountSf);
  const elapsed = slot - reserve.lastUpdate.slot;
  const oldRate = curveRate(reserve, over(oldDebt, available + oldDebt - fees));
  const growth = power(ONE + (oldRate + host) / SLOTS_PER_YEAR, elapsed);
  const debt = times(oldDebt, growth);
  const hostPart = times(oldDebt, power(ONE + host / SLOTS_PER_YEAR, elapsed)) - oldDebt;
  const taken = hostPart + times(debt - oldDebt - hostPart, take);
  const supply = available + debt - fees - taken;
  const used = over(debt, supply);
  const rate = curveRate(reserve, used);
  const apy = (apr: Wide): Wide =>
    power(ONE + (apr * 500n) / slotMs / SLOTS_PER_YEAR, SLOTS_PER_YEAR) - ONE;
  return {
    supply,
    debt,
    price: chainProduct(config.tokenInfo.scopeConfiguration.priceChain, prices),
    borrowApy: apy(rate + host),
    supplyApy: apy(times(times(used, rate), ONE - take)),
    perCToken: supply / collateral.mintTotalSupply,
    cumulative: times(sf(liquidity.cumulativeBorrowRateBsf.value), growth),
    lamportsPerToken: 10n ** liquidity.mintDecimals,
    config,
  };
}

function curveRate({ config }: Reserve, used: Wide): Wide {
  const points = config.borrowRateCurve.points.map((point) => ({
    x: toWide(BigInt(point.utilizationRateBps), 10_000n),
    y: toWide(BigInt(point.borrowRateBps), 10_000n),
  }));
  for (const [i, to] of points.entries()) {
    const from = points[i - 1];
    if (from === undefined || used > to.x || to.x === from.x) continue;
    return from.y + times(over(used - from.x, to.x - from.x), to.y - from.y);
  }
  return points.at(-1)?.y ?? 0n;
}

function chainProduct(chain: readonly number[], prices: readonly DatedPrice[]): Wide {
  let product = ONE;
  for (const index of chain) {
    const entry = prices[index];
    if (entry === undefined) break;
    product = times(product, toWide(entry.price.value, 10n ** entry.price.exp));
  }
  return product;
}

export type TextbookPosition = {
  readonly reserve: Address;
  /** Whole tokens. */
  readonly tokens: Wide;
  readonly usd: Wide;
  readonly maxLtv: Wide;
  readonly liquidationLtv: Wide;
  readonly borrowFactor: Wide;
};

export type TextbookLoan = {
  readonly deposits: readonly TextbookPosition[];
  readonly borrows: readonly TextbookPosition[];
};

type Book = {
  readonly market: LendingMarket;
  readonly reserves: ReadonlyMap<string, TextbookReserve>;
};

export function textbookLoan(loan: Obligation, { market, reserves }: Book): TextbookLoan {
  const group =
    loan.elevationGroup === 0 ? undefined : market.elevationGroups[loan.elevationGroup - 1];
  const position = (
    address: Address,
    lamports: (of: TextbookReserve) => Wide,
  ): TextbookPosition[] => {
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
        usd: times(tokens, price),
        maxLtv: toWide(BigInt(group?.ltvPct ?? config.loanToValuePct), 100n),
        liquidationLtv: toWide(
          BigInt(group?.liquidationThresholdPct ?? config.liquidationThresholdPct),
          100n,
        ),
        borrowFactor: toWide(factor, 100n),
      },
    ];
  };
  return {
    deposits: loan.deposits.flatMap(({ depositReserve, depositedAmount }) =>
      position(depositReserve, ({ perCToken }) => depositedAmount * perCToken),
    ),
    borrows: loan.borrows.flatMap(({ borrowReserve, borrowedAmountSf, cumulativeBorrowRateBsf }) =>
      position(borrowReserve, ({ cumulative }) =>
        times(
          toWide(borrowedAmountSf, SF),
          over(cumulative, toWide(cumulativeBorrowRateBsf.value, SF)),
        ),
      ),
    ),
  };
}

export const sum = (values: readonly Wide[]): Wide => values.reduce((a, b) => a + b, 0n);
