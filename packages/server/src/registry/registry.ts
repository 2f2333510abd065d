import type { Address } from '@tidegate/core/base';
import type { MarketListing } from '@tidegate/core/views/lending';
import type { Season } from '@tidegate/core/views/rewards';
import {
  type DocumentPath,
  type DocumentProblem,
  entryPath,
  fieldPath,
  readAddressField,
  readArrayField,
  readBooleanField,
  readObjectField,
  readStringField,
  rejectUnknownFields,
} from './document-fields.ts';
import { parseMarkets, parsePairs, parseTokens } from './parse-listings.ts';
import { mergeSeasons, parseSeasons } from './parse-seasons.ts';
import type { TokenListing } from './token-listing.ts';

/** Metadata of one cluster that is not on chain. */
export type RegistryData = {
  readonly markets: readonly MarketListing[];
  /** By mint. */
  readonly tokens: ReadonlyMap<Address, TokenListing>;
  /** Sorted by start. */
  readonly seasons: readonly Season[];
  /** Stake pools by the mint of their token. */
  readonly stakePools: ReadonlyMap<Address, Address>;
  /** Vaults that are served even if no endpoint lists the accounts of the vault program. */
  readonly vaults: ReadonlySet<Address>;
  /** Vaults that lend to companies. */
  readonly privateCreditVaults: ReadonlySet<Address>;
  /** Ticker symbols by mint that override those on chain. */
  readonly tokenLabels: ReadonlyMap<Address, string>;
};

export type Registry = RegistryData & {
  market(address: Address): MarketListing | undefined;
  /** Whether only registered markets of the program are listed. If it has none, all markets on chain are listed. */
  listsMarkets(programId: Address): boolean;
};

/** A parsed `REGISTRY` document. */
export type RegistryDocument = {
  readonly registry: Registry;
  /** Whether it replaces the built-in registry of its cluster instead of extending it. */
  readonly replacesBuiltIn: boolean;
};

export type ParseOptions = {
  /** Completes entries of the document that leave out fields. */
  readonly known?: Registry;
  /** Collects all problems; the result is then not usable if there are any. Without it, the first problem throws. */
  readonly onProblem?: (problem: DocumentProblem) => void;
};

const DOCUMENT_FIELDS = [
  '$schema',
  'replaceBuiltIn',
  'markets',
  'tokens',
  'stakePools',
  'vaults',
  'privateCreditVaults',
  'tokenLabels',
  'seasons',
];

/** Sections that are left out are empty. */
export function createRegistry(sections: Partial<RegistryData>): Registry {
  const markets = sections.markets ?? [];
  const byAddress = new Map(markets.map((market) => [market.address, market]));
  const programs = new Set(markets.map(({ programId }) => programId));
  return {
    markets,
    tokens: sections.tokens ?? new Map(),
    seasons: sections.seasons ?? [],
    stakePools: sections.stakePools ?? new Map(),
    vaults: sections.vaults ?? new Set(),
    privateCreditVaults: sections.privateCreditVaults ?? new Set(),
    tokenLabels: sections.tokenLabels ?? new Map(),
    market: (address) => byAddress.get(address),
    listsMarkets: (programId) => programs.has(programId),
  };
}

/** Adds seasons that may change at any time. They override seasons with the same source. */
export const withSeasons = (registry: Registry, imported: () => readonly Season[]): Registry => ({
  ...registry,
  get seasons() {
    return mergeSeasons(registry.seasons, imported());
  },
});

export const emptyRegistry: Registry = createRegistry({});

/** Entries of `newer` replace entries of `base` with the same key. */
export function mergeRegistries(base: Registry, newer: Registry): Registry {
  const byAddress = [...base.markets, ...newer.markets].map(
    (market) => [market.address, market] as const,
  );
  return createRegistry({
    markets: [...new Map(byAddress).values()],
    tokens: new Map([...base.tokens, ...newer.tokens]),
    seasons: mergeSeasons(base.seasons, newer.seasons),
    stakePools: new Map([...base.stakePools, ...newer.stakePools]),
    vaults: new Set([...base.vaults, ...newer.vaults]),
    privateCreditVaults: new Set([...base.privateCreditVaults, ...newer.privateCreditVaults]),
    tokenLabels: new Map([...base.tokenLabels, ...newer.tokenLabels]),
  });
}

/** Parses a registry file, in which every field is optional. `source` names the file in errors. */
export const parseRegistry = (json: unknown, source: string): Registry =>
  parseRegistryDocument(json, source).registry;

export function parseRegistryDocument(
  json: unknown,
  source: string,
  { known = emptyRegistry, onProblem }: ParseOptions = {},
): RegistryDocument {
  const path: DocumentPath = { source, at: '', onProblem };
  const root = readObjectField(json, path) ?? {};
  rejectUnknownFields(root, DOCUMENT_FIELDS, path);
  const field = (name: string): DocumentPath => fieldPath(path, name);
  const readAddresses = (name: string): ReadonlySet<Address> =>
    new Set(
      readArrayField(root[name], field(name)).map((entry, i) =>
        readAddressField(entry, entryPath(field(name), i)),
      ),
    );
  const registry = createRegistry({
    markets: parseMarkets(root['markets'], field('markets'), (address) => known.market(address)),
    tokens: parseTokens(root['tokens'], field('tokens'), (mint) => known.tokens.get(mint)),
    seasons: parseSeasons(root['seasons'], field('seasons')),
    stakePools: parsePairs(root['stakePools'], field('stakePools'), readAddressField),
    vaults: readAddresses('vaults'),
    privateCreditVaults: readAddresses('privateCreditVaults'),
    tokenLabels: parsePairs(root['tokenLabels'], field('tokenLabels'), readStringField),
  });
  const replacesBuiltIn = root['replaceBuiltIn'] ?? false;
  return {
    registry,
    replacesBuiltIn: readBooleanField(replacesBuiltIn, field('replaceBuiltIn')),
  };
}
