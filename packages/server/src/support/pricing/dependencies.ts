import type { DataDependency } from '../../clusters/data-versions.ts';

/** What a market with accrued interest and prices is computed from. */
export const MARKET_DEPENDENCIES = [
  'slot',
  'slotDuration',
  'market',
  'reserve',
  'prices',
] as const satisfies readonly DataDependency[];

/** What loans of a market are computed from. */
export const LOAN_DEPENDENCIES = [...MARKET_DEPENDENCIES, 'obligation'] as const;

/** What a vault with its reserves, prices and reward rates is computed from. */
export const VAULT_DEPENDENCIES = [...MARKET_DEPENDENCIES, 'vault', 'farm'] as const;
