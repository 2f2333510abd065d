import type { Address } from '../../base/encoding/address.ts';
import { CodedError, hasCode } from '../../base/errors.ts';
import type { LendingMarketView } from '../../protocol/klend/layout/lending-market.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import {
  type ObligationStats,
  obligationStats,
} from '../../protocol/klend/math/obligation-stats.ts';
import { OBLIGATION_TAGS } from '../../protocol/klend/pda.ts';
import {
  type AddressedAccount,
  type MarketSnapshot,
  requireReserveSnapshot,
} from './market-snapshot.ts';
import { reservesOfObligation } from './obligation-positions.ts';
import { collectAvailable, computeFigure, type Omission } from './unavailable-figures.ts';

const kindOfTag = new Map<number, string>(
  Object.entries(OBLIGATION_TAGS).map(([kind, tag]) => [tag, kind]),
);

/** A loan: its raw account and its current stats. */
export type ObligationReport = {
  readonly address: Address;
  readonly tag: number;
  /** `Vanilla`, `Multiply`, …; `Unknown` for an unknown tag. */
  readonly humanTag: string;
  readonly market: AddressedAccount<LendingMarketView>;
  readonly state: ObligationView;
  readonly refreshedStats: ObligationStats;
};

export function viewObligation(
  { address, fields }: AddressedAccount<ObligationView>,
  market: MarketSnapshot,
): ObligationReport {
  const tag = Number(fields.tag);
  return {
    address,
    tag,
    humanTag: obligationTagName(tag),
    market: { address: market.address, fields: market.fields },
    state: fields,
    refreshedStats: computeFigure(address, () => refreshObligationStats(fields, market)),
  };
}

/** Sorted by tag, then by address. A loan that cannot be evaluated is omitted. */
export function viewObligations(
  obligations: readonly AddressedAccount<ObligationView>[],
  market: MarketSnapshot,
): { readonly items: readonly ObligationReport[]; readonly omitted: readonly Omission[] } {
  const { items, omitted } = collectAvailable(obligations, (obligation) =>
    viewObligation(obligation, market),
  );
  const sorted = items.toSorted((a, b) => a.tag - b.tag || (a.address < b.address ? -1 : 1));
  return { items: sorted, omitted };
}

/**
 * Throws a stale read if a debt is newer than its indexed reserve: the state catches up. Throws the
 * reason if one of its reserves is unavailable.
 */
export function refreshObligationStats(
  obligation: ObligationView,
  market: MarketSnapshot,
): ObligationStats {
  try {
    return obligationStats(obligation, { market: market.fields, reserves: market.reserves });
  } catch (error) {
    for (const reserve of reservesOfObligation(obligation)) requireReserveSnapshot(market, reserve);
    if (!hasCode(error, 'PROGRAM_REFUSES')) throw error;
    const { name, reason } = error.context;
    if (name !== 'NegativeInterestRate') {
      throw new CodedError('MALFORMED_DATA', { what: 'obligation', reason }, error);
    }
    const minSlot = obligation.lastUpdate.slot;
    throw new CodedError('STALE_READ', { slot: market.at.slot, minSlot, retryAfterSeconds: 1 });
  }
}

/** The kind of loan; `Unknown` for an unknown tag. */
export function obligationTagName(tag: number): string {
  const kind = kindOfTag.get(tag) ?? 'unknown';
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}
