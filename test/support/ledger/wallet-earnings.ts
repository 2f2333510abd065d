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

/** A wallet's shares in a vault at the last sample of an hour. */
export type EarningPoint = {
  /** End of the hour. */
  readonly unix: bigint;
  readonly sample: Sample;
  readonly shares: Decimal50;
  readonly usd: Decimal50;
  readonly sol: Decimal50;
  readonly apy: Decimal50;
  /** Since the first point. */
  readonly earned: Amounts;
  readonly perSecond: Amounts;
};

export type VaultHolder = { readonly wallet: Address; readonly vault: Address };

/**
 * Holdings and earnings of a wallet per hour: the value of its shares at the end, minus the value at the start, minus
 * payments, plus withdrawals. Starts at the first sample with shares.
 */
export function earningPoints(
  vaultIndex: VaultIndex,
  holder: VaultHolder,
): readonly EarningPoint[] {
  const { wallet, vault } = holder;
  const points: EarningPoint[] = [];
  const trades = vaultIndex.trades.filter(
    (trade) => trade.wallet === wallet && trade.vault === vault,
  );
  let earned: Amounts = { tokens: 0n, usd: 0n, sol: 0n };
  let before: { readonly sample: Sample; readonly value: Decimal50 } | undefined;
  for (const [hour, sample] of vaultIndex.ledger.lastOfEach(HOUR)) {
    const then = vaultIndex.at(vault, sample);
    const shares = sharesOf(vaultIndex, holder, { then, sample });
    const value = multiply(shares, then.tokensPerShare);
    if (before !== undefined) {
      const since = before.sample.slot;
      const meanwhile = trades.filter(({ slot }) => slot > since && slot <= sample.slot);
      const paid = sum(meanwhile.map((trade) => paidFor(vaultIndex, trade, then)));
      earned = addTokens(earned, value - before.value - paid, then);
    }
    if (shares > 0n || before !== undefined) before = { sample, value };
    if (shares > 0n) {
      const unix = hour + HOUR;
      points.push({ unix, sample, shares, earned, ...figuresOf(then, shares) });
    }
  }
  return points;
}

/** The current value plus withdrawals minus payments, in whole tokens. */
export function totalGain(vaultIndex: VaultIndex, holder: VaultHolder, sample: Sample): Decimal50 {
  const then = vaultIndex.at(holder.vault, sample);
  const value = multiply(sharesOf(vaultIndex, holder, { then, sample }), then.tokensPerShare);
  const trades = vaultIndex.trades.filter(
    ({ wallet, vault, slot }) =>
      wallet === holder.wallet && vault === holder.vault && slot <= sample.slot,
  );
  return value - sum(trades.map((trade) => paidFor(vaultIndex, trade, then)));
}

/** All wallets that bought or received shares of a vault. */
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

/** In whole tokens; negative for withdrawals. */
function paidFor(vaultIndex: VaultIndex, trade: Trade, { fields }: LedgerVault): Decimal50 {
  const shares = toDecimal50(trade.shares, 10n ** fields.sharesMintDecimals);
  const tokens = multiply(shares, vaultIndex.rateOf(trade));
  if (trade.move === undefined) return 0n;
  return trade.move === 'buy' ? tokens : -tokens;
}

/** Valued at the prices at the end of the hour. */
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
