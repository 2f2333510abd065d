import { type Decimal50, divide, multiply, toDecimal50 } from '../reference/reference-lending.ts';
import type { LedgerTime } from './account-ledger.ts';
import type { VaultIndex } from './vault-index.ts';
import type { VaultHolder } from './wallet-earnings.ts';

export const UNITS = ['usd', 'sol', 'token'] as const;
type InUnits = Readonly<Record<(typeof UNITS)[number], Decimal50>>;

export type CostEntry = {
  readonly unix: bigint;
  readonly type: 'buy' | 'sell' | 'mark-to-market';
  readonly position: Decimal50;
  readonly quantity: Decimal50;
  readonly tokenPrice: InUnits;
  readonly sharePrice: InUnits;
  readonly costBasis: InUnits;
  readonly realizedPnl: InUnits;
  readonly investment: InUnits;
  readonly positionValue: InUnits;
  readonly pnl: InUnits;
};

const inUnits = (of: (unit: (typeof UNITS)[number]) => Decimal50): InUnits => ({
  usd: of('usd'),
  sol: of('sol'),
  token: of('token'),
});

/** Average-cost accounting from the first share (SEMANTICS 4); empty if there was none before the end. */
export function costEntries(
  vaultIndex: VaultIndex,
  holder: VaultHolder,
  end: LedgerTime,
): readonly CostEntry[] {
  const { wallet, vault } = holder;
  const trades = vaultIndex.trades.filter(
    (trade) => trade.wallet === wallet && trade.vault === vault && trade.move !== undefined,
  );
  const entries: CostEntry[] = [];
  let position = 0n;
  let [costBasis, realizedPnl, investment] = [
    inUnits(() => 0n),
    inUnits(() => 0n),
    inUnits(() => 0n),
  ];
  const enter = (entry: Pick<CostEntry, 'unix' | 'type' | 'quantity'>, rate: Decimal50): void => {
    const { tokenPrice, sharePrice } = pricesAt(vaultIndex, holder, { unix: entry.unix, rate });
    const { type, quantity } = entry;
    const worth = inUnits((unit) => multiply(quantity, sharePrice[unit]));
    const sold = inUnits((unit) =>
      position === 0n ? 0n : (costBasis[unit] * quantity) / position,
    );
    const [basis, gain, paid] = [costBasis, realizedPnl, investment];
    if (type === 'buy') {
      costBasis = inUnits((unit) => basis[unit] + worth[unit]);
      investment = inUnits((unit) => paid[unit] + worth[unit]);
      position += quantity;
    } else if (type === 'sell') {
      costBasis = inUnits((unit) => basis[unit] - sold[unit]);
      realizedPnl = inUnits((unit) => gain[unit] + worth[unit] - sold[unit]);
      investment = inUnits((unit) => paid[unit] - worth[unit]);
      position -= quantity;
    }
    const positionValue = inUnits((unit) => multiply(position, sharePrice[unit]));
    const pnl = inUnits((unit) => positionValue[unit] - costBasis[unit] + realizedPnl[unit]);
    const state = { position, costBasis, realizedPnl, investment, positionValue, pnl };
    entries.push({ ...entry, tokenPrice, sharePrice, ...state });
  };
  for (const trade of trades.filter(({ unix }) => unix < end.unix)) {
    const decimals = vaultIndex.at(vault, end).fields.sharesMintDecimals;
    const quantity = toDecimal50(trade.shares, 10n ** decimals);
    const type = trade.move ?? 'buy';
    enter({ unix: trade.unix, type, quantity }, vaultIndex.rateOf(trade));
  }
  const last = vaultIndex.ledger.sampleAt(end.unix);
  if (entries.length > 0 && last !== undefined) {
    const { tokensPerShare } = vaultIndex.at(vault, last);
    enter({ unix: end.unix, type: 'mark-to-market', quantity: position }, tokensPerShare);
  }
  return entries;
}

/** Prices of the last sample before. */
function pricesAt(
  vaultIndex: VaultIndex,
  { vault }: VaultHolder,
  { unix, rate }: { readonly unix: bigint; readonly rate: Decimal50 },
): Pick<CostEntry, 'tokenPrice' | 'sharePrice'> {
  const sample = vaultIndex.ledger.sampleAt(unix);
  if (sample === undefined) throw new Error('before the first sample');
  const { price, solPrice } = vaultIndex.at(vault, sample);
  const tokenPrice = { usd: toDecimal50(1n), sol: solPrice, token: price };
  const usd = multiply(rate, price);
  return { tokenPrice, sharePrice: inUnits((unit) => divide(usd, tokenPrice[unit])) };
}
