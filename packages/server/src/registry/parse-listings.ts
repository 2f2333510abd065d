import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import type { MarketListing } from '@tidegate/core/views/lending';
import {
  type DocumentFields,
  type DocumentPath,
  fieldPath,
  readAddressField,
  readBooleanField,
  readEntries,
  readIntegerField,
  readObjectField,
  readStringField,
  rejectField,
  rejectUnknownFields,
} from './document-fields.ts';
import { type TokenListing, UNVERIFIED_PRIORITY } from './token-listing.ts';

const MARKET_FIELDS = [
  'address',
  'programId',
  'name',
  'description',
  'isPrimary',
  'isCurated',
  'lookupTable',
];
const TOKEN_FIELDS = ['mint', 'symbol', 'name', 'decimals', 'logoUrl', 'verified', 'priority'];
const MARKET_DEFAULTS: Partial<MarketListing> = {
  description: '',
  isPrimary: false,
  isCurated: false,
  lookupTable: ZERO_ADDRESS,
};
const TOKEN_DEFAULTS: Partial<TokenListing> = {
  logoUrl: null,
  verified: false,
  priority: UNVERIFIED_PRIORITY,
};
const MAX_SYMBOL_LENGTH = 64;
const MAX_NAME_LENGTH = 256;
const MAX_PRIORITY = 1_000_000;

/** Finds the entry of another registry that completes an entry. */
type FindKnown<Listing> = (key: Address) => Listing | undefined;

/** A field that an entry leaves out has the value of the known entry, or a default. */
export function parseMarkets(
  value: unknown,
  path: DocumentPath,
  findKnown: FindKnown<MarketListing>,
): readonly MarketListing[] {
  const addresses = new Set<Address>();
  return readEntries(value, path, (fields, at) => {
    const market = parseMarket(fields, at, findKnown);
    requireUnique(market.address, addresses, fieldPath(at, 'address'));
    return market;
  });
}

function parseMarket(
  market: DocumentFields,
  path: DocumentPath,
  findKnown: FindKnown<MarketListing>,
): MarketListing {
  rejectUnknownFields(market, MARKET_FIELDS, path);
  const field = (name: string): DocumentPath => fieldPath(path, name);
  const address = readAddressField(market['address'], field('address'));
  const known = findKnown(address) ?? MARKET_DEFAULTS;
  const fieldOf = (name: keyof MarketListing): unknown =>
    market[name] === undefined ? known[name] : market[name];
  return {
    address,
    programId: readAddressField(fieldOf('programId'), field('programId')),
    name: readTextField(fieldOf('name'), field('name'), MAX_NAME_LENGTH),
    description: readStringField(fieldOf('description'), field('description')),
    isPrimary: readBooleanField(fieldOf('isPrimary'), field('isPrimary')),
    isCurated: readBooleanField(fieldOf('isCurated'), field('isCurated')),
    lookupTable: readAddressField(fieldOf('lookupTable'), field('lookupTable')),
  };
}

/** Tokens by mint. A field that an entry leaves out has the value of the known entry, or a default. */
export function parseTokens(
  value: unknown,
  path: DocumentPath,
  findKnown: FindKnown<TokenListing>,
): ReadonlyMap<Address, TokenListing> {
  const mints = new Set<Address>();
  const tokens = readEntries(value, path, (fields, at) => {
    const token = parseToken(fields, at, findKnown);
    requireUnique(token.mint, mints, fieldPath(at, 'mint'));
    return token;
  });
  return new Map(tokens.map((token) => [token.mint, token]));
}

function parseToken(
  token: DocumentFields,
  path: DocumentPath,
  findKnown: FindKnown<TokenListing>,
): TokenListing {
  rejectUnknownFields(token, TOKEN_FIELDS, path);
  const field = (name: string): DocumentPath => fieldPath(path, name);
  const mint = readAddressField(token['mint'], field('mint'));
  const known = findKnown(mint) ?? TOKEN_DEFAULTS;
  const fieldOf = (name: keyof TokenListing): unknown =>
    token[name] === undefined ? known[name] : token[name];
  const symbol = readTextField(fieldOf('symbol'), field('symbol'), MAX_SYMBOL_LENGTH);
  const name = fieldOf('name');
  return {
    mint,
    symbol,
    name: name === undefined ? symbol : readTextField(name, field('name'), MAX_NAME_LENGTH),
    decimals: readIntegerField(fieldOf('decimals'), field('decimals'), [0, 255]),
    logoUrl: readLogoField(fieldOf('logoUrl'), field('logoUrl')),
    verified: readBooleanField(fieldOf('verified'), field('verified')),
    priority: readIntegerField(fieldOf('priority'), field('priority'), [0, MAX_PRIORITY]),
  };
}

/** An object whose keys are addresses. */
export function parsePairs<Value>(
  value: unknown,
  path: DocumentPath,
  parse: (value: unknown, path: DocumentPath) => Value,
): ReadonlyMap<Address, Value> {
  const pairs = value === undefined ? {} : (readObjectField(value, path) ?? {});
  return new Map(
    Object.entries(pairs).map(([key, entry]) => {
      const at = fieldPath(path, key);
      return [readAddressField(key, at), parse(entry, at)];
    }),
  );
}

function readTextField(value: unknown, path: DocumentPath, maxLength: number): string {
  const text = readStringField(value, path);
  if (text === '' || text.length > maxLength) {
    rejectField(path, `must have 1 to ${maxLength} characters`);
  }
  return text;
}

function readLogoField(value: unknown, path: DocumentPath): string | null {
  if (value === null) return null;
  if (typeof value === 'string' && /^(https?|ipfs):/i.test(value) && URL.canParse(value)) {
    return value;
  }
  rejectField(path, 'must be an http, https or ipfs URL, or null');
  return null;
}

function requireUnique(key: Address, known: Set<Address>, path: DocumentPath): void {
  if (known.has(key)) rejectField(path, `"${key}" is not unique`);
  known.add(key);
}
