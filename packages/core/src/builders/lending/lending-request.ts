import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import type { LendingMarketView } from '../../protocol/klend/layout/lending-market.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import {
  type ObligationAddressInput,
  type ObligationKind,
  obligationAddress,
} from '../../protocol/klend/pda.ts';
import type { ClusterReader, StoredAccountWithData } from '../../state/cluster-reader.ts';
import type { AmountOrAll, ComputeBudget } from '../build.ts';
import { parseAmount, parseAmountOrMax } from '../parse-amount.ts';
import { requirePriceableReserve, requireReadableAccount } from '../require-readable.ts';

export type LendingActionKind = 'deposit' | 'borrow' | 'repay' | 'withdraw';

export type LendingRequest = ComputeBudget & {
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  /** In the reserve's token, also for a withdrawal. `all` is allowed for repay and withdraw. */
  readonly amount: AmountOrAll;
  /** The wallet's loan in the market. Default: the vanilla obligation with id 0. */
  readonly obligation?: RequestedObligation | undefined;
};

/** A loan by its kind, or an existing one by its address. */
export type RequestedObligation =
  | (ObligationKind & { readonly id?: number })
  | { readonly address: Address };

/** Whether the loan is named by its address, so that it must exist. */
export const isNamedLoan = ({ obligation }: Pick<LendingRequest, 'obligation'>): boolean =>
  obligation !== undefined && 'address' in obligation;

type ObligationOwner = Pick<ObligationAddressInput, 'owner' | 'lendingMarket'> & {
  readonly program: Address;
};

/** The kind and id are those of a new loan at the address. */
export function resolveObligation(
  requested: RequestedObligation = { kind: 'vanilla' },
  { program, ...owner }: ObligationOwner,
): { readonly obligation: Address; readonly kind: ObligationKind; readonly id: number } {
  if ('address' in requested) {
    return { obligation: requested.address, kind: { kind: 'vanilla' }, id: 0 };
  }
  const { id = 0, ...kind } = requested;
  return { obligation: obligationAddress({ ...kind, ...owner, id }, program), kind, id };
}

export type LendingRequestFields = Pick<LendingRequest, 'wallet' | 'market' | 'reserve'> & {
  /** In whole tokens. */
  readonly amount: string;
  /** Address of an existing loan of the wallet. */
  readonly loan?: Address | undefined;
};

export function parseLendingRequest(
  intent: LendingActionKind,
  { wallet, market, reserve, amount, loan }: LendingRequestFields,
  state: ClusterReader,
): LendingRequest {
  const stored = requireMarketReserve(state, market, reserve);
  const { fields } = requirePriceableReserve(state, stored);
  const decimals = Number(fields.liquidity.mintDecimals);
  const parse = intent === 'repay' || intent === 'withdraw' ? parseAmountOrMax : parseAmount;
  const obligation = loan && { address: loan };
  return { wallet, market, reserve, amount: parse(amount, decimals), obligation };
}

export function requireMarket(
  state: ClusterReader,
  market: Address,
): StoredAccountWithData<LendingMarketView> {
  requireReadableAccount(state, market);
  const stored = state.market(market);
  if (stored === undefined) throw new CodedError('KLEND_MARKET_NOT_FOUND', { market });
  return stored;
}

export function requireMarketReserve(
  state: ClusterReader,
  market: Address,
  reserve: Address,
): StoredAccountWithData<ReserveView> {
  requireMarket(state, market);
  requireReadableAccount(state, reserve);
  const stored = state.reserve(reserve);
  if (stored?.fields.lendingMarket === market) return stored;
  throw new CodedError('KLEND_RESERVE_NOT_FOUND', { reserve, market });
}

/** For actions without `all`; the programs would treat U64_MAX as the whole balance. */
export function exactAmount({ amount }: LendingRequest): bigint {
  if (amount !== 'all' && amount > 0n && amount < U64_MAX) return amount;
  const reason = `"${amount}" cannot be deposited or borrowed. Use an amount above zero.`;
  throw new CodedError('NOTHING_TO_BUILD', { reason });
}

/** In the program's encoding: U64_MAX for the whole balance. */
export function amountOrMax({ amount }: LendingRequest): bigint {
  if (amount === 'all') return U64_MAX;
  if (amount > 0n && amount <= U64_MAX) return amount;
  const reason = `"${amount}" cannot be repaid or withdrawn. Use an amount above zero.`;
  throw new CodedError('NOTHING_TO_BUILD', { reason });
}
