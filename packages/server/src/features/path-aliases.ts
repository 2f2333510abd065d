export type PathAliasOptions = {
  /** Other names for the first segment of the market paths. */
  readonly marketSegments: readonly string[];
  /** Whether the paths of older documents are served too. */
  readonly legacyPaths: boolean;
};

const MARKET_SEGMENT = 'svc-market';

/** Segments with a meaning of their own: never a vault's address, and no name for the market segment. */
const vaultSegments = [
  'vaults',
  'users',
  'rewards',
  'summary',
  'mints',
  'transactions',
  'private-credit',
  'shareholders',
];

/** Older path to the one that is served (CONFLICTS A28, A29). `{}` parts are carried over by name. */
const legacy: Readonly<Record<string, string>> = {
  '/kvaults/{vault}': '/kvaults/vaults/{vault}',
  '/kvaults/{vault}/metrics': '/kvaults/vaults/{vault}/metrics',
  '/kvaults/{vault}/metrics/history': '/kvaults/vaults/{vault}/metrics/history',
  '/kvaults/{vault}/allocation-volume/history': '/kvaults/vaults/{vault}/allocation-volume/history',
  '/kvaults/{vault}/users/{user}/metrics/history':
    '/kvaults/users/{user}/vaults/{vault}/metrics/history',
  '/kvaults/{vault}/users/{user}/pnl': '/kvaults/users/{user}/vaults/{vault}/pnl',
  '/kvaults/{vault}/users/{user}/pnl/history': '/kvaults/users/{user}/vaults/{vault}/pnl/history',
  '/kvaults/shareholders/{user}/transactions': '/kvaults/users/{user}/transactions',
  '/kvault-tokens/{mint}/metadata': '/kvaults/mints/{mint}/metadata',
  '/kvault-tokens/{mint}/metadata/image.svg': '/kvaults/mints/{mint}/metadata/image.svg',
  '/svc-market': '/v2/svc-market',
};

/** First segments of our own paths, which an alias must not take. */
export const reservedSegments: readonly string[] = [
  MARKET_SEGMENT,
  ...['kvaults', 'kvault-tokens', 'klend', 'ktx', 'tokens-api', 'docs', 'openapi.json'],
  ...['health', 'ready', 'status', 'metrics', 'v2', 'v3'],
  ...[
    'portfolio',
    'oracles',
    'slots',
    'luts',
    'farms',
    'yields',
    'users',
    'epochs',
    'season-rewards',
  ],
];

/** A URL as it arrived to the URL that is routed; one that has no alias is returned as it is. */
export function createPathAliases(options: PathAliasOptions): (url: string) => string {
  const { marketSegments, legacyPaths } = options;
  const market =
    marketSegments.length === 0
      ? undefined
      : new RegExp(`^(/v[0-9]+)?/(?:${marketSegments.map(escapeRegExp).join('|')})(?=[/?]|$)`);
  const rows = legacyPaths ? Object.entries(legacy).map(compileRow) : [];

  return (url) => {
    const named = market === undefined ? url : url.replace(market, `$1/${MARKET_SEGMENT}`);
    for (const { pattern, target } of rows) {
      if (pattern.test(named)) return named.replace(pattern, target);
    }
    return named;
  };
}

/** `/a/{x}` becomes a pattern that takes the whole path, a trailing slash and the query with it. */
function compileRow([from, to]: readonly [string, string]): { pattern: RegExp; target: string } {
  const notStatic = `(?!(?:${vaultSegments.join('|')})(?:[/?]|$))`;
  const source = escapeRegExp(from).replaceAll(/\\\{(\w+)\\\}/g, (_, name: string) => {
    return `${name === 'vault' ? notStatic : ''}(?<${name}>[^/?]+)`;
  });
  const target = to.replaceAll(/\{(\w+)\}/g, '$<$1>');
  return { pattern: new RegExp(`^${source}/?(?=\\?|$)`), target };
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
