import type { Address } from '../../base/encoding/address.ts';
import { hasCode } from '../../base/errors.ts';
import { type Lamports, toLamports } from '../../base/numbers/lamports.ts';
import type { Slot } from '../../base/time.ts';
import {
  type ObligationView,
  obligation as obligationLayout,
} from '../../protocol/klend/layout/obligation.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { maxBorrow, maxWithdraw } from '../../protocol/klend/operations/max-amounts.ts';
import type {
  LendingContext,
  ObligationPosition,
} from '../../protocol/klend/operations/position.ts';
import { refreshObligation } from '../../protocol/klend/operations/refresh-obligation.ts';
import { type MarketSnapshot, requireReserveSnapshot } from './market-snapshot.ts';
import { reservesOfObligation } from './obligation-positions.ts';

/** The largest amounts that the lending program accepts, in lamports. One more is rejected. */
export type LoanLimits = {
  /** Of a deposit. Zero if nothing can be withdrawn. */
  maxWithdraw(reserve: Address): Lamports;
  /** In addition to a debt, without the fee. Zero if nothing can be borrowed. */
  maxBorrow(reserve: Address): Lamports;
};

/**
 * Limits of a loan by the program's own operations, after a refresh of the loan and its reserves in the slot of the
 * snapshot. If the program rejects that refresh, nothing can be withdrawn or borrowed.
 */
export function loanLimits(fields: ObligationView, market: MarketSnapshot): LoanLimits {
  const addresses = [...reservesOfObligation(fields)];
  for (const address of addresses) requireReserveSnapshot(market, address);
  const { refreshed, at } = market;
  // The newest slot of any involved account: time never runs backwards.
  const updates = addresses.map((address) => refreshed.updatedAt(address) ?? at.slot);
  const context = refreshed.contextAt([fields.lastUpdate.slot, ...updates].reduce(newest, at.slot));
  const position = refreshedPosition(fields, addresses, { market, context });
  if (position === undefined) return NO_LIMITS;
  return {
    maxWithdraw: (address) => maxWithdraw(position, context, address).liquidity,
    maxBorrow: (address) => maxBorrow(position, context, address),
  };
}

const newest = (a: Slot, b: Slot): Slot => (b > a ? b : a);
const nothing = (): Lamports => toLamports(0n);
const NO_LIMITS: LoanLimits = { maxWithdraw: nothing, maxBorrow: nothing };

function refreshedPosition(
  fields: ObligationView,
  addresses: readonly Address[],
  { market, context }: { readonly market: MarketSnapshot; readonly context: LendingContext },
): ObligationPosition | undefined {
  const reserves = new Map<Address, Reserve>();
  for (const address of addresses) {
    const reserve = market.refreshed.reserve(address, context);
    if (reserve !== undefined) reserves.set(address, reserve);
  }
  try {
    const obligation = obligationLayout.body.decodeView(fields);
    return refreshObligation({ obligation, reserves }, context);
  } catch (error) {
    if (hasCode(error, 'PROGRAM_REFUSES')) return undefined;
    throw error;
  }
}
