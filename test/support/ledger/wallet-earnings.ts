import type { Address } from '#core/base/encoding/address.ts';
import { over, sum, times, toWide, type Wide } from '../reference/reference-lending.ts';
import type { Sample } from './account-ledger.ts';
import { apyOf } from './ledger-reserves.ts';
import type { VaultThen } from './ledger-vault.ts';
import type { VaultBook } from './vault-index.ts';
import type { Trade } from './vault-trades.ts';

const HOUR = 3_600n;

type Amounts = { readonly tokens: Wide; readonly usd: Wide; readonly sol: Wide };

/** A wallet's shares of a vault at the last sample of an hour. */
export type EarningPoint = {
  /** When the hour is over. */
  readonly unix: bigint;
  readonly sample: Sample;
  readonly shares: Wide;
  readonly usd: Wide;
  readonly sol: Wide;
  readonly apy: Wide;
  /** Since the first such point. */
  readonly earned: Amounts;
  readonly perSecond: Amounts;
};

export type Saver = { readonly wallet: Address; readonly vault: Address };

/**
 * What a wallet had and earned, hour by hour: of an hour, what its shares are worth at the end, less what they were
 * worth at the start and what it paid meanwhile, and what it took out added. Nothing before the first sample with
 * shares.
 */
export function earningPoints(book: VaultBook, saver: Saver): readonly EarningPoint[] {
  const { wallet, vault } = saver;
  const points: EarningPoint[] = [];
  const trades = book.trades.filter((trade) => trade.wallet === wallet && trade.vault === vault);
  let earned: Amounts = { tokens: 0n, usd: 0n, sol: 0n };
  let before: { readonly sample: Sample; readonly worth: Wide } | undefined;
  for (const [hour, sample] of book.ledger.lastOfEach(HOUR)) {
    const then = book.at(vault, sample);
    const shares = sharesOf(book, saver, { then, sample });
    const worth = times(shares, then.tokensPerShare);
    if (before !== undefined) {
      const since = before.sample.slot;
      const meanwhile = trades.filter(({ slot }) => slot > since && slot <= sample.slot);
      const paid = sum(meanwhile.map((trade) => paidFor(book, trade, then)));
      earned = addTokens(earned, worth - before.worth - paid, then);
    }
    if (shares > 0n || before !== undefined) before = { sample, worth };
    if (shares > 0n) {
      const unix = hour + HOUR;
      points.push({ unix, sample, shares, earned, ...figuresOf(then, shares) });
    }
  }
  return points;
}

/** All that a wallet has and took out of a vault, less all that it paid; whole tokens. */
export function gainedBy(book: VaultBook, saver: Saver, sample: Sample): Wide {
  const then = book.at(saver.vault, sample);
  const worth = times(sharesOf(book, saver, { then, sample }), then.tokensPerShare);
  const trades = book.trades.filter(
    ({ wallet, vault, slot }) =>
      wallet === saver.wallet && vault === saver.vault && slot <= sample.slot,
  );
  return worth - sum(trades.map((trade) => paidFor(book, trade, then)));
}

/** Whoever bought or was given shares of a vault. */
export const saversOf = ({ trades }: VaultBook, vault: Address): readonly Address[] => [
  ...new Set(
    trades
      .filter((trade) => trade.vault === vault && trade.move !== undefined)
      .map(({ wallet }) => wallet),
  ),
];

const sharesOf = (
  { shares }: VaultBook,
  { wallet, vault }: Saver,
  { then, sample }: { readonly then: VaultThen; readonly sample: Sample },
): Wide => toWide(shares.ofWallet(wallet, vault, sample), 10n ** then.fields.sharesMintDecimals);

/** Whole tokens; below zero for what was taken out. */
function paidFor(book: VaultBook, trade: Trade, { fields }: VaultThen): Wide {
  const shares = toWide(trade.shares, 10n ** fields.sharesMintDecimals);
  const tokens = times(shares, book.rateOf(trade));
  if (trade.move === undefined) return 0n;
  return trade.move === 'buy' ? tokens : -tokens;
}

/** At the prices of the end of the hour. */
function addTokens(earned: Amounts, tokens: Wide, { price, solPrice }: VaultThen): Amounts {
  const usd = times(tokens, price);
  return {
    tokens: earned.tokens + tokens,
    usd: earned.usd + usd,
    sol: earned.sol + over(usd, solPrice),
  };
}

function figuresOf(then: VaultThen, shares: Wide) {
  const { fields, price, solPrice, tokensPerShare, interestPerSecond, theoreticalApr } = then;
  const usd = times(times(shares, tokensPerShare), price);
  const all = toWide(fields.sharesIssued, 10n ** fields.sharesMintDecimals);
  const tokens = times(interestPerSecond, over(shares, all));
  const perSecond = times(tokens, price);
  return {
    usd,
    sol: over(usd, solPrice),
    apy: apyOf(theoreticalApr),
    perSecond: { tokens, usd: perSecond, sol: over(perSecond, solPrice) },
  };
}
