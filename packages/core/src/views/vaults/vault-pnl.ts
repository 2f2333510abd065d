import { CodedError } from '../../base/errors.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import {
  addScaled,
  partOfScaled,
  roundScaled,
  type Scaled,
  scaledOf,
  subScaled,
  ZERO_SCALED,
} from '../../base/numbers/fixed-decimal.ts';
import { divRatioOrZero, mulRatio, ratioOfUnits, ZERO_RATIO } from '../../base/numbers/ratio.ts';
import type { UnixSeconds } from '../../base/time.ts';

/** One figure in each of the units that profit is told in. */
export type InEachUnit<Value> = {
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

export type PricedAt = { readonly at: UnixSeconds; readonly prices: SharePrices };

/** Shares that came to a wallet or left it, in smallest units; a transfer counts as a sale and a purchase. */
export type ShareEvent = PricedAt & {
  readonly kind: 'buy' | 'sell';
  readonly shares: bigint;
};

/** After one event. Shares are whole ones; values are rounded to 30 decimals, the nearest, half away from zero. */
type VaultPnlEntry = {
  readonly at: UnixSeconds;
  readonly type: ShareEvent['kind'] | 'mark-to-market';
  readonly position: Ratio;
  /** Shares of the event; of the last entry, all that are held. */
  readonly quantity: Ratio;
  /** What USD are divided by to come to the unit. */
  readonly tokenPrice: InEachUnit<Ratio>;
  readonly sharePrice: InEachUnit<Ratio>;
  /** What the shares that are held were bought for, at their average cost. */
  readonly costBasis: InEachUnit<Ratio>;
  readonly realizedPnl: InEachUnit<Ratio>;
  readonly pnl: InEachUnit<Ratio>;
  readonly positionValue: InEachUnit<Ratio>;
  /** What was paid in, less what was taken out. */
  readonly investment: InEachUnit<Ratio>;
};

export type VaultPnl = {
  /** One entry for each event, and a last one for what is held at the end. Empty without events. */
  readonly history: readonly VaultPnlEntry[];
  readonly totalPnl: InEachUnit<Ratio>;
  readonly totalCostBasis: InEachUnit<Ratio>;
};

/** Sums so far in one unit. */
type Account = {
  readonly costBasis: Scaled;
  readonly realizedPnl: Scaled;
  readonly investment: Scaled;
};

type Holding = { readonly position: bigint; readonly accounts: InEachUnit<Account> };

const DECIMALS = 30n;
const ONE: Ratio = { numerator: 1n, denominator: 1n };
const NO_ACCOUNT: Account = {
  costBasis: ZERO_SCALED,
  realizedPnl: ZERO_SCALED,
  investment: ZERO_SCALED,
};

/**
 * Average-cost accounting of a wallet's shares of one vault, in USD, SOL and the vault's token. Events ascend and
 * reach back to the first one; none is later than the end.
 */
export function viewVaultPnl(
  events: readonly ShareEvent[],
  end: PricedAt,
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

function afterEvent(before: Holding, event: ShareEvent, sharesDecimals: bigint): Holding {
  const { kind, shares, prices } = event;
  const held = before.position;
  if (shares < 0n) throw malformed('it has an event of less than no shares');
  if (kind === 'sell' && shares > held) throw malformed(`it sells ${shares} shares of ${held}`);
  const price = sharePriceOf(prices);
  const worth = (unit: Unit): Scaled => worthOf(price[unit], shares, sharesDecimals);
  const accounts = inEachUnit((unit) =>
    kind === 'buy'
      ? afterBuy(before.accounts[unit], worth(unit))
      : afterSell(before.accounts[unit], worth(unit), { shares, held }),
  );
  return { position: kind === 'buy' ? held + shares : held - shares, accounts };
}

const afterBuy = ({ costBasis, realizedPnl, investment }: Account, worth: Scaled): Account => ({
  costBasis: addScaled(costBasis, worth),
  realizedPnl,
  investment: addScaled(investment, worth),
});

/** The cost of what is sold is its part of the cost of everything held. */
function afterSell(
  { costBasis, realizedPnl, investment }: Account,
  worth: Scaled,
  { shares, held }: { readonly shares: bigint; readonly held: bigint },
): Account {
  const cost = partOfScaled(costBasis, shares, held);
  return {
    costBasis: subScaled(costBasis, cost),
    realizedPnl: addScaled(realizedPnl, subScaled(worth, cost)),
    investment: subScaled(investment, worth),
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
  const told = (of: (account: Account, value: Scaled) => Scaled): InEachUnit<Ratio> =>
    inEachUnit((unit) => roundScaled(of(accounts[unit], values[unit]), DECIMALS));
  return {
    at,
    type,
    position: ratioOfUnits(position, sharesDecimals),
    quantity: ratioOfUnits(quantity, sharesDecimals),
    tokenPrice: { usd: ONE, sol: prices.solPrice, token: prices.tokenPrice },
    sharePrice: inEachUnit((unit) => roundScaled(scaledOf(sharePrice[unit]), DECIMALS)),
    costBasis: told(({ costBasis }) => costBasis),
    realizedPnl: told(({ realizedPnl }) => realizedPnl),
    pnl: told(({ costBasis, realizedPnl }, value) =>
      addScaled(subScaled(value, costBasis), realizedPnl),
    ),
    positionValue: told((_, value) => value),
    investment: told(({ investment }) => investment),
  };
}

type Unit = keyof InEachUnit<unknown>;

const inEachUnit = <Value>(of: (unit: Unit) => Value): InEachUnit<Value> => ({
  usd: of('usd'),
  sol: of('sol'),
  token: of('token'),
});

const NOTHING = inEachUnit(() => ZERO_RATIO);

/** For a whole share. In its own token a share has a price also where the token has none. */
function sharePriceOf({ tokensPerShare, tokenPrice, solPrice }: SharePrices): InEachUnit<Ratio> {
  const usd = mulRatio(tokensPerShare, tokenPrice);
  return { usd, sol: divRatioOrZero(usd, solPrice), token: tokensPerShare };
}

const worthOf = (price: Ratio, shares: bigint, sharesDecimals: bigint): Scaled =>
  scaledOf(mulRatio(price, ratioOfUnits(shares, sharesDecimals)));

function malformed(reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: 'history of shares', reason });
}
