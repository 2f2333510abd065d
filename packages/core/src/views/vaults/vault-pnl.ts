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

/** One figure in each of the units that profit is told in. */
export type PerCurrency<Value> = {
  readonly usd: Value;
  readonly sol: Value;
  readonly token: Value;
};

/** What a share is worth at a time. Prices are USD for a whole one; zero where there is none. */
export type SharePrices = {
  /** Whole tokens for a whole share. */
  readonly tokensPerShare: Ratio;
  readonly tokenPrice: Ratio;
  readonly solPrice: Ratio;
};

export type SharePricesAt = { readonly at: UnixSeconds; readonly prices: SharePrices };

/** Shares that came to a wallet or left it, in smallest units; a transfer counts as a sale and a purchase. */
export type ShareTrade = SharePricesAt & {
  readonly kind: 'buy' | 'sell';
  readonly shares: bigint;
};

/** After one event. Shares are whole ones; values are rounded to 30 decimals, the nearest, half away from zero. */
type VaultPnlEntry = {
  readonly at: UnixSeconds;
  readonly type: ShareTrade['kind'] | 'mark-to-market';
  readonly position: Ratio;
  /** Shares of the event; of the last entry, all that are held. */
  readonly quantity: Ratio;
  /** What USD are divided by to come to the unit. */
  readonly tokenPrice: PerCurrency<Ratio>;
  readonly sharePrice: PerCurrency<Ratio>;
  /** What the shares that are held were bought for, at their average cost. */
  readonly costBasis: PerCurrency<Ratio>;
  readonly realizedPnl: PerCurrency<Ratio>;
  readonly pnl: PerCurrency<Ratio>;
  readonly positionValue: PerCurrency<Ratio>;
  /** What was paid in, less what was taken out. */
  readonly investment: PerCurrency<Ratio>;
};

export type VaultPnl = {
  /** One entry for each event, and a last one for what is held at the end. Empty without events. */
  readonly history: readonly VaultPnlEntry[];
  readonly totalPnl: PerCurrency<Ratio>;
  readonly totalCostBasis: PerCurrency<Ratio>;
};

/** Sums so far in one unit. */
type Account = {
  readonly costBasis: FixedDecimal;
  readonly realizedPnl: FixedDecimal;
  readonly investment: FixedDecimal;
};

type Holding = { readonly position: bigint; readonly accounts: PerCurrency<Account> };

const DECIMALS = 30n;
const ONE: Ratio = { numerator: 1n, denominator: 1n };
const NO_ACCOUNT: Account = {
  costBasis: ZERO_FIXED_DECIMAL,
  realizedPnl: ZERO_FIXED_DECIMAL,
  investment: ZERO_FIXED_DECIMAL,
};

/**
 * Average-cost accounting of a wallet's shares of one vault, in USD, SOL and the vault's token. Events ascend and
 * reach back to the first one; none is later than the end.
 */
export function viewVaultPnl(
  events: readonly ShareTrade[],
  end: SharePricesAt,
  sharesDecimals: bigint,
): VaultPnl {
  let holding: Holding = { position: 0n, accounts: inEachUnit(() => NO_ACCOUNT) };
  let last = events[0]?.at ?? end.at;
  const history = events.map((event): VaultPnlEntry => {
    if (event.at < last) throw malformed('its events do not ascend');
    last = event.at;
    holding = afterEvent(holding, event, sharesDecimals);
    const made = { ...event, type: event.kind, quantity: event.shares };
    return entryOf(holding, made, sharesDecimals);
  });
  if (end.at < last) throw malformed('an event is later than its end');
  if (history.length === 0) return { history, totalPnl: NOTHING, totalCostBasis: NOTHING };
  const marked = { ...end, type: 'mark-to-market', quantity: holding.position } as const;
  const total = entryOf(holding, marked, sharesDecimals);
  return { history: [...history, total], totalPnl: total.pnl, totalCostBasis: total.costBasis };
}

