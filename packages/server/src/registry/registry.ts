import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import type { MarketFacts } from '@tidegate/core/views/lending';
import type { Season } from '@tidegate/core/views/rewards';
import {
  addressOf,
  entryOf,
  fieldOf,
  flagOf,
  listOf,
  objectOf,
  type Place,
  textOf,
} from './document-fields.ts';
import { mergeSeasons, parseSeasons } from './parse-seasons.ts';

/** Facts that no chain holds, of one cluster. */
export type RegistryFacts = {
  readonly markets: readonly MarketFacts[];
  /** Newest last. */
  readonly seasons: readonly Season[];
  /** Stake pool by the mint of its token. */
  readonly stakePools: ReadonlyMap<Address, Address>;
  /** Vaults that lend to companies. */
  readonly privateCreditVaults: ReadonlySet<Address>;
  /** Ticker by mint, where it differs from what the chain says. */
  readonly tokenLabels: ReadonlyMap<Address, string>;
};

export type Registry = RegistryFacts & {
  market(address: Address): MarketFacts | undefined;
  /** Whether only registered markets of the program are listed; without one, all on the chain are. */
  listsMarkets(programId: Address): boolean;
};

export function createRegistry(facts: RegistryFacts): Registry {
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
  const document: Place = { source, at: '' };
  const root = objectOf(given, document);
  const part = (name: string): Place => fieldOf(document, name);
  return createRegistry({
    markets: listOf(root['markets'], part('markets')).map((entry, i) =>
      parseMarket(entry, entryOf(part('markets'), i)),
    ),
    seasons: parseSeasons(root['seasons'], part('seasons')),
    stakePools: pairsOf(root['stakePools'], part('stakePools'), addressOf),
    privateCreditVaults: new Set(
      listOf(root['privateCreditVaults'], part('privateCreditVaults')).map((entry, i) =>
        addressOf(entry, entryOf(part('privateCreditVaults'), i)),
      ),
    ),
    tokenLabels: pairsOf(root['tokenLabels'], part('tokenLabels'), textOf),
  });
}

function parseMarket(entry: unknown, place: Place): MarketFacts {
  const market = objectOf(entry, place);
  const field = (name: string): Place => fieldOf(place, name);
  return {
    address: addressOf(market['address'], field('address')),
    programId: addressOf(market['programId'], field('programId')),
    name: textOf(market['name'], field('name')),
    description: textOf(market['description'] ?? '', field('description')),
    isPrimary: flagOf(market['isPrimary'] ?? false, field('isPrimary')),
    isCurated: flagOf(market['isCurated'] ?? false, field('isCurated')),
    lookupTable: addressOf(market['lookupTable'] ?? ZERO_ADDRESS, field('lookupTable')),
  };
}

function pairsOf<Value>(
  value: unknown,
  place: Place,
  parse: (value: unknown, place: Place) => Value,
): Map<Address, Value> {
  const entries = Object.entries(value === undefined ? {} : objectOf(value, place));
  return new Map(
    entries.map(([key, entry]) => {
      const at = fieldOf(place, key);
      return [addressOf(key, at), parse(entry, at)];
    }),
  );
}
