import { type Address, toAddress } from '@tidegate/core/base';
import { KLEND_PROGRAM, KLEND_STAGING_PROGRAM } from '@tidegate/core/protocol/klend';
import type { MarketListing } from '@tidegate/core/views/lending';
import { createRegistry, type Registry } from '../registry.ts';
import {
  knownTokenListings,
  type TokenListing,
  UNVERIFIED_PRIORITY,
  VERIFIED_PRIORITY,
} from '../token-listing.ts';
import { mainMarkets, stagingMarkets } from './markets.ts';
import { mainnetStakePools } from './stake-pools.ts';
import { unverifiedTokenTable, verifiedTokenTable } from './token-table.ts';
import { mainnetPrivateCreditVaults, mainnetVaults } from './vaults.ts';

type MarketRow = {
  readonly address: string;
  readonly lookupTable: string;
  readonly name: string;
  readonly description: string;
  readonly isPrimary?: boolean;
  readonly isCurated?: boolean;
};

const toListing =
  (programId: Address) =>
  ({ address, lookupTable, ...row }: MarketRow): MarketListing => ({
    isPrimary: false,
    isCurated: false,
    ...row,
    address: toAddress(address),
    lookupTable: toAddress(lookupTable),
    programId,
  });

function parseTokenTable(table: string, verified: boolean): readonly TokenListing[] {
  return table
    .trim()
    .split('\n')
    .map((row) => {
      const [mint = '', decimals, symbol = '', logo = '-', ...name] = row.split(/ +/);
      return {
        mint: toAddress(mint),
        symbol,
        name: name.join(' '),
        decimals: Number(decimals),
        logoUrl: logo === '-' ? null : logo,
        verified,
        priority: verified ? VERIFIED_PRIORITY : UNVERIFIED_PRIORITY,
      };
    });
}

const tableListings = [
  ...parseTokenTable(verifiedTokenTable, true),
  ...parseTokenTable(unverifiedTokenTable, false),
];

/** The built-in registry of mainnet-beta. `REGISTRY` extends it. */
export const mainnetRegistry: Registry = createRegistry({
  markets: [
    ...mainMarkets.map(toListing(KLEND_PROGRAM)),
    ...stagingMarkets.map(toListing(KLEND_STAGING_PROGRAM)),
  ],
  tokens: new Map([
    ...knownTokenListings,
    ...tableListings.map((listing) => [listing.mint, listing] as const),
  ]),
  stakePools: new Map(
    Object.entries(mainnetStakePools).map(([mint, pool]) => [toAddress(mint), toAddress(pool)]),
  ),
  vaults: new Set(mainnetVaults.trim().split('\n').map(toAddress)),
  privateCreditVaults: new Set(mainnetPrivateCreditVaults.map(toAddress)),
});
