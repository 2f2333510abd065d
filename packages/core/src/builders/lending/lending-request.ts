import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import type { LendingMarketView } from '../../protocol/klend/layout/lending-market.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { ObligationKind } from '../../protocol/klend/pda.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import type { AmountOrAll, ComputeBudget } from '../build.ts';
import { parseAmount, parseAmountOrMax } from '../parse-amount.ts';

export type LendingActionKind = 'deposit' | 'borrow' | 'repay' | 'withdraw';

export type LendingRequest = ComputeBudget & {
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  /** Of the reserve's token, also for a withdrawal. Everything can be repaid and withdrawn. */
  readonly amount: AmountOrAll;
  /** Which of the wallet's loans in the market; the plain one with the id 0 if left out. */
  readonly obligation?: (ObligationKind & { readonly id?: number }) | undefined;
};

export type LendingRequestFields = Pick<LendingRequest, 'wallet' | 'market' | 'reserve'> & {
  /** In whole tokens. */
  readonly amount: string;
};

export function parseLendingRequest(
  intent: LendingActionKind,
  { wallet, market, reserve, amount }: LendingRequestFields,
  state: ClusterReader,
): LendingRequest {
  const { fields } = requireMarketReserve(state, market, reserve);
  const decimals = Number(fields.liquidity.mintDecimals);
  const parse = intent === 'repay' || intent === 'withdraw' ? parseAmountOrMax : parseAmount;
  return { wallet, market, reserve, amount: parse(amount, decimals) };
}

export function requireMarket(
  state: ClusterReader,
  market: Address,
): StoredAccountWithData<LendingMarketView> {
  const held = state.market(market);
  if (held === undefined) throw new CodedError('KLEND_MARKET_NOT_FOUND', { market });
  return held;
}

export function requireMarketReserve(
  state: ClusterReader,
  market: Address,
  reserve: Address,
): StoredAccountWithData<ReserveView> {
  requireMarket(state, market);
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
