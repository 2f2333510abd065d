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

/** Facts that no chain holds, of one cluster. */
export type RegistryData = {
  readonly markets: readonly MarketListing[];
  /** Newest last. */
  readonly seasons: readonly Season[];
  /** Stake pool by the mint of its token. */
  readonly stakePools: ReadonlyMap<Address, Address>;
  /** Vaults that lend to companies. */
  readonly privateCreditVaults: ReadonlySet<Address>;
  /** Ticker by mint, where it differs from what the chain says. */
  readonly tokenLabels: ReadonlyMap<Address, string>;
};

export type Registry = RegistryData & {
  market(address: Address): MarketListing | undefined;
  /** Whether only registered markets of the program are listed; without one, all on the chain are. */
  listsMarkets(programId: Address): boolean;
};

export function createRegistry(facts: RegistryData): Registry {
  const byAddress = new Map(facts.markets.map((market) => [market.address, market]));
  const programs = new Set(facts.markets.map(({ programId }) => programId));
  return {
    ...facts,
    market: (address) => byAddress.get(address),
    listsMarkets: (programId) => programs.has(programId),
  };
}

/** With seasons from elsewhere that may change at any time; of two of one source theirs count. */
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

/** A registry file: JSON with the parts below, each of them optional. `source` is what errors call it. */
export function parseRegistry(given: unknown, source: string): Registry {
  const document: DocumentPath = { source, at: '' };
  const root = readObjectField(given, document);
  const part = (name: string): DocumentPath => fieldPath(document, name);
  return createRegistry({
    markets: readArrayField(root['markets'], part('markets')).map((entry, i) =>
      parseMarket(entry, entryPath(part('markets'), i)),
    ),
    seasons: parseSeasons(root['seasons'], part('seasons')),
    stakePools: pairsOf(root['stakePools'], part('stakePools'), readAddressField),
    privateCreditVaults: new Set(
      readArrayField(root['privateCreditVaults'], part('privateCreditVaults')).map((entry, i) =>
        readAddressField(entry, entryPath(part('privateCreditVaults'), i)),
      ),
    ),
    tokenLabels: pairsOf(root['tokenLabels'], part('tokenLabels'), readStringField),
  });
}

function parseMarket(entry: unknown, place: DocumentPath): MarketListing {
  const market = readObjectField(entry, place);
  const field = (name: string): DocumentPath => fieldPath(place, name);
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

function pairsOf<Value>(
  value: unknown,
  place: DocumentPath,
  parse: (value: unknown, place: DocumentPath) => Value,
): Map<Address, Value> {
  const entries = Object.entries(value === undefined ? {} : readObjectField(value, place));
  return new Map(
    entries.map(([key, entry]) => {
      const at = fieldPath(place, key);
      return [readAddressField(key, at), parse(entry, at)];
    }),
  );
}
