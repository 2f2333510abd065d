export type PathAliasOptions = {
  /** Further names of the first segment of market paths. */
  readonly marketSegments: readonly string[];
  /** Whether the paths of older API documents are served. */
  readonly legacyPaths: boolean;
};

const MARKET_SEGMENT = 'svc-market';

/** The name that clients of the hosted API use. It is always served. */
const HOSTED_MARKET_SEGMENT = 'kamino-market';

/** Segments after `/kvaults/` that are not a vault address. */
const staticVaultSegments = [
  'vaults',
  'users',
  'rewards',
  'summary',
  'mints',
  'transactions',
  'private-credit',
  'shareholders',
];

/** Segments after `/svc-market/` that are not a market address. */
const staticMarketSegments = ['reserves', 'users', 'obligations'];

/** Older paths and the paths that are served (CONFLICTS A28, A29), with the same responses. Parameters are copied by name. */
export const legacyPathMap: Readonly<Record<string, string>> = {
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
  '/svc-market/{market}': '/v2/svc-market/{market}',
  '/openapi/json': '/openapi.json',
  '/ktx/documentation/json': '/openapi.json',
};

/** First segments of served paths, which an alias must not use. */
export const reservedSegments: readonly string[] = [
  MARKET_SEGMENT,
  ...['kvaults', 'kvault-tokens', 'klend', 'ktx', 'tokens-api'],
  ...['docs', 'explorer', 'openapi.json', 'llms.txt'],
  ...['health', 'ready', 'status', 'metrics', 'v2', 'v3'],
  ...[
    'portfolio',
    'addresses',
    'oracles',
    'slots',
    'luts',
    'farms',
    'yields',
    'users',
    'epochs',
    'events',
    'stream',
    'season-rewards',
    'openapi',
    'owners',
    'hooks',
    'markets',
    'reserves',
    'prices',
    'staking-yields',
  ],
];

/** Creates a function that maps a requested URL to the URL that is routed. */
export function createPathAliases(options: PathAliasOptions): (url: string) => string {
  const segments = marketSegmentsOf(options).map(escapeRegExp).join('|');
  const market = new RegExp(`^(/v[0-9]+)?/(?:${segments})(?=[/?]|$)`);
  const rows = legacyRows(options).map(compileRow);

  return (url) => {
    const renamed = url.replace(market, `$1/${MARKET_SEGMENT}`);
    for (const { pattern, target } of rows) {
      if (pattern.test(renamed)) return renamed.replace(pattern, target);
    }
    return renamed;
  };
}

/** Lists the aliases of a path such as `/a/{x}`. */
export function listPathAliases(options: PathAliasOptions, path: string): readonly string[] {
  const canonical = withoutParameterNames(path);
  const names = [
    path,
    ...legacyRows(options)
      .filter(([, to]) => withoutParameterNames(to) === canonical)
      .map(([from]) => from),
  ];
  return names.flatMap((name) => [name, ...renamedMarketPaths(options, name)]).slice(1);
}

const marketSegmentsOf = ({ marketSegments }: PathAliasOptions): readonly string[] => [
  ...new Set([HOSTED_MARKET_SEGMENT, ...marketSegments]),
];

const legacyRows = ({ legacyPaths }: PathAliasOptions): readonly (readonly [string, string])[] =>
  legacyPaths ? Object.entries(legacyPathMap) : [];

const MARKET_PATH = new RegExp(`^(/v[0-9]+)?/${MARKET_SEGMENT}(?=/|$)`);

const renamedMarketPaths = (options: PathAliasOptions, path: string): readonly string[] =>
  MARKET_PATH.test(path)
    ? marketSegmentsOf(options).map((segment) => path.replace(MARKET_PATH, `$1/${segment}`))
    : [];

const withoutParameterNames = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

/** Compiles `/a/{x}` to a pattern that matches the whole path, with an optional trailing slash. */
function compileRow([from, to]: readonly [string, string]): { pattern: RegExp; target: string } {
  const notStatic: Readonly<Record<string, string>> = {
    vault: notOneOf(staticVaultSegments),
    market: notOneOf(staticMarketSegments),
  };
  const source = escapeRegExp(from).replaceAll(/\\\{(\w+)\\\}/g, (_, name: string) => {
    return `${notStatic[name] ?? ''}(?<${name}>[^/?]+)`;
  });
  const target = to.replaceAll(/\{(\w+)\}/g, '$<$1>');
  return { pattern: new RegExp(`^${source}/?(?=\\?|$)`), target };
}

const notOneOf = (segments: readonly string[]): string => `(?!(?:${segments.join('|')})(?:[/?]|$))`;

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
