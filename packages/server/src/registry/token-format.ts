import { parseAddress } from '@tidegate/core/base';
import type { Token } from '@tidegate/core/protocol/spl';

/**
 * Maps the fields of a third-party token list. Written as comma-separated pairs `field=expression`. `field` is a token
 * field, or `list` (the path of the array), or `only` (a filter on entries). `expression` is a dotted path into an entry;
 * `a+b` adds the numbers at two paths; `path~text` is true if the value equals the text or is an array that contains it;
 * `true` and `false` are literals. An unmapped field is read from the entry's field of the same name.
 */
export type TokenFormat = {
  readonly list: Read;
  readonly only: Read;
  readonly fields: Readonly<Record<TokenField, Read>>;
};

export type TokenList = {
  readonly tokens: readonly Token[];
  readonly rejected: number;
  /** The first skipped entry and the reason. */
  readonly firstRejection: string | null;
};

type Read = (value: unknown) => unknown;
type TokenField = (typeof tokenFields)[number];

const tokenFields = [
  'mint',
  'symbol',
  'name',
  'decimals',
  'logoUrl',
  'verified',
  'tradingVolume24H',
  'marketCapUsd',
  'priority',
] as const satisfies readonly (keyof Token)[];

/** Predefined formats. */
export const tokenFormats: Readonly<Record<string, string>> = {
  tidegate: '',
  'token-list': 'list=tokens,only=chainId~101,mint=address,logoUrl=logoURI',
  'jupiter-v1': 'mint=address,logoUrl=logoURI,verified=tags~verified,tradingVolume24H=daily_volume',
  'jupiter-v2':
    'mint=id,logoUrl=icon,verified=isVerified,marketCapUsd=mcap,tradingVolume24H=stats24h.buyVolume+stats24h.sellVolume',
  birdeye: 'list=data.tokens,mint=address,logoUrl=logoURI,tradingVolume24H=v24hUSD,marketCapUsd=mc',
};

const MAX_SYMBOL_LENGTH = 64;
const MAX_NAME_LENGTH = 256;
const DEFAULT_PRIORITY = 1000;
/** A list with a larger share of malformed entries is rejected. */
const MAX_REJECTED_SHARE = 0.1;

/** Parses the name of a format or its pairs. Undefined if invalid. */
export function parseTokenFormat(text: string): TokenFormat | undefined {
  const format = Object.hasOwn(tokenFormats, text) ? (tokenFormats[text] ?? text) : text;
  const pairs = format.split(',').filter((pair) => pair !== '');
  const named = new Map<string, Read>();
  for (const pair of pairs) {
    const [, field, expression] = /^(\w+)=([\w.+~-]+)$/.exec(pair) ?? [];
    if (field === undefined || expression === undefined) return undefined;
    if (field !== 'list' && field !== 'only' && !isTokenField(field)) return undefined;
    named.set(field, parseExpression(expression));
  }
  const fields = Object.fromEntries(
    tokenFields.map((field) => [field, named.get(field) ?? parseExpression(field)]),
  ) as Record<TokenField, Read>;
  return {
    list: named.get('list') ?? ((document) => document),
    only: named.get('only') ?? (() => true),
    fields,
  };
}

/** Returns the reason as a string if the list is unusable. */
export function parseTokenList(document: unknown, format: TokenFormat): TokenList | string {
  const list = format.list(document);
  if (!Array.isArray(list))
    return 'it has no array of tokens at the path that the format specifies';
  const tokens = new Map<string, Token>();
  let rejected = 0;
  let firstRejection: string | null = null;
  for (const [index, entry] of list.entries()) {
    if (format.only(entry) !== true) continue;
    const token = readToken(entry, format);
    const reason = typeof token === 'string' ? token : duplicateOf(token, tokens);
    if (typeof token === 'string' || reason !== undefined) {
      rejected += 1;
      firstRejection ??= `entry ${index}: ${reason}`;
    } else {
      tokens.set(token.mint, token);
    }
  }
  if (tokens.size === 0) return firstRejection ?? 'it has no tokens';
  if (rejected > (tokens.size + rejected) * MAX_REJECTED_SHARE) {
    return `${rejected} of ${tokens.size + rejected} entries are malformed, first ${firstRejection}`;
  }
  return { tokens: [...tokens.values()], rejected, firstRejection };
}

