import type { Address } from '../../base/encoding/address.ts';
import { CodedError, hasCode } from '../../base/errors.ts';
import type { LendingMarketView } from '../../protocol/klend/layout/lending-market.ts';
import type { ObligationView } from '../../protocol/klend/layout/obligation.ts';
import {
  type ObligationStats,
  obligationStats,
} from '../../protocol/klend/math/obligation-stats.ts';
import { OBLIGATION_TAGS } from '../../protocol/klend/pda.ts';
import type { MarketSnapshot, Placed } from './market-snapshot.ts';

const kindOfTag = new Map<number, string>(
  Object.entries(OBLIGATION_TAGS).map(([kind, tag]) => [tag, kind]),
);

/** A loan of a wallet: its account as it is stored, and what it is worth now. */
export type ObligationReport = {
  readonly address: Address;
  readonly tag: number;
  /** `Vanilla`, `Multiply`, …; `Unknown` for a tag that has no name. */
  readonly humanTag: string;
  readonly market: Placed<LendingMarketView>;
  readonly state: ObligationView;
  readonly refreshedStats: ObligationStats;
};

export function viewObligation(
  { address, fields }: Placed<ObligationView>,
  market: MarketSnapshot,
): ObligationReport {
  const tag = Number(fields.tag);
  return {
    address,
    tag,
    humanTag: obligationTagName(tag),
    market: { address: market.address, fields: market.fields },
    state: fields,
    refreshedStats: refreshObligationStats(fields, market),
  };
}

/** By tag, then by address. */
export function viewObligations(
  obligations: readonly Placed<ObligationView>[],
  market: MarketSnapshot,
): readonly ObligationReport[] {
  return obligations
    .map((obligation) => viewObligation(obligation, market))
    .sort((a, b) => a.tag - b.tag || (a.address < b.address ? -1 : 1));
}

/** A debt that is newer than what is known of its reserve is refused as stale: both come in the end. */
export function refreshObligationStats(
  obligation: ObligationView,
  market: MarketSnapshot,
): ObligationStats {
  try {
    return obligationStats(obligation, { market: market.fields, reserves: market.reserves });
  } catch (error) {
    if (!hasCode(error, 'PROGRAM_REFUSES')) throw error;
    const { name, reason } = error.context;
    if (name !== 'NegativeInterestRate') {
      throw new CodedError('MALFORMED_DATA', { what: 'obligation', reason }, error);
    }
    const wanted = obligation.lastUpdate.slot;
    throw new CodedError('STALE_READ', { slot: market.at.slot, wanted, retryAfterSeconds: 1 });
  }
}

/** What kind of loan a tag stands for; `Unknown` for one that has no name. */
export function obligationTagName(tag: number): string {
  const kind = kindOfTag.get(tag) ?? 'unknown';
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}
