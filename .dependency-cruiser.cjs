/** Who may import whom: a folder's row lists the folders it may reach beside itself. */
const mayImport = {
  base: [],
  disk: ['base'],
  chain: ['base'],
  protocol: ['base'],
  registry: ['base', 'disk'],
  views: ['base', 'protocol'],
  state: ['base', 'protocol'],
  history: ['base', 'disk', 'protocol'],
  builders: ['base', 'protocol', 'views', 'state'],
  indexer: ['base', 'chain', 'protocol', 'registry', 'views', 'state', 'history'],
  localnet: ['base', 'disk', 'chain', 'protocol', 'registry', 'views', 'state', 'builders'],
  api: ['base', 'registry', 'views', 'state', 'history', 'builders'],
  cli: ['base', 'disk', 'chain', 'registry', 'state', 'history', 'indexer', 'api', 'localnet'],
};

const direction = Object.entries(mayImport).map(([folder, allowed]) => ({
  name: `${folder}-direction`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
}));

/** A package that belongs to one folder. */
const only = (packageName, folder) => ({
  name: `${packageName}-only-in-${folder}`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/${folder}/` },
  to: { path: `node_modules/${packageName}/` },
});

const pureFolders = '^src/(base|protocol|views|builders)/';
const purePackages = 'node_modules/(@solana/kit|@noble/hashes|@noble/curves|@scure/base)/';

module.exports = {
  forbidden: [
    ...direction,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'programs-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/protocol/([^/]+)/' },
      to: { path: '^src/protocol/', pathNot: '^src/protocol/($1|spl)/' },
    },
    {
      name: 'pure-folders-use-no-node-module',
      severity: 'error',
      from: { path: pureFolders, pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pure-folders-use-no-other-package',
      severity: 'error',
      from: { path: pureFolders, pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/', pathNot: purePackages },
    },
    only('fastify', 'api'),
    only('kysely', 'history'),
    only('pg', 'history'),
    only('@electric-sql/pglite', 'history'),
    only('litesvm', 'localnet'),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  },
};
