const { readFileSync } = require('node:fs');

/** Which folders of a package may import which: a folder's row lists what it may reach beside itself. */
const mayImport = {
  client: {
    generated: [],
    decimals: [],
    requests: ['generated'],
    streams: ['generated', 'requests', 'client.ts'],
    verify: [],
  },
  core: {
    base: [],
    protocol: ['base'],
    state: ['base', 'protocol'],
    views: ['base', 'protocol'],
    builders: ['base', 'protocol', 'views', 'state'],
  },
  localnet: {
    runtime: [],
    programs: ['runtime'],
    replay: ['runtime', 'programs'],
    genesis: ['runtime'],
    fork: ['runtime'],
    rpc: ['runtime', 'programs', 'genesis', 'fork'],
    cluster: ['runtime', 'programs', 'genesis', 'fork', 'rpc'],
    storage: ['runtime', 'programs', 'genesis', 'rpc', 'cluster'],
    simulation: ['runtime', 'programs', 'genesis', 'rpc', 'cluster', 'storage'],
    sandbox: ['runtime', 'programs', 'genesis', 'fork', 'rpc', 'cluster'],
    embedded: ['rpc', 'storage', 'localnet-thread.ts', 'run-sandbox.ts'],
    vitest: ['sandbox', 'start-localnet.ts'],
    'node-test': ['sandbox', 'start-localnet.ts'],
  },
  server: {
    caching: [],
    chain: [],
    programs: ['chain'],
    registry: [],
    history: [],
    indexer: ['chain', 'registry', 'history'],
    redis: [],
    feed: ['chain', 'redis', 'clusters', 'programs'],
    clusters: ['registry', 'history', 'programs'],
    proof: ['chain', 'clusters', 'indexer'],
    http: ['clusters', 'registry'],
    webhooks: ['chain', 'registry', 'history', 'clusters', 'http', 'programs'],
    support: [
      ...['clusters', 'registry', 'history', 'http', 'programs'],
      'operations/operation-context.ts',
    ],
    operations: ['support', 'clusters', 'registry', 'history', 'http', 'webhooks', 'programs'],
    sharing: ['redis', 'http'],
    workers: ['clusters', 'feed', 'history', 'http'],
    telemetry: ['chain', 'history', 'http'],
    mcp: ['http'],
    composition: [
      ...['telemetry', 'chain', 'registry', 'history', 'indexer', 'redis', 'feed', 'clusters'],
      ...['programs', 'proof'],
      ...['http', 'webhooks', 'operations', 'support', 'sharing', 'workers', 'mcp', 'app.ts'],
      ...['cli/settings', 'cli/logging', 'cli/terminal', 'cli/files', 'cli/command.ts'],
    ],
    cli: [
      ...['telemetry', 'chain', 'registry', 'history', 'indexer', 'redis', 'feed', 'clusters'],
      ...['programs', 'http', 'operations', 'sharing', 'workers', 'composition'],
    ],
  },
  explorer: {
    format: [],
    routing: [],
    api: ['format'],
    components: ['format', 'routing', 'api'],
    charts: ['format', 'routing', 'api', 'components'],
    wallets: ['format', 'routing', 'api'],
    frame: ['format', 'routing', 'api', 'components', 'wallets'],
    vaults: ['format', 'routing', 'api', 'components', 'charts'],
    loans: ['format', 'routing', 'api', 'components'],
    positions: ['format', 'routing', 'api', 'components', 'loans', 'wallets'],
    pages: [
      ...['format', 'routing', 'api', 'components', 'charts', 'vaults', 'loans', 'wallets'],
      'positions',
    ],
    docs: ['api', 'frame'],
  },
};

/** Folders that every folder of a package may import. */
const shared = { server: ['caching'] };

/** Which packages of this workspace a package may import, always through their public entries. */
const mayImportPackage = {
  client: [],
  core: [],
  localnet: ['core'],
  server: ['client', 'core', 'localnet'],
  explorer: ['client'],
};

const NO_TESTS = '\\.test\\.ts$';

/** The error codes of a package, which every folder of it uses. */
const ERRORS = 'errors(\\.ts)?';

const direction = Object.entries(mayImport).flatMap(([name, folders]) =>
  Object.entries(folders).map(([folder, allowed]) => ({
    name: `${name}-${folder}-direction`,
    severity: 'error',
    from: { path: `^packages/${name}/src/${folder}/`, pathNot: NO_TESTS },
    to: {
      path: `^packages/${name}/src/`,
      pathNot: `^packages/${name}/src/(${[folder, ...(shared[name] ?? []), ...allowed, ERRORS].join('|')})(/|$)`,
    },
  })),
);

