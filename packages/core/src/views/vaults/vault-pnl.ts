import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  addFixedDecimals,
  type FixedDecimal,
  fixedDecimalFromRatio,
  mulFixedDecimalByRatio,
  roundFixedDecimal,
  subFixedDecimals,
  ZERO_FIXED_DECIMAL,
} from '../../base/numbers/fixed-decimal.ts';
import { divRatioOrZero, mulRatio, ratioOfUnits, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import type { UnixSeconds } from '../../base/time.ts';

/** A value in each currency of a profit. */
export type PerCurrency<Value> = {
  readonly usd: Value;
  readonly sol: Value;
  readonly token: Value;
};

/** Prices of a share at a time. USD per whole unit; zero if unknown. */
export type SharePrices = {
  /** Whole tokens per whole share. */
  readonly tokensPerShare: Ratio;
  readonly tokenPrice: Ratio;
  readonly solPrice: Ratio;
};

export type SharePricesAt = { readonly at: UnixSeconds; readonly prices: SharePrices };

/**
 * Shares that a wallet received or gave, in smallest units. A transfer is a sale and a purchase.
 */
export type ShareTrade = SharePricesAt & {
  readonly kind: 'buy' | 'sell';
  readonly shares: bigint;
};

/**
 * The state after an event. Shares are whole; values are rounded to 30 decimals, half away from
 * zero.
 */
type VaultPnlEntry = {
  readonly at: UnixSeconds;
  readonly type: ShareTrade['kind'] | 'mark-to-market';
  readonly position: Ratio;
  /** Shares of the event; in the last entry, the position. */
  readonly quantity: Ratio;
  /** The USD price of each currency. */
  readonly tokenPrice: PerCurrency<Ratio>;
  readonly sharePrice: PerCurrency<Ratio>;
  /** The average cost of the position. */
  readonly costBasis: PerCurrency<Ratio>;
  readonly realizedPnl: PerCurrency<Ratio>;
  readonly pnl: PerCurrency<Ratio>;
  readonly positionValue: PerCurrency<Ratio>;
  /** Purchases minus sales. */
  readonly investment: PerCurrency<Ratio>;
};

export type VaultPnl = {
  /** One entry per event, and a last one for the final position. Empty without events. */
  readonly history: readonly VaultPnlEntry[];
  readonly totalPnl: PerCurrency<Ratio>;
  readonly totalCostBasis: PerCurrency<Ratio>;
};

/** Running totals in one currency. */
type Totals = {
  readonly costBasis: FixedDecimal;
  readonly realizedPnl: FixedDecimal;
  readonly investment: FixedDecimal;
};

type Holding = { readonly position: bigint; readonly totals: PerCurrency<Totals> };

const DECIMALS = 30n;
const ONE: Ratio = { numerator: 1n, denominator: 1n };
const ZERO_TOTALS: Totals = {
  costBasis: ZERO_FIXED_DECIMAL,
  realizedPnl: ZERO_FIXED_DECIMAL,
  investment: ZERO_FIXED_DECIMAL,
};

/**
 * Average-cost accounting of a wallet's shares in one vault, in USD, SOL and the vault's token.
 * `events` must be complete and ascending, and not later than `end`.
 */
export function viewVaultPnl(
  events: readonly ShareTrade[],
  end: SharePricesAt,
  sharesDecimals: bigint,
): VaultPnl {
  let holding: Holding = { position: 0n, totals: inEachUnit(() => ZERO_TOTALS) };
  let last = events[0]?.at ?? end.at;
  const history = events.map((event): VaultPnlEntry => {
    if (event.at < last) throw malformed('the events are not ascending');
    last = event.at;
    holding = afterEvent(holding, event, sharesDecimals);
    const entry = { ...event, type: event.kind, quantity: event.shares };
    return entryOf(holding, entry, sharesDecimals);
  });
  if (end.at < last) throw malformed('an event is later than the end');
  if (history.length === 0) return { history, totalPnl: NOTHING, totalCostBasis: NOTHING };
  const marked = { ...end, type: 'mark-to-market', quantity: holding.position } as const;
  const total = entryOf(holding, marked, sharesDecimals);
  return { history: [...history, total], totalPnl: total.pnl, totalCostBasis: total.costBasis };
}

function afterEvent(before: Holding, event: ShareTrade, sharesDecimals: bigint): Holding {
  const { kind, shares, prices } = event;
  const held = before.position;
  if (shares < 0n) throw malformed('an event has a negative number of shares');
  if (kind === 'sell' && shares > held) throw malformed(`it sells ${shares} of ${held} shares`);
  const price = sharePriceOf(prices);
  const worth = (unit: Unit): FixedDecimal => worthOf(price[unit], shares, sharesDecimals);
  const totals = inEachUnit((unit) =>
    kind === 'buy'
      ? afterBuy(before.totals[unit], worth(unit))
      : afterSell(before.totals[unit], worth(unit), { shares, held }),
  );
  return { position: kind === 'buy' ? held + shares : held - shares, totals };
}

const afterBuy = ({ costBasis, realizedPnl, investment }: Totals, worth: FixedDecimal): Totals => ({
  costBasis: addFixedDecimals(costBasis, worth),
  realizedPnl,
  investment: addFixedDecimals(investment, worth),
});

/** The cost of sold shares is proportional to their part of the position. */
function afterSell(
  { costBasis, realizedPnl, investment }: Totals,
  worth: FixedDecimal,
  { shares, held }: { readonly shares: bigint; readonly held: bigint },
): Totals {
  const cost = mulFixedDecimalByRatio(costBasis, shares, held);
  return {
    costBasis: subFixedDecimals(costBasis, cost),
    realizedPnl: addFixedDecimals(realizedPnl, subFixedDecimals(worth, cost)),
    investment: subFixedDecimals(investment, worth),
  };
}

type EntryInput = Pick<VaultPnlEntry, 'at' | 'type'> & {
  readonly prices: SharePrices;
  readonly quantity: bigint;
};

function entryOf(
  { position, totals }: Holding,
  { at, type, prices, quantity }: EntryInput,
  sharesDecimals: bigint,
): VaultPnlEntry {
  const sharePrice = sharePriceOf(prices);
  const values = inEachUnit((unit) => worthOf(sharePrice[unit], position, sharesDecimals));
  const rounded = (
    pick: (totals: Totals, value: FixedDecimal) => FixedDecimal,
  ): PerCurrency<Ratio> =>
    inEachUnit((unit) => roundFixedDecimal(pick(totals[unit], values[unit]), DECIMALS));
  return {
    at,
    type,
    position: ratioOfUnits(position, sharesDecimals),
    quantity: ratioOfUnits(quantity, sharesDecimals),
    tokenPrice: { usd: ONE, sol: prices.solPrice, token: prices.tokenPrice },
    sharePrice: inEachUnit((unit) =>
      roundFixedDecimal(fixedDecimalFromRatio(sharePrice[unit]), DECIMALS),
    ),
    costBasis: rounded(({ costBasis }) => costBasis),
    realizedPnl: rounded(({ realizedPnl }) => realizedPnl),
    pnl: rounded(({ costBasis, realizedPnl }, value) =>
      addFixedDecimals(subFixedDecimals(value, costBasis), realizedPnl),
    ),
    positionValue: rounded((_, value) => value),
    investment: rounded(({ investment }) => investment),
  };
}

type Unit = keyof PerCurrency<unknown>;

const inEachUnit = <Value>(valueIn: (unit: Unit) => Value): PerCurrency<Value> => ({
  usd: valueIn('usd'),
  sol: valueIn('sol'),
  token: valueIn('token'),
});

const NOTHING = inEachUnit(() => ZERO_RATIO);

/** For a whole share. The price in tokens does not require a token price. */
function sharePriceOf({ tokensPerShare, tokenPrice, solPrice }: SharePrices): PerCurrency<Ratio> {
  const usd = mulRatio(tokensPerShare, tokenPrice);
  return { usd, sol: divRatioOrZero(usd, solPrice), token: tokensPerShare };
}

const worthOf = (price: Ratio, shares: bigint, sharesDecimals: bigint): FixedDecimal =>
  fixedDecimalFromRatio(mulRatio(price, ratioOfUnits(shares, sharesDecimals)));

function malformed(reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: 'share history', reason });
}
