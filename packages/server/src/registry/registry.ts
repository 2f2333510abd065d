import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import type { MarketListing } from '@tidegate/core/views/lending';
import type { Season } from '@tidegate/core/views/rewards';
import {
  type DocumentPath,
  entryPath,
  fieldPath,
  readAddressField,
  readArrayField,
  readBooleanField,
  readObjectField,
  readStringField,
} from './document-fields.ts';
import { mergeSeasons, parseSeasons } from './parse-seasons.ts';

/** Metadata of one cluster that is not on chain. */
export type RegistryData = {
  readonly markets: readonly MarketListing[];
  /** Sorted by start. */
  readonly seasons: readonly Season[];
  /** Stake pools by the mint of their token. */
  readonly stakePools: ReadonlyMap<Address, Address>;
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

export function createRegistry(data: RegistryData): Registry {
  const byAddress = new Map(data.markets.map((market) => [market.address, market]));
  const programs = new Set(data.markets.map(({ programId }) => programId));
  return {
    ...data,
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

export const emptyRegistry: Registry = createRegistry({
  markets: [],
  seasons: [],
  stakePools: new Map(),
  privateCreditVaults: new Set(),
  tokenLabels: new Map(),
});

/** Parses a registry file, in which every field is optional. `source` names the file in errors. */
export function parseRegistry(json: unknown, source: string): Registry {
  const document: DocumentPath = { source, at: '' };
  const root = readObjectField(json, document);
  const field = (name: string): DocumentPath => fieldPath(document, name);
  return createRegistry({
    markets: readArrayField(root['markets'], field('markets')).map((entry, i) =>
      parseMarket(entry, entryPath(field('markets'), i)),
    ),
    seasons: parseSeasons(root['seasons'], field('seasons')),
    stakePools: parsePairs(root['stakePools'], field('stakePools'), readAddressField),
    privateCreditVaults: new Set(
      readArrayField(root['privateCreditVaults'], field('privateCreditVaults')).map((entry, i) =>
        readAddressField(entry, entryPath(field('privateCreditVaults'), i)),
      ),
    ),
    tokenLabels: parsePairs(root['tokenLabels'], field('tokenLabels'), readStringField),
  });
}

function parseMarket(entry: unknown, path: DocumentPath): MarketListing {
  const market = readObjectField(entry, path);
  const field = (name: string): DocumentPath => fieldPath(path, name);
  return {
    address: readAddressField(market['address'], field('address')),
    programId: readAddressField(market['programId'], field('programId')),
    name: readStringField(market['name'], field('name')),
    description: readStringField(market['description'] ?? '', field('description')),
    isPrimary: readBooleanField(market['isPrimary'] ?? false, field('isPrimary')),
    isCurated: readBooleanField(market['isCurated'] ?? false, field('isCurated')),
    lookupTable: readAddressField(market['lookupTable'] ?? ZERO_ADDRESS, field('lookupTable')),
  };
}

function parsePairs<Value>(
  value: unknown,
  path: DocumentPath,
  parse: (value: unknown, path: DocumentPath) => Value,
): Map<Address, Value> {
  const entries = Object.entries(value === undefined ? {} : readObjectField(value, path));
  return new Map(
    entries.map(([key, entry]) => {
      const at = fieldPath(path, key);
      return [readAddressField(key, at), parse(entry, at)];
    }),
  );
}
