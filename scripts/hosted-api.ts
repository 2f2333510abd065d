import { readFileSync } from 'node:fs';
import { legacyPathMap } from '#server/features/path-aliases.ts';

type Operations = Record<string, Record<string, { readonly operationId: string }>>;

/** Operations of the documents that are not served, and why. */
const reasons: Readonly<Record<string, string>> = {
  'GET /yields/{yieldSource}/history':
    'the sources of these yields are outside of the chain; staking yields are at `/v2/staking-yields`',
  'GET /yields/principal-tokens': 'the yields of principal tokens come from another protocol',
  'GET /v2/airdrop/metrics': 'allocations of airdrops are not on chain',
  'GET /season-rewards/final-vesting-pool': 'forfeited rewards are not on chain',
  'GET /benchmark-rates/usd': 'the rate is computed from other protocols',
  'GET /kvaults/private-credit/metrics':
    'it reports single loans with a liquidation status; no document says which loans these are and what the statuses mean, and the registry only marks vaults',
  'GET /kvaults/private-credit/metrics/history':
    'the history of the loans of `/kvaults/private-credit/metrics`, which are not defined',
  'POST /luts/managed/new-vault':
    'lookup tables come from the registry and the accounts of vaults, nobody registers them by HTTP',
};

/** Paths that clients call although no document has them. Without a reason: they are served. */
const undocumented: Readonly<Record<string, string | undefined>> = {
  'GET /owners/{pubkey}/net-values/history': undefined,
  'GET /markets/collateral-reserves':
    'no response of it is recorded, so its fields are not known; terms of reserves are at `/svc-market/{pubkey}/reserves/metrics`',
  'GET /reserves/{pubkey}/stats': 'use `/svc-market/{pubkey}/reserves/metrics`',
  'GET /reserves/batch/stats': 'use `/svc-market/{pubkey}/reserves/metrics`',
};

/** The lines of the page, in the order of the documents. Throws if a path is neither served nor explained. */
export function hostedApiLines(served: Operations): string[] {
  const find = (key: string): string | undefined => {
    const [method = '', path = ''] = key.split(' ');
    return served[path]?.[method.toLowerCase()]?.operationId;
  };
  return [
    'The paths of the hosted API and what this server answers. `svc-market` stands for the path segment of lending markets:',
    'with `MARKET_SEGMENT_ALIASES` it is also served under another name, such as the one that existing clients use.',
    '',
    'Clients that always send `?env=mainnet-beta` get a 400 from a server of another cluster. `ENV_ALIASES=mainnet-beta` makes',
    'it an alias of the primary cluster; the header `x-env` has the name of the cluster that answers ([http.md](http.md)).',
    ...section('Core document', documentRows('core', find)),
    ...section('Extended document', documentRows('extended', find)),
    ...section('Paths of no document', undocumentedRows(find)),
    '',
    '## Aliases',
    '',
    'An alias has the response, weight and cache of its operation, and is not in the OpenAPI document. `LEGACY_PATHS=false`',
    'turns them off.',
    '',
    ...table(
      ['Alias', 'Path'],
      Object.entries(legacyPathMap).map(([from, to]) => [code(from), code(to)]),
    ),
  ];
}

type Find = (key: string) => string | undefined;

function documentRows(name: string, find: Find): string[][] {
  const file = new URL(`../test/contract/${name}.openapi.json`, import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Operations };
  const keys = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return keys.map((key) => [code(key), answer(key, find(key), reasons[key])]);
}

const undocumentedRows = (find: Find): string[][] =>
  Object.entries(undocumented).map(([key, reason]) => [code(key), answer(key, find(key), reason)]);

function answer(key: string, operationId: string | undefined, reason: string | undefined): string {
  if (operationId !== undefined && reason === undefined) return `served: ${code(operationId)}`;
  if (operationId === undefined && reason !== undefined) return `not served: ${reason}`;
  const problem = operationId === undefined ? 'is not served without a reason' : 'is served';
  throw new Error(`${key} ${problem}: correct scripts/hosted-api.ts`);
}

const section = (title: string, rows: readonly string[][]): string[] => [
  '',
  `## ${title}`,
  '',
  ...table(['Path', 'Answer'], rows),
];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

const code = (text: string): string => `\`${text}\``;