function afterEvent(before: Holding, event: ShareTrade, sharesDecimals: bigint): Holding {
  const { kind, shares, prices } = event;
  const held = before.position;
  if (shares < 0n) throw malformed('it has an event of less than no shares');
  if (kind === 'sell' && shares > held) throw malformed(`it sells ${shares} shares of ${held}`);
  const price = sharePriceOf(prices);
  const worth = (unit: Unit): FixedDecimal => worthOf(price[unit], shares, sharesDecimals);
  const accounts = inEachUnit((unit) =>
    kind === 'buy'
      ? afterBuy(before.accounts[unit], worth(unit))
      : afterSell(before.accounts[unit], worth(unit), { shares, held }),
  );
  return { position: kind === 'buy' ? held + shares : held - shares, accounts };
}

const afterBuy = (
  { costBasis, realizedPnl, investment }: Account,
  worth: FixedDecimal,
): Account => ({
  costBasis: addFixedDecimals(costBasis, worth),
  realizedPnl,
  investment: addFixedDecimals(investment, worth),
});

/** The cost of what is sold is its part of the cost of everything held. */
function afterSell(
  { costBasis, realizedPnl, investment }: Account,
  worth: FixedDecimal,
  { shares, held }: { readonly shares: bigint; readonly held: bigint },
): Account {
  const cost = mulFixedDecimalByRatio(costBasis, shares, held);
  return {
    costBasis: subFixedDecimals(costBasis, cost),
    realizedPnl: addFixedDecimals(realizedPnl, subFixedDecimals(worth, cost)),
    investment: subFixedDecimals(investment, worth),
  };
}

type EntryFacts = Pick<VaultPnlEntry, 'at' | 'type'> & {
  readonly prices: SharePrices;
  readonly quantity: bigint;
};

function entryOf(
  { position, accounts }: Holding,
  { at, type, prices, quantity }: EntryFacts,
  sharesDecimals: bigint,
): VaultPnlEntry {
  const sharePrice = sharePriceOf(prices);
  const values = inEachUnit((unit) => worthOf(sharePrice[unit], position, sharesDecimals));
  const told = (of: (account: Account, value: FixedDecimal) => FixedDecimal): PerCurrency<Ratio> =>
    inEachUnit((unit) => roundFixedDecimal(of(accounts[unit], values[unit]), DECIMALS));
  return {
    at,
    type,
    position: ratioOfUnits(position, sharesDecimals),
    quantity: ratioOfUnits(quantity, sharesDecimals),
    tokenPrice: { usd: ONE, sol: prices.solPrice, token: prices.tokenPrice },
    sharePrice: inEachUnit((unit) =>
      roundFixedDecimal(fixedDecimalFromRatio(sharePrice[unit]), DECIMALS),
    ),
    costBasis: told(({ costBasis }) => costBasis),
    realizedPnl: told(({ realizedPnl }) => realizedPnl),
    pnl: told(({ costBasis, realizedPnl }, value) =>
      addFixedDecimals(subFixedDecimals(value, costBasis), realizedPnl),
    ),
    positionValue: told((_, value) => value),
    investment: told(({ investment }) => investment),
  };
}

type Unit = keyof PerCurrency<unknown>;

const inEachUnit = <Value>(of: (unit: Unit) => Value): PerCurrency<Value> => ({
  usd: of('usd'),
  sol: of('sol'),
  token: of('token'),
});

const NOTHING = inEachUnit(() => ZERO_RATIO);

/** For a whole share. In its own token a share has a price also where the token has none. */
function sharePriceOf({ tokensPerShare, tokenPrice, solPrice }: SharePrices): PerCurrency<Ratio> {
  const usd = mulRatio(tokensPerShare, tokenPrice);
  return { usd, sol: divRatioOrZero(usd, solPrice), token: tokensPerShare };
}

const worthOf = (price: Ratio, shares: bigint, sharesDecimals: bigint): FixedDecimal =>
  fixedDecimalFromRatio(mulRatio(price, ratioOfUnits(shares, sharesDecimals)));

function malformed(reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: 'history of shares', reason });
}
