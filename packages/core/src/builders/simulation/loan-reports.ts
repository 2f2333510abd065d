import type { Address } from '../../base/encoding/address.ts';
import { type ChainTime, type Slot, toSlot } from '../../base/time.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { ReserveView } from '../../protocol/klend/layout/reserve.ts';
import type { ClusterReader } from '../../state/cluster-reader.ts';
import { type LoanReport, viewLoanReport } from '../../views/lending/loan-report.ts';
import {
  type AddressedAccount,
  type MarketSnapshot,
  snapshotMarket,
} from '../../views/lending/market-snapshot.ts';
import { createLendingActionContext } from '../lending/lending-action-context.ts';
import {
  type LendingActionKind,
  type LendingRequest,
  requireMarket,
} from '../lending/lending-request.ts';
import type { LoanOutcome } from './simulation-outcome.ts';

/** The addresses of a loan. */
export type LoanAddresses = { readonly market: Address; readonly obligation: Address };

export type LoanReports = {
  /** Undefined without a loan. */
  readonly before: LoanReport | undefined;
  readonly after: LoanReport | undefined;
};

export function loanAddressesOf(
  intent: LendingActionKind,
  request: LendingRequest,
  state: ClusterReader,
): LoanAddresses {
  const { market, obligation } = createLendingActionContext(intent, request, state);
  return { market: market.address, obligation };
}

/** A loan before and after a transaction. Accounts newer than the state count at their own slot. */
export function reportLoans(
  { before, after, reservesAfter }: LoanOutcome,
  addresses: LoanAddresses,
  state: ClusterReader,
): LoanReports {
  const report = (loan: Obligation, reserves: ReadonlyMap<Address, ReserveView>): LoanReport =>
    viewLoanReport(
      { address: addresses.obligation, fields: loan },
      marketAt(loan.lastUpdate.slot, { reserves, addresses, state }),
    );
  return {
    before: before && report(before, new Map()),
    after: after && report(after, reservesAfter),
  };
}

type MarketInputs = {
  /** Reserves that differ from the state. */
  readonly reserves: ReadonlyMap<Address, ReserveView>;
  readonly addresses: LoanAddresses;
  readonly state: ClusterReader;
};

function marketAt(slot: Slot, { reserves, addresses, state }: MarketInputs): MarketSnapshot {
  const at = latestOf(state.at(), slot);
  const all = state.reservesOf(addresses.market).map(
    ({ address, fields }): AddressedAccount<ReserveView> => ({
      address,
      fields: reserves.get(address) ?? fields,
    }),
  );
  return snapshotMarket({
    market: requireMarket(state, addresses.market),
    reserves: all,
    unreadable: state.unreadable.ofKind('reserve', addresses.market),
    prices: (feed) => state.prices(feed),
    at,
    slotMs: state.slotMs(),
    rules: state.rulesAt(at.slot).lending,
  });
}

const latestOf = ({ slot, unix }: ChainTime, other: Slot): ChainTime => ({
  slot: toSlot(other > slot ? other : slot),
  unix,
});
