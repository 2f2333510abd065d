import type { Decoded } from '../../../base/encoding/layout.ts';
import { klendRefuses } from '../errors.ts';
import type { elevationGroup, LendingMarketView } from '../layout/lending-market.ts';

export type ElevationGroup = Decoded<typeof elevationGroup>;

/** The group that an obligation is in; undefined for 0, none. */
export function groupOf(market: LendingMarketView, id: number): ElevationGroup | undefined {
  if (id === 0) return undefined;
  const group = market.elevationGroups.at(id - 1);
  if (group === undefined || group.ltvPct === 0 || group.liquidationThresholdPct === 0) {
    throw klendRefuses('InvalidElevationGroup', `the market has no elevation group ${id}`);
  }
  return group;
}

type Config = {
  readonly loanToValuePct: number;
  readonly liquidationThresholdPct: number;
  readonly elevationGroups: Uint8Array;
};

export type LtvTerms = { readonly maxLtvPct: number; readonly liquidationThresholdPct: number };

/** How much of a deposit's value can be borrowed, and at how much it is liquidated: the group's terms replace the reserve's. */
export const ltvTerms = (config: Config, group: ElevationGroup | undefined): LtvTerms => ({
  maxLtvPct: group?.ltvPct ?? config.loanToValuePct,
  liquidationThresholdPct: group?.liquidationThresholdPct ?? config.liquidationThresholdPct,
});

export const isInGroup = (config: Config, group: ElevationGroup): boolean =>
  config.elevationGroups.includes(group.id);
