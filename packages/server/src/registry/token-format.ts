import { parseAddress } from '@tidegate/core/base';
import type { Token } from '@tidegate/core/protocol/spl';

/**
 * How a token list of another make is read. Written as pairs, `field=expression`, with commas between:
 * a field of ours (or `list`, where the array is, or `only`, which entries count) and
 * a dotted path into an entry; `a+b` adds the numbers at two paths; `path~text` is true when the value
 * there is the text or an array that contains it; `true` and `false` stand for themselves.
 * A field that is not named is read from the entry's field of the same name.
 */
export type TokenFormat = {
  readonly list: Read;
  readonly only: Read;
  readonly fields: Readonly<Record<TokenField, Read>>;
};

export type TokenList = {
  readonly tokens: readonly Token[];
  readonly rejected: number;
  /** The first record that was left out, and why. */
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

/** The formats that are common enough to have a name, in the language above. */
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
/** A list of which more than this part is malformed is taken for nonsense, not for a list with flaws. */
const MAX_REJECTED_PART = 0.1;

/** A format's name or its pairs; undefined when it is neither. */
export function parseTokenFormat(text: string): TokenFormat | undefined {
  const pairs = (tokenFormats[text] ?? text).split(',').filter((pair) => pair !== '');
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

/** Tokens of a document that came from outside; a text says why when it is not a usable list. */
export function parseTokenList(document: unknown, format: TokenFormat): TokenList | string {
  const list = format.list(document);
  if (!Array.isArray(list)) return 'it is not an array where the format says that the tokens are';
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
  if (rejected > (tokens.size + rejected) * MAX_REJECTED_PART) {
    return `${rejected} of ${tokens.size + rejected} entries are malformed, first ${firstRejection}`;
  }
  return { tokens: [...tokens.values()], rejected, firstRejection };
}

function duplicateOf(token: Token, tokens: ReadonlyMap<string, Token>): string | undefined {
  return tokens.has(token.mint) ? 'its mint is listed before' : undefined;
}

/** A token, or what is wrong with the entry. */
function readToken(entry: unknown, { fields }: TokenFormat): Token | string {
  const mintText = fields.mint(entry);
  const mint = typeof mintText === 'string' ? parseAddress(mintText) : undefined;
  if (mint === undefined) return 'mint is not a base58 address';
  const symbol = fields.symbol(entry);
  if (!isText(symbol, MAX_SYMBOL_LENGTH)) {
    return `symbol is not a text of 1 to ${MAX_SYMBOL_LENGTH} characters`;
  }
  const name = fields.name(entry);
  if (!isText(name, MAX_NAME_LENGTH)) {
    return `name is not a text of 1 to ${MAX_NAME_LENGTH} characters`;
  }
  const decimals = fields.decimals(entry);
  if (!isWholeNumber(decimals) || decimals < 0 || decimals > 255) {
    return 'decimals is not a whole number from 0 to 255';
  }
  const verified = fields.verified(entry) ?? false;
  if (typeof verified !== 'boolean') return 'verified is not true or false';
  const tradingVolume24H = fields.tradingVolume24H(entry) ?? null;
  if (!isDollars(tradingVolume24H)) return 'tradingVolume24H is not a number from 0 up';
  const marketCapUsd = fields.marketCapUsd(entry) ?? null;
  if (!isDollars(marketCapUsd)) return 'marketCapUsd is not a number from 0 up';
  const priority = fields.priority(entry) ?? DEFAULT_PRIORITY;
  if (!isWholeNumber(priority)) return 'priority is not a whole number';
  const logoUrl = readLogo(fields.logoUrl(entry));
  const market = { tradingVolume24H, marketCapUsd };
  return { mint, symbol, name, decimals, logoUrl, verified, ...market, priority };
}

/** An address that no browser can open is as good as none; it does not make the token wrong. */
function readLogo(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  return ['https:', 'http:', 'ipfs:'].includes(new URL(value).protocol) ? value : null;
}

function parseExpression(text: string): Read {
  if (text === 'true' || text === 'false') return () => text === 'true';
  if (text.includes('~')) {
    const [path = '', wanted = ''] = text.split('~', 2);
    const read = parsePath(path);
    return (value) => [read(value)].flat().some((item) => String(item) === wanted);
  }
  const terms = text.split('+').map(parsePath);
  const [only] = terms;
  return terms.length === 1 && only !== undefined ? only : (value) => sum(terms, value);
}

function sum(terms: readonly Read[], value: unknown): unknown {
  const numbers = terms.map((read) => read(value)).filter((term) => term !== undefined);
  return numbers.length === 0
    ? undefined
    : numbers.reduce((total, term) => Number(total) + Number(term), 0);
}

function parsePath(text: string): Read {
  const keys = text.split('.');
  return (value) => keys.reduce<unknown>((inner, key) => ownField(inner, key), value);
}

function ownField(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function isTokenField(text: string): text is TokenField {
  return tokenFields.some((field) => field === text);
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= maxLength;
}

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isDollars(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value >= 0);
}
