import type { Address } from '#core/base/encoding/address.ts';
import {
  type Decimal50,
  divide,
  multiply,
  sum,
  toDecimal50,
} from '../reference/reference-lending.ts';
import type { Sample } from './account-ledger.ts';
import { apyFromApr } from './ledger-reserves.ts';
import type { LedgerVault } from './ledger-vault.ts';
import type { VaultIndex } from './vault-index.ts';
import type { Trade } from './vault-trades.ts';

const HOUR = 3_600n;

type Amounts = { readonly tokens: Decimal50; readonly usd: Decimal50; readonly sol: Decimal50 };

/** A wallet's shares of a vault at the last sample of an hour. */
export type EarningPoint = {
  /** When the hour is over. */
  readonly unix: bigint;
  readonly sample: Sample;
  readonly shares: Decimal50;
  readonly usd: Decimal50;
  readonly sol: Decimal50;
  readonly apy: Decimal50;
  /** Since the first such point. */
  readonly earned: Amounts;
  readonly perSecond: Amounts;
};

export type VaultHolder = { readonly wallet: Address; readonly vault: Address };

/**
 * What a wallet had and earned, hour by hour: of an hour, what its shares are worth at the end, less what they were
 * worth at the start and what it paid meanwhile, and what it took out added. Nothing before the first sample with
 * shares.
 */
export function earningPoints(book: VaultIndex, saver: VaultHolder): readonly EarningPoint[] {
  const { wallet, vault } = saver;
  const points: EarningPoint[] = [];
  const trades = book.trades.filter((trade) => trade.wallet === wallet && trade.vault === vault);
  let earned: Amounts = { tokens: 0n, usd: 0n, sol: 0n };
  let before: { readonly sample: Sample; readonly worth: Decimal50 } | undefined;
  for (const [hour, sample] of book.ledger.lastOfEach(HOUR)) {
    const then = book.at(vault, sample);
    const shares = sharesOf(book, saver, { then, sample });
    const worth = multiply(shares, then.tokensPerShare);
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
export function totalGain(book: VaultIndex, saver: VaultHolder, sample: Sample): Decimal50 {
  const then = book.at(saver.vault, sample);
  const worth = multiply(sharesOf(book, saver, { then, sample }), then.tokensPerShare);
  const trades = book.trades.filter(
    ({ wallet, vault, slot }) =>
      wallet === saver.wallet && vault === saver.vault && slot <= sample.slot,
  );
  return worth - sum(trades.map((trade) => paidFor(book, trade, then)));
}

/** Whoever bought or was given shares of a vault. */
export const holdersOf = ({ trades }: VaultIndex, vault: Address): readonly Address[] => [
  ...new Set(
    trades
      .filter((trade) => trade.vault === vault && trade.move !== undefined)
      .map(({ wallet }) => wallet),
  ),
];

const sharesOf = (
  { shares }: VaultIndex,
  { wallet, vault }: VaultHolder,
  { then, sample }: { readonly then: LedgerVault; readonly sample: Sample },
): Decimal50 =>
  toDecimal50(shares.ofWallet(wallet, vault, sample), 10n ** then.fields.sharesMintDecimals);

/** Whole tokens; below zero for what was taken out. */
function paidFor(book: VaultIndex, trade: Trade, { fields }: LedgerVault): Decimal50 {
  const shares = toDecimal50(trade.shares, 10n ** fields.sharesMintDecimals);
  const tokens = multiply(shares, book.rateOf(trade));
  if (trade.move === undefined) return 0n;
  return trade.move === 'buy' ? tokens : -tokens;
}

/** At the prices of the end of the hour. */
function addTokens(earned: Amounts, tokens: Decimal50, { price, solPrice }: LedgerVault): Amounts {
  const usd = multiply(tokens, price);
  return {
    tokens: earned.tokens + tokens,
    usd: earned.usd + usd,
    sol: earned.sol + divide(usd, solPrice),
  };
}

function figuresOf(then: LedgerVault, shares: Decimal50) {
  const { fields, price, solPrice, tokensPerShare, interestPerSecond, theoreticalApr } = then;
  const usd = multiply(multiply(shares, tokensPerShare), price);
  const all = toDecimal50(fields.sharesIssued, 10n ** fields.sharesMintDecimals);
  const tokens = multiply(interestPerSecond, divide(shares, all));
  const perSecond = multiply(tokens, price);
  return {
    usd,
    sol: divide(usd, solPrice),
    apy: apyFromApr(theoreticalApr),
    perSecond: { tokens, usd: perSecond, sol: divide(perSecond, solPrice) },
  };
}