const packageDirection = Object.entries(mayImportPackage).map(([name, allowed]) => ({
  name: `${name}-package-direction`,
  severity: 'error',
  from: { path: `^packages/${name}/src/`, pathNot: NO_TESTS },
  to: { path: '^packages/', pathNot: `^packages/(${[name, ...allowed].join('|')})/` },
}));

const publicEntries = Object.keys(mayImportPackage).map((name) => ({
  name: `${name}-only-by-its-public-entries`,
  severity: 'error',
  from: { path: '^packages/', pathNot: [`^packages/${name}/`, NO_TESTS] },
  to: { path: `^packages/${name}/src/`, pathNot: '/index\\.ts$' },
}));

/** A dependency that one folder alone may use. */
const only = (packageName, folder) => ({
  name: `${packageName}-only-in-${folder.replaceAll('/', '-')}`,
  severity: 'error',
  from: { path: '^packages/', pathNot: `^packages/${folder}` },
  to: { path: `node_modules/${packageName}/` },
});

const server = '^packages/server/src/';

/** Files that the list of operations imports, relative to `operations`. */
const operations = [
  ...readFileSync(`${__dirname}/packages/server/src/operations/index.ts`, 'utf8').matchAll(
    /from '\.\/(\S+)\.ts'/g,
  ),
].flatMap(([, file]) => (file === 'operation-context' ? [] : file));

const operationRules = [
  {
    name: 'only-the-list-imports-operations',
    severity: 'error',
    from: { path: server, pathNot: [`${server}operations/index\\.ts$`, NO_TESTS] },
    to: { path: `${server}operations/(${operations.join('|')})\\.ts$` },
  },
  {
    name: 'operation-folders-are-private',
    comment: 'The builders share one folder.',
    severity: 'error',
    from: { path: `${server}operations/([^/]+/[^/]+)`, pathNot: NO_TESTS },
    to: {
      path: `${server}operations/[^/]+/[^/]+/`,
      pathNot: `${server}operations/($1|transactions/builder)/`,
    },
  },
];

const core = '^packages/core/src/';
const purePackages = 'node_modules/(@solana/kit|@noble/hashes|@noble/curves|@scure/base)/';

module.exports = {
  forbidden: [
    ...direction,
    ...packageDirection,
    ...publicEntries,
    ...operationRules,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'programs-do-not-import-each-other',
      comment:
        'The vault program values its cTokens with the lending program’s exchange rate. The rules of a cluster are those of all programs.',
      severity: 'error',
      from: { path: `${core}protocol/([^/]+)/`, pathNot: `${core}protocol/releases/` },
      to: {
        path: `${core}protocol/`,
        pathNot: `${core}protocol/($1/|spl/|klend/math/exact-ratio\\.ts)`,
      },
    },
    {
      name: 'core-uses-no-node-module',
      severity: 'error',
      from: { path: core, pathNot: NO_TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'core-uses-no-other-package',
      severity: 'error',
      from: { path: core, pathNot: NO_TESTS },
      to: { path: 'node_modules/', pathNot: purePackages },
    },
    {
      name: 'client-uses-no-node-module',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: NO_TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'client-has-no-dependency-but-for-its-verifier',
      severity: 'error',
      from: { path: '^packages/client/src/(?!verify/)', pathNot: NO_TESTS },
      to: { path: 'node_modules/|^packages/client/src/verify/' },
    },
    {
      name: 'packages-do-not-import-tests-or-benchmarks',
      severity: 'error',
      from: { path: '^packages/', pathNot: NO_TESTS },
      to: { path: '^(test|bench)/' },
    },
    only('fastify', 'server/src/(http|operations|support|app\\.ts)'),
    only('kysely', 'server/src/history/'),
    only('pg', 'server/src/history/'),
    only('@electric-sql/pglite', 'server/src/history/'),
    only('litesvm', 'localnet/src/'),
    only('@modelcontextprotocol/server', 'server/src/mcp/'),
    only('uplot', 'explorer/src/charts/'),
    {
      name: 'pages-do-not-import-each-other',
      severity: 'error',
      from: { path: '^packages/explorer/src/pages/([^/]+)/', pathNot: NO_TESTS },
      to: {
        path: '^packages/explorer/src/pages/[^/]+/',
        pathNot: '^packages/explorer/src/pages/$1/',
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  },
};
