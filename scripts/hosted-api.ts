import { readFileSync } from 'node:fs';
import { legacyPathMap } from '#server/operations/path-aliases.ts';
import { unservedOperations, unservedPaths } from '#server/operations/unserved-paths.ts';

type Operations = Record<string, Record<string, { readonly operationId: string }>>;

const TRAILING_RATES =
  'trailing rates are the growth of a share in tokens, over the age of a younger vault; `x-estimated` names estimates';
const STATS =
  'averages are time-weighted over the recorded hours and null if the series is shorter; `actualAvailableLiquidity` is in whole lamports; `proofOfReserves` is null and `pointsPrograms` empty, because their sources are not on chain; `seasonRewards` is null where not all loans are followed';
const FULL_EXIT = 'an amount above the shares of the wallet is a 400 instead of a full exit';

/** What a caller of the hosted API notices, by operation. Every other operation answers the same. */
const differences: Readonly<Record<string, string>> = {
  listTokens: 'the older `/tokens` of the hosted API has other fields and is not served',
  getVaultMetrics: TRAILING_RATES,
  listVaultMetrics: TRAILING_RATES,
  getVaultMetricsHistory:
    '`tvl` is in USD, as in recorded answers, although its document says tokens; `interest` is accrued to each point',
  getVaultAllocationVolumeHistory: 'a range of more than 366 days is a 400',
  listUserVaultPositions:
    'four fields per position, as in recorded answers; the document also has the state of the vault',
  getMarket: 'an unknown market is a 404 instead of a 500',
  getReserveHistory:
    'totals and rates of a point are the state at its time, not a mean over the hour; `frequency=minute` is served',
  getReserveStats: STATS,
  getMarketReserveStats: STATS,
  listReserveStats: STATS,
  listCollateralReserves:
    '`debtCategory` and `slugs` are null and a collateral has one row, because the registry has no categories; `name` is the symbol of the collateral',
  listTokenPrices: '`source=scope` is the only source; another one is a 400',
  getStakingYieldHistory: 'only stake pools of the registry; the running epoch is not listed',
  listReserveMetrics:
    'interest since the last refresh is what the program books, not a projection; rates use the exact slot duration',
  listUserObligations: '`market.state` has the named values of the market, not its whole account',
  getObligationPnl: '`invested` is always present',
  getLoan: '`maxWithdrawableAmount` is at most the deposit; `leverage` is a number',
  buildVaultWithdrawTx: FULL_EXIT,
  buildVaultWithdrawIxs: FULL_EXIT,
};

/** Paths that are served although no document has them. */
const servedUndocumented = [
  'GET /owners/{pubkey}/net-values/history',
  'GET /reserves/{reserve}/stats',
  'GET /markets/{market}/reserves/{reserve}/stats',
  'GET /reserves/batch/stats',
  'GET /markets/collateral-reserves',
  'GET /prices',
  'GET /staking-yields/tokens/{mint}/history',
];

/** The lines of the page, in the order of the documents. Throws if a path is neither served nor explained, and if an explanation is of no path. */
export function hostedApiLines(served: Operations): string[] {
  requireUsed(served);
  const find = (key: string): string | undefined => {
    const [method = '', path = ''] = key.split(' ');
    return served[path]?.[method.toLowerCase()]?.operationId;
  };
  const core = documentRows('core', find);
  const extended = documentRows('extended', find);
  const undocumented = undocumentedRows(find);
  return [
    ...INTRODUCTION,
    '',
    countLine([...core, ...extended, ...undocumented]),
    ...section('Core document', core),
    ...section('Extended document', extended),
    ...section('Paths of no document', undocumented),
    '',
    '## Aliases',
    '',
    'Each path below is answered as the other one. An alias has the response, weight and cache of its operation; the OpenAPI document lists it',
    'as `x-aliases` of the operation. `LEGACY_PATHS=false` turns them off, except for the name `kamino-market`.',
    '',
    ...table(
      ['Alias', 'Path'],
      Object.entries(legacyPathMap).map(([from, to]) => [code(from), code(to)]),
    ),
  ];
}

