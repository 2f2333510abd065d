import { type Address, parseAddress, ZERO_ADDRESS } from '../base/address.ts';
import { CodedError } from '../base/errors.ts';

/** What is known of a market beyond its account. */
export type MarketFacts = {
  readonly address: Address;
  readonly programId: Address;
  readonly name: string;
  readonly description: string;
  readonly isPrimary: boolean;
  readonly isCurated: boolean;
  /** The zero address where there is none. */
  readonly lookupTable: Address;
};

/** Facts that no chain holds, of one cluster. */
export type RegistryFacts = {
  readonly markets: readonly MarketFacts[];
  /** Newest last. */
  readonly seasons: readonly string[];
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

export const emptyRegistry: Registry = createRegistry({
  markets: [],
  seasons: [],
  stakePools: new Map(),
  privateCreditVaults: new Set(),
  tokenLabels: new Map(),
});

/** A registry file: JSON with the parts below, each of them optional. `source` is what errors call it. */
export function parseRegistry(document: unknown, source: string): Registry {
  const root = objectOf(document, { source, at: 'the document' });
  return createRegistry({
    markets: listOf(root['markets'], { source, at: 'markets' }).map((entry, i) =>
      parseMarket(entry, { source, at: `markets[${i}]` }),
    ),
    seasons: listOf(root['seasons'], { source, at: 'seasons' }).map((entry, i) =>
      textOf(entry, { source, at: `seasons[${i}]` }),
    ),
    stakePools: pairsOf(root['stakePools'], { source, at: 'stakePools' }, addressOf),
    privateCreditVaults: new Set(
      listOf(root['privateCreditVaults'], { source, at: 'privateCreditVaults' }).map((entry, i) =>
        addressOf(entry, { source, at: `privateCreditVaults[${i}]` }),
      ),
    ),
    tokenLabels: pairsOf(root['tokenLabels'], { source, at: 'tokenLabels' }, textOf),
  });
}

/** Where in which document something stands. */
type Place = { readonly source: string; readonly at: string };

function parseMarket(entry: unknown, place: Place): MarketFacts {
  const market = objectOf(entry, place);
  const field = (name: string): Place => ({ ...place, at: `${place.at}.${name}` });
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
      const at = { ...place, at: `${place.at}.${key}` };
      return [addressOf(key, at), parse(entry, at)];
    }),
  );
}

function objectOf(value: unknown, place: Place): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw refused(place, 'must be an object');
}

function listOf(value: unknown, place: Place): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw refused(place, 'must be a list');
}

function textOf(value: unknown, place: Place): string {
  if (typeof value === 'string') return value;
  throw refused(place, 'must be a text');
}

function flagOf(value: unknown, place: Place): boolean {
  if (typeof value === 'boolean') return value;
  throw refused(place, 'must be true or false');
}

function addressOf(value: unknown, place: Place): Address {
  const address = typeof value === 'string' ? parseAddress(value) : undefined;
  if (address === undefined) throw refused(place, 'must be an address');
  return address;
}

function refused({ source, at }: Place, reason: string): CodedError {
  return new CodedError('INVALID_REGISTRY', { source, reason: `${at} ${reason}` });
}
