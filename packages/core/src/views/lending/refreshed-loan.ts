import type { Address } from '../../base/encoding/address.ts';
import { hasCode } from '../../base/errors.ts';
import type { Slot } from '../../base/time.ts';
import {
  type ObligationView,
  obligation as obligationLayout,
} from '../../protocol/klend/layout/obligation.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import type {
  LendingContext,
  ObligationPosition,
} from '../../protocol/klend/operations/position.ts';
import { refreshObligation } from '../../protocol/klend/operations/refresh/refresh-obligation.ts';
import { type MarketSnapshot, requireReserveSnapshot } from './market-snapshot.ts';
import { reservesOfObligation } from './obligation-positions.ts';

/** A loan and its reserves for the program's operations, after a refresh. */
export type RefreshedLoan = {
  readonly position: ObligationPosition;
  readonly context: LendingContext;
};

/** As after a refresh in the slot of the snapshot. Undefined if the program rejects it. */
export function refreshLoan(
  fields: ObligationView,
  market: MarketSnapshot,
): RefreshedLoan | undefined {
  const addresses = [...reservesOfObligation(fields)];
  for (const address of addresses) requireReserveSnapshot(market, address);
  const { refreshed, at } = market;
  // The newest slot of any involved account: time never runs backwards.
  const updates = addresses.map((address) => refreshed.updatedAt(address) ?? at.slot);
  const context = refreshed.contextAt([fields.lastUpdate.slot, ...updates].reduce(newest, at.slot));
  const reserves = new Map<Address, Reserve>();
  for (const address of addresses) {
    const reserve = refreshed.reserve(address, context);
    if (reserve !== undefined) reserves.set(address, reserve);
  }
  const position = unlessRejected(() => {
    const obligation = obligationLayout.body.decodeView(fields);
    return refreshObligation({ obligation, reserves }, context);
  });
  return position && { position, context };
}

/** The result of an operation of the program; undefined if the program rejects it. */
export function unlessRejected<Result>(operation: () => Result): Result | undefined {
  try {
    return operation();
  } catch (error) {
    if (hasCode(error, 'PROGRAM_REFUSES')) return undefined;
    throw error;
  }
}

const newest = (a: Slot, b: Slot): Slot => (b > a ? b : a);