const INTRODUCTION =
  `Point your client at another base URL. This page lists every path, and every behaviour that differs.

\`\`\`sh
TIDEGATE=http://127.0.0.1:8080
curl -s "$TIDEGATE/kvaults/vaults/metrics"
\`\`\`

\`\`\`json
{ "result": [{ "kvault": "…", "apy": "…" }] }
\`\`\`

\`svc-market\` and \`kamino-market\`, the name of the hosted API, are the same path segment in every path below:

\`\`\`sh
curl -s "$TIDEGATE/v2/kamino-market"
\`\`\`

\`\`\`json
[{ "name": "…", "lendingMarket": "…" }]
\`\`\`

\`MARKET_SEGMENT_ALIASES\` adds further names. A path that does not exist is a 404 that names the nearest path that does, if one
resembles it, or says why a path of the hosted API is not served.

Clients that always send \`?env=mainnet-beta\` get a 400 from a server of another cluster. \`ENV_ALIASES=mainnet-beta\` makes it
an alias of the primary cluster; the header \`x-env\` has the name of the cluster that answers ([http.md](http.md#clusters)).

## What differs everywhere

| Behaviour | Hosted API | Here | Why |
| --- | --- | --- | --- |
| a cluster that is not served | answers for mainnet | 400 that names the clusters that are | figures of another cluster look right and are wrong |
| small numbers | may have an exponent: \`4.2e-8\` | plain decimals | strict parsers reject exponents |
| amount with too many decimals | rounded down | 400 that names the decimals of the token | nobody signs another amount than the one that was typed |
| mistake in a parameter | 500 on some operations | 400 with \`details\`; \`STRICT_STATUSES=true\` restores the 500 | a mistake is not an outage |
| interest since a reserve was refreshed | projected by wall clock, up to a fifth too high | the program's own arithmetic | the figure equals what the program books |
| slot duration in rates | whole milliseconds | exact mean | an APY of 5 % differs by at most 0.013 percentage points |
| time label of a point | start of a bucket on some series | the state at that time on all | series can be joined |
| history that is not complete | not stated | 503 \`HISTORY_INCOMPLETE\`, or \`x-gaps\` on a series | a part of a profit is not a profit |
| age of the data | not stated | \`x-slot\`, \`x-block-time\`, \`x-data-age\` | [freshness.md](freshness.md) |

In the tables below, **same** means the same fields, units and statuses for valid requests; **different** says what a caller
notices beside the list above; **not served** says why.`.split('\n');

const SAME = 'same';
const DIFFERENT = 'different';
const NOT_SERVED = 'not served';

type Find = (key: string) => string | undefined;

function documentKeys(name: string): string[] {
  const file = new URL(`../test/contract/${name}.openapi.json`, import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Operations };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

const documentRows = (name: string, find: Find): string[][] =>
  documentKeys(name).map((key) => [code(key), ...answer(key, find(key), unservedOperations[key])]);

const undocumentedRows = (find: Find): string[][] =>
  [...servedUndocumented, ...Object.keys(unservedPaths)].map((key) => [
    code(key),
    ...answer(key, find(key), unservedPaths[key]),
  ]);

function answer(
  key: string,
  operationId: string | undefined,
  reason: string | undefined,
): string[] {
  if (operationId !== undefined && reason === undefined) return served(operationId);
  if (operationId === undefined && reason !== undefined) return [NOT_SERVED, reason];
  const problem = operationId === undefined ? 'is not served without a reason' : 'is served';
  throw new Error(
    `${key} ${problem}: correct operations/unserved-paths.ts or scripts/hosted-api.ts`,
  );
}

function served(operationId: string): string[] {
  const difference = differences[operationId];
  return difference === undefined
    ? [SAME, code(operationId)]
    : [DIFFERENT, `${code(operationId)}: ${difference}`];
}

const section = (title: string, rows: readonly string[][]): string[] => [
  '',
  `## ${title}`,
  '',
  ...table(['Path', 'Answer', 'What differs, or why it is not served'], rows),
];

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

const countLine = (rows: readonly string[][]): string => {
  const count = (answer: string) => rows.filter((row) => row[1] === answer).length;
  return `Of ${rows.length} paths ${count(SAME)} are the same, ${count(DIFFERENT)} differ, and ${count(NOT_SERVED)} are not served.`;
};

/** Throws if a difference, an explanation or an alias is about nothing. */
function requireUsed(served: Operations): void {
  const ids = Object.values(served).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const paths = Object.keys(served).map(withoutNames);
  const keys = ['core', 'extended'].flatMap(documentKeys);
  const unused = [
    ...Object.keys(differences).filter((id) => !ids.includes(id)),
    ...Object.keys(unservedOperations).filter((key) => !keys.includes(key)),
    ...Object.keys(unservedPaths).filter((key) => keys.includes(key)),
    ...Object.values(legacyPathMap).filter((path) => !paths.includes(withoutNames(path))),
  ];
  if (unused.length > 0) throw new Error(`about no path: ${unused.join(', ')}`);
}

const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

const code = (text: string): string => `\`${text}\``;
