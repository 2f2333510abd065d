import type { Address } from '#core/base/encoding/address.ts';
import {
  type Decimal50,
  divide,
  multiply,
  sum,
  toDecimal50,
} from '../reference/reference-lending.ts';
import type { LedgerTime, Sample } from './account-ledger.ts';
import { apyFromApr } from './ledger-reserves.ts';
import type { LedgerVault } from './ledger-vault.ts';
import type { VaultIndex } from './vault-index.ts';
import type { Trade } from './vault-trades.ts';

const HOUR = 3_600n;

type Amounts = { readonly tokens: Decimal50; readonly usd: Decimal50; readonly sol: Decimal50 };

/** A wallet's shares in a vault at a full hour, or at the end. */
export type EarningPoint = {
  readonly unix: bigint;
  readonly sample: Sample;
  readonly shares: Decimal50;
  readonly usd: Decimal50;
  readonly sol: Decimal50;
  readonly apy: Decimal50;
  /** Since the first purchase. */
  readonly earned: Amounts;
  readonly perSecond: Amounts;
};

export type VaultHolder = { readonly wallet: Address; readonly vault: Address };

/** The last sample before each full hour, and that of the end, with the time of each. */
const momentsUntil = ({ ledger }: VaultIndex, end: LedgerTime): readonly [bigint, Sample][] => {
  const last = ledger.sampleAt(end.unix);
  const hours = [...ledger.lastBefore(HOUR)].filter(([unix]) => unix < end.unix);
  return last === undefined ? hours : [...hours, [end.unix, last]];
};

/**
 * Holdings and earnings of a wallet at each full hour and at the end: the value of its shares, minus the value before,
 * minus payments, plus withdrawals. The value is that after fees which have accrued.
 */
export function earningPoints(
  vaultIndex: VaultIndex,
  holder: VaultHolder,
  end: LedgerTime,
): readonly EarningPoint[] {
  const { wallet, vault } = holder;
  const points: EarningPoint[] = [];
  const trades = vaultIndex.trades.filter(
    (trade) => trade.wallet === wallet && trade.vault === vault,
  );
  let earned: Amounts = { tokens: 0n, usd: 0n, sol: 0n };
  let before = { slot: 0n, value: 0n };
  for (const [unix, sample] of momentsUntil(vaultIndex, end)) {
    const then = vaultIndex.at(vault, sample);
    const shares = sharesOf(vaultIndex, holder, { then, sample });
    const value = multiply(shares, then.chargedTokensPerShare);
    const since = before.slot;
    const meanwhile = trades.filter(({ slot }) => slot > since && slot <= sample.slot);
    const paid = sum(meanwhile.map((trade) => paidFor(vaultIndex, trade, then)));
    earned = addTokens(earned, value - before.value - paid, then);
    before = { slot: sample.slot, value };
    if (shares > 0n) points.push({ unix, sample, shares, earned, ...figuresOf(then, shares) });
  }
  return points;
}

/** The current value plus withdrawals minus payments, in whole tokens. */
export function totalGain(vaultIndex: VaultIndex, holder: VaultHolder, sample: Sample): Decimal50 {
  const then = vaultIndex.at(holder.vault, sample);
  const value = multiply(
    sharesOf(vaultIndex, holder, { then, sample }),
    then.chargedTokensPerShare,
  );
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

/** In whole tokens; negative for withdrawals. Transferred shares have the value of the last full hour. */
function paidFor(vaultIndex: VaultIndex, trade: Trade, { fields }: LedgerVault): Decimal50 {
  const shares = toDecimal50(trade.shares, 10n ** fields.sharesMintDecimals);
  const rate =
    trade.tokens === undefined ? rateAtFullHour(vaultIndex, trade) : vaultIndex.rateOf(trade);
  const tokens = multiply(shares, rate);
  if (trade.move === undefined) return 0n;
  return trade.move === 'buy' ? tokens : -tokens;
}

function rateAtFullHour(vaultIndex: VaultIndex, { vault, slot }: Trade): Decimal50 {
  const hours = [...vaultIndex.ledger.lastBefore(HOUR).values()];
  const sample = hours.findLast((each) => each.slot < slot);
  if (sample === undefined) throw new Error('before the first full hour');
  return vaultIndex.at(vault, sample).chargedTokensPerShare;
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
