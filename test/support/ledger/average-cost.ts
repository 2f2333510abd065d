import { over, times, toWide, type Wide } from '../reference/reference-lending.ts';
import type { Moment } from './account-ledger.ts';
import type { VaultBook } from './vault-index.ts';
import type { Saver } from './wallet-earnings.ts';

export const UNITS = ['usd', 'sol', 'token'] as const;
type InUnits = Readonly<Record<(typeof UNITS)[number], Wide>>;

export type CostEntry = {
  readonly unix: bigint;
  readonly type: 'buy' | 'sell' | 'mark-to-market';
  readonly position: Wide;
  readonly quantity: Wide;
  readonly tokenPrice: InUnits;
  readonly sharePrice: InUnits;
  readonly costBasis: InUnits;
  readonly realizedPnl: InUnits;
  readonly investment: InUnits;
  readonly positionValue: InUnits;
  readonly pnl: InUnits;
};

const inUnits = (of: (unit: (typeof UNITS)[number]) => Wide): InUnits => ({
  usd: of('usd'),
  sol: of('sol'),
  token: of('token'),
});

/** Average-cost accounting from the first share on (SEMANTICS 4); empty for who never had one before the end. */
export function costEntries(book: VaultBook, saver: Saver, end: Moment): readonly CostEntry[] {
  const { wallet, vault } = saver;
  const own = book.trades.filter(
    (trade) => trade.wallet === wallet && trade.vault === vault && trade.move !== undefined,
  );
  const entries: CostEntry[] = [];
  let position = 0n;
  let [costBasis, realizedPnl, investment] = [
    inUnits(() => 0n),
    inUnits(() => 0n),
    inUnits(() => 0n),
  ];
  const enter = (facts: Pick<CostEntry, 'unix' | 'type' | 'quantity'>, rate: Wide): void => {
    const { tokenPrice, sharePrice } = pricesAt(book, saver, { unix: facts.unix, rate });
    const { type, quantity } = facts;
    const worth = inUnits((unit) => times(quantity, sharePrice[unit]));
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
    const positionValue = inUnits((unit) => times(position, sharePrice[unit]));
    const pnl = inUnits((unit) => positionValue[unit] - costBasis[unit] + realizedPnl[unit]);
    const state = { position, costBasis, realizedPnl, investment, positionValue, pnl };
    entries.push({ ...facts, tokenPrice, sharePrice, ...state });
  };
  for (const trade of own.filter(({ unix }) => unix < end.unix)) {
    const decimals = book.at(vault, end).fields.sharesMintDecimals;
    const quantity = toWide(trade.shares, 10n ** decimals);
    const type = trade.move ?? 'buy';
    enter({ unix: trade.unix, type, quantity }, book.rateOf(trade));
  }
  const last = book.ledger.sampleAt(end.unix);
  if (entries.length > 0 && last !== undefined) {
    const { tokensPerShare } = book.at(vault, last);
    enter({ unix: end.unix, type: 'mark-to-market', quantity: position }, tokensPerShare);
  }
  return entries;
}

/** By the last sample before. */
function pricesAt(
  book: VaultBook,
  { vault }: Saver,
  { unix, rate }: { readonly unix: bigint; readonly rate: Wide },
): Pick<CostEntry, 'tokenPrice' | 'sharePrice'> {
  const sample = book.ledger.sampleAt(unix);
  if (sample === undefined) throw new Error('before the first sample');
  const { price, solPrice } = book.at(vault, sample);
  const tokenPrice = { usd: toWide(1n), sol: solPrice, token: price };
  const usd = times(rate, price);
  return { tokenPrice, sharePrice: inUnits((unit) => over(usd, tokenPrice[unit])) };
}