function duplicateOf(token: Token, tokens: ReadonlyMap<string, Token>): string | undefined {
  return tokens.has(token.mint) ? 'its mint is a duplicate' : undefined;
}

/** Returns the reason as a string if the entry is malformed. */
function readToken(entry: unknown, { fields }: TokenFormat): Token | string {
  const mintText = fields.mint(entry);
  const mint = typeof mintText === 'string' ? parseAddress(mintText) : undefined;
  if (mint === undefined) return 'mint is not a base58 address';
  const symbol = fields.symbol(entry);
  if (!isStringUpTo(symbol, MAX_SYMBOL_LENGTH)) {
    return `symbol is not a string of 1 to ${MAX_SYMBOL_LENGTH} characters`;
  }
  const name = fields.name(entry);
  if (!isStringUpTo(name, MAX_NAME_LENGTH)) {
    return `name is not a string of 1 to ${MAX_NAME_LENGTH} characters`;
  }
  const decimals = fields.decimals(entry);
  if (!isInteger(decimals) || decimals < 0 || decimals > 255) {
    return 'decimals is not an integer from 0 to 255';
  }
  const verified = fields.verified(entry) ?? false;
  if (typeof verified !== 'boolean') return 'verified is not a boolean';
  const tradingVolume24H = fields.tradingVolume24H(entry) ?? null;
  if (!isAmountOrNull(tradingVolume24H)) return 'tradingVolume24H is not a non-negative number';
  const marketCapUsd = fields.marketCapUsd(entry) ?? null;
  if (!isAmountOrNull(marketCapUsd)) return 'marketCapUsd is not a non-negative number';
  const priority = fields.priority(entry) ?? DEFAULT_PRIORITY;
  if (!isInteger(priority)) return 'priority is not an integer';
  const logoUrl = readLogo(fields.logoUrl(entry));
  const market = { tradingVolume24H, marketCapUsd };
  return { mint, symbol, name, decimals, logoUrl, verified, ...market, priority };
}

/** A URL that browsers cannot open counts as missing. It does not invalidate the token. */
function readLogo(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  return ['https:', 'http:', 'ipfs:'].includes(new URL(value).protocol) ? value : null;
}

function parseExpression(text: string): Read {
  if (text === 'true' || text === 'false') return () => text === 'true';
  if (text.includes('~')) {
    const [path = '', wanted = ''] = text.split('~', 2);
    const read = parsePath(path);
    return (value) =>
      [read(value)].flat().some((item) => isPrimitive(item) && `${item}` === wanted);
  }
  const terms = text.split('+').map(parsePath);
  const [only] = terms;
  return terms.length === 1 && only !== undefined ? only : (value) => sum(terms, value);
}

function sum(terms: readonly Read[], value: unknown): unknown {
  const numbers = terms.map((read) => read(value)).filter((term) => term !== undefined);
  return numbers.length === 0
    ? undefined
    : numbers.reduce<number>((total, term) => total + (isPrimitive(term) ? Number(term) : NaN), 0);
}

/** An object can refuse to become a string or a number. */
const isPrimitive = (value: unknown): value is string | number | boolean | null =>
  typeof value !== 'object' || value === null;

function parsePath(text: string): Read {
  const keys = text.split('.');
  return (value) => keys.reduce<unknown>((inner, key) => readOwnField(inner, key), value);
}

function readOwnField(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function isTokenField(text: string): text is TokenField {
  return tokenFields.some((field) => field === text);
}

function isStringUpTo(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= maxLength;
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isAmountOrNull(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
}
