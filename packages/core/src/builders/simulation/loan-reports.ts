import type { Address } from '../../base/encoding/address.ts';
import { type ChainTime, type Slot, toSlot } from '../../base/time.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import { type Loan, viewLoan } from '../../views/lending/loan.ts';
import {
  type MarketSnapshot,
  type Placed,
  snapshotMarket,
} from '../../views/lending/market-snapshot.ts';
import { createLendingActionContext } from '../lending/lending-action-context.ts';
import {
  type LendingActionKind,
  type LendingRequest,
  requireMarket,
} from '../lending/lending-request.ts';
import type { LoanOutcome } from './simulation-outcome.ts';

/** Where a loan is. */
export type LoanAddresses = { readonly market: Address; readonly obligation: Address };

export type LoanReports = {
  /** Undefined where there is none. */
  readonly before: Loan | undefined;
  readonly after: Loan | undefined;
};

export function loanAddressesOf(
  intent: LendingActionKind,
  request: LendingRequest,
  state: ClusterReader,
): LoanAddresses {
  const { market, obligation } = createLendingActionContext(intent, request, state);
  return { market: market.address, obligation };
}

/** A loan before and after a transaction. Accounts that are ahead of state are taken as of their own slot. */
export function reportLoans(
  { before, after, reservesAfter }: LoanOutcome,
  place: LoanAddresses,
  state: ClusterReader,
): LoanReports {
  const report = (loan: Obligation, reserves: ReadonlyMap<Address, ReserveView>): Loan =>
    viewLoan(
      { address: place.obligation, fields: loan },
      marketAt(loan.lastUpdate.slot, { reserves, place, state }),
    );
  return {
    before: before && report(before, new Map()),
    after: after && report(after, reservesAfter),
  };
}

type MarketTerms = {
  /** Those that differ from state. */
  readonly reserves: ReadonlyMap<Address, ReserveView>;
  readonly place: LoanAddresses;
  readonly state: ClusterReader;
};

function marketAt(slot: Slot, { reserves, place, state }: MarketTerms): MarketSnapshot {
  const at = newest(state.at(), slot);
  const all = state.reservesOf(place.market).map(
    ({ address, fields }): Placed<ReserveView> => ({
      address,
      fields: reserves.get(address) ?? fields,
    }),
  );
  return snapshotMarket({
    market: requireMarket(state, place.market),
    reserves: all,
    prices: (feed) => state.prices(feed),
    at,
    slotMs: state.slotMs(),
  });
}

const newest = ({ slot, unix }: ChainTime, other: Slot): ChainTime => ({
  slot: toSlot(other > slot ? other : slot),
  unix,
});
