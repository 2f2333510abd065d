import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import type { LendingMarketView } from '../../protocol/klend/layout/lending-market.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { ObligationKind } from '../../protocol/klend/pda.ts';
import type { ClusterReader, HeldBytes } from '../../state/cluster-reader.ts';
import type { Amount, ComputeBudget } from '../build.ts';
import { parseAmount, parseAmountOrAll } from '../parse-amount.ts';

export type LendingIntent = 'deposit' | 'borrow' | 'repay' | 'withdraw';

export type LendingRequest = ComputeBudget & {
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  /** Of the reserve's token, also for a withdrawal. Everything can be repaid and withdrawn. */
  readonly amount: Amount;
  /** Which of the wallet's loans in the market; the plain one with the id 0 if left out. */
  readonly obligation?: (ObligationKind & { readonly id?: number }) | undefined;
};

export type LendingFields = Pick<LendingRequest, 'wallet' | 'market' | 'reserve'> & {
  /** In whole tokens. */
  readonly amount: string;
};

export function parseLendingRequest(
  intent: LendingIntent,
  { wallet, market, reserve, amount }: LendingFields,
  state: ClusterReader,
): LendingRequest {
  const { fields } = reserveIn(state, market, reserve);
  const decimals = Number(fields.liquidity.mintDecimals);
  const parse = intent === 'repay' || intent === 'withdraw' ? parseAmountOrAll : parseAmount;
  return { wallet, market, reserve, amount: parse(amount, decimals) };
}

export function marketOf(state: ClusterReader, market: Address): HeldBytes<LendingMarketView> {
  const held = state.market(market);
  if (held === undefined) throw new CodedError('KLEND_MARKET_NOT_FOUND', { market });
  return held;
}

export function reserveIn(
  state: ClusterReader,
  market: Address,
  reserve: Address,
): HeldBytes<ReserveView> {
  marketOf(state, market);
  const held = state.reserve(reserve);
  if (held?.fields.lendingMarket === market) return held;
  throw new CodedError('KLEND_RESERVE_NOT_FOUND', { reserve, market });
}

/** For what has no "everything"; the programs would read the largest number as that. */
export function exactAmount({ amount }: LendingRequest): bigint {
  if (amount !== 'all' && amount > 0n && amount < U64_MAX) return amount;
  const reason = `"${amount}" is not an amount that can be deposited or borrowed. Name one.`;
  throw new CodedError('NOTHING_TO_BUILD', { reason });
}

/** As the programs take it: the largest number for everything. */
export function amountOrMax({ amount }: LendingRequest): bigint {
  if (amount === 'all') return U64_MAX;
  if (amount > 0n && amount <= U64_MAX) return amount;
  const reason = `"${amount}" is not an amount that can be repaid or withdrawn. Name one.`;
  throw new CodedError('NOTHING_TO_BUILD', { reason });
}
