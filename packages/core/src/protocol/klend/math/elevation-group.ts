import type { Decoded } from '../../../base/encoding/layout.ts';
import { klendRejection } from '../errors.ts';
import type { elevationGroup, LendingMarketView } from '../layout/lending-market.ts';

export type ElevationGroup = Decoded<typeof elevationGroup>;

/** The elevation group of an obligation. Undefined for id 0. */
export function findElevationGroup(
  market: LendingMarketView,
  id: number,
): ElevationGroup | undefined {
  if (id === 0) return undefined;
  const group = market.elevationGroups.at(id - 1);
  if (group === undefined || group.ltvPct === 0 || group.liquidationThresholdPct === 0) {
    throw klendRejection('InvalidElevationGroup', `the market has no elevation group ${id}`);
  }
  return group;
}

type Config = {
  readonly loanToValuePct: number;
  readonly liquidationThresholdPct: number;
  readonly elevationGroups: Uint8Array;
};

export type LtvLimits = { readonly maxLtvPct: number; readonly liquidationThresholdPct: number };

/** The maximum and the liquidation loan-to-value of a deposit. The group's values replace the reserve's. */
export const ltvLimits = (config: Config, group: ElevationGroup | undefined): LtvLimits => ({
  maxLtvPct: group?.ltvPct ?? config.loanToValuePct,
  liquidationThresholdPct: group?.liquidationThresholdPct ?? config.liquidationThresholdPct,
});

export const isInGroup = (config: Config, group: ElevationGroup): boolean =>
  config.elevationGroups.includes(group.id);
