/** A block that is not run as it is printed, by its first line. */
export type ListedBlock = {
  readonly document: string;
  readonly first: string;
  /** A test of the same commands, with values of its own. */
  readonly test?: string;
  /** Why no test runs it. Its syntax and the names of its commands are checked. */
  readonly reason?: string;
};

const TYPICAL = 'it is about a deployment, a cluster or a service that a test does not have';
const PART = 'it shows a part of an answer or of a request';
const INSTALL = 'it installs packages that are published';

const listed = (document: string, first: string, why: Pick<ListedBlock, 'test' | 'reason'>) => ({
  document,
  first,
  ...why,
});

const supervised = { reason: TYPICAL };

export const listedBlocks: readonly ListedBlock[] = [
  listed('README.md', 'git clone REPOSITORY_URL tidegate && cd tidegate', { reason: TYPICAL }),
  listed('README.md', '$ npm start', { reason: 'it shows answers of a demo of a month' }),
  listed(
    'README.md',
    ' RPC / WebSocket / Geyser ─► chain ─► indexer ─┬─► state    (now, in memory) ─┬─► views ────► HTTP ─► JSON',
    { reason: 'it is a drawing' },
  ),
  listed('README.md', '$ curl -s http://127.0.0.1:8080/proof', {
    reason: 'it shows a part of an answer',
  }),
  listed('README.md', 'RPC_URL=https://rpc.example/key npm start', supervised),
  listed('docs/agents.md', '{', { reason: 'it is the configuration of another program' }),
  listed(
    'docs/agents.md',
    '{ "servers": { "tidegate": { "type": "stdio", "command": "npx", "args": ["-y", "tidegate", "mcp"] } } }',
    { reason: 'it is the configuration of another program' },
  ),
  listed('docs/agents.md', '[mcp_servers.tidegate]', {
    reason: 'it is the configuration of another program',
  }),
  listed('docs/agents.md', 'npx tidegate mcp --http 8090     # http://127.0.0.1:8090/mcp', {
    test: 'test/system/mcp.test.ts',
  }),
  listed(
    'docs/agents.md',
    '{ "mcpServers": { "tidegate": { "type": "http", "url": "http://127.0.0.1:8090/mcp" } } }',
    { reason: 'it is the configuration of another program' },
  ),
  listed('docs/builders.md', '"error": {', { reason: PART }),
  listed('docs/builders.md', '"swap": {', { reason: PART }),
  listed(
    'docs/builders.md',
    '{ "transactions": [{ "transaction": "…", "preview": { "success": true, "plan": { "summary": "Repay the whole USDC debt …" } } }] }',
    { reason: PART },
  ),
  listed(
    'docs/builders.md',
    'const body = JSON.stringify({ wallet: signer.address, market, ...deposit });',
    { test: 'test/end-to-end/demo-server.test.ts' },
  ),
  listed(
    'docs/builders.md',
    "import { compileTransaction, depositBuilder } from '@tidegate/core/builders';",
    { reason: 'it needs the accounts of a market in memory' },
  ),
  listed('docs/client.md', 'npm install @tidegate/client', { reason: INSTALL }),
  listed(
    'docs/limits.md',
    'npx tidegate keys create --name wallet-app --limit 6000/1m   # prints the key once',
    { test: 'test/system/api-keys.test.ts' },
  ),
  listed(
    'docs/localnet.md',
    'npx tidegate localnet                       # http://127.0.0.1:8899, WebSocket on 8900',
    { test: 'test/system/localnet.test.ts' },
  ),
  listed('docs/localnet.md', "curl http://127.0.0.1:8899 -H 'content-type: application/json' \\", {
    test: 'test/system/guides.test.ts',
  }),
  listed('docs/operations.md', 'RPC_URL=https://rpc.example/key npm start', supervised),
  listed('docs/operations.md', 'npx tidegate doctor', { test: 'test/system/doctor.test.ts' }),
  listed(
    'docs/operations.md',
    'node --v8-pool-size=1 packages/server/bin/tidegate.js serve',
    supervised,
  ),
  listed('docs/operations.md', '[Unit]', supervised),
  listed('docs/operations.md', 'docker build -f deploy/Dockerfile -t tidegate .', supervised),
  listed(
    'docs/operations.md',
    'cd deploy/compose && cp .env.example .env   # set RPC_URL and POSTGRES_PASSWORD',
    supervised,
  ),
  listed('docs/operations.md', 'kubectl create namespace tidegate', supervised),
  listed(
    'docs/operations.md',
    'DATABASE_URL=postgres://… REDIS_URL=redis://… RPC_URL=https://… npx tsx scripts/start-topology.ts',
    supervised,
  ),
  listed('docs/operations.md', 'npx tidegate serve --workers 4', {
    test: 'test/system/workers.test.ts',
  }),
  listed(
    'docs/operations.md',
    'RPC_URL=https://… DATABASE_URL=postgres://… REDIS_URL=redis://… tidegate index   # twice: one writes, the other is a standby',
    { test: 'test/system/roles.test.ts' },
  ),
  listed('docs/operations.md', "npx tidegate keys create --name 'my app' --limit 6000/1m", {
    test: 'test/system/api-keys.test.ts',
  }),
  listed('docs/operations.md', 'promtool check rules deploy/prometheus/tidegate.rules.yml', {
    test: 'test/system/alert-rules.test.ts',
  }),
  listed(
    'docs/operations.md',
    'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 OTEL_TRACES_SAMPLER=parentbased_traceidratio OTEL_TRACES_SAMPLER_ARG=0.01 npm start',
    { test: 'test/system/telemetry.test.ts' },
  ),
  listed(
    'docs/operations.md',
    'pg_dump --format=custom --schema=tidegate_mainnet_beta --file=tidegate.dump "$DATABASE_URL"',
    supervised,
  ),
  listed('docs/operations.md', 'npx tidegate snapshot save backup.tar.gz', {
    test: 'test/system/snapshot.test.ts',
  }),
  listed('docs/proof.md', 'npx tidegate proof show               # all counterexamples', {
    reason: 'an embedded cluster has no counterexample',
  }),
  listed('docs/protocol.md', 'npm ci', { test: 'test/packages/library.test.ts' }),
  listed('docs/quickstart.md', 'npx tidegate serve', { test: 'test/system/serve.test.ts' }),
  listed('docs/quickstart.md', 'npm create vite@latest loans -- --template vanilla-ts', {
    reason: INSTALL,
  }),
  listed('docs/quickstart.md', '<!doctype html>', { test: 'test/browser/quickstart.test.ts' }),
  listed(
    'docs/quickstart.md',
    "import { createClient, formatDecimal, streamUpdates } from '@tidegate/client';",
    { test: 'test/browser/quickstart.test.ts' },
  ),
  listed('docs/quickstart.md', 'npm run dev', { test: 'test/browser/quickstart.test.ts' }),
  listed('docs/registry.md', '{', { reason: 'it has markets and tokens of an operator' }),
  listed(
    'docs/registry.md',
    'tidegate registry check registry.json   # lists all problems; exits with 1 if there are any',
    { test: 'test/system/registry-commands.test.ts' },
  ),
  listed('docs/rewards.md', 'npx tidegate rewards import season.json   # one season, or a list', {
    test: 'test/system/import-seasons.test.ts',
  }),
  listed('docs/rewards.md', '{', { reason: PART }),
  listed('docs/sandbox.md', 'npm install --save-dev @tidegate/localnet', { reason: INSTALL }),
  listed('docs/sandbox.md', 'npx tidegate localnet --fork https://your-rpc.example', {
    test: 'test/system/localnet-fork.test.ts',
  }),
  listed('docs/sandbox.md', 'npm install --save-dev tidegate @solana/kit', { reason: INSTALL }),
  listed('docs/streams.md', 'id: 48211-362880412-3-0102-0', {
    reason: 'the next transaction of a wallet may take long',
  }),
  listed('docs/tour.md', 'TIDEGATE=http://127.0.0.1:8080', {
    test: 'test/end-to-end/demo-server.test.ts',
  }),
  listed(
    'docs/webhooks.md',
    "curl -s https://tidegate.example/hooks -H \"x-api-key: $KEY\" -H 'content-type: application/json' -d '{",
    { test: 'test/system/webhooks.test.ts' },
  ),
  listed('docs/webhooks.md', 'export TIDEGATE_API_KEY=tg_…', {
    test: 'test/system/webhooks.test.ts',
  }),
  listed('docs/webhooks.md', '{', { reason: PART }),
  listed('packages/client/README.md', 'npm install @tidegate/client @solana/kit', {
    reason: INSTALL,
  }),
  listed('packages/client/README.md', "import { readFileSync } from 'node:fs';", {
    test: 'test/packages/client-readme.test.ts',
  }),
  listed('packages/core/README.md', 'npm install @tidegate/core', { reason: INSTALL }),
  listed(
    'packages/explorer/README.md',
    "const market = useResource(apiRequest('GET /v2/svc-market/{pubkey}', { path: { pubkey } }), { pollMs: 60_000 });",
    { reason: 'it is a part of a page' },
  ),
  listed('packages/localnet/README.md', 'npm install --save-dev @tidegate/localnet', {
    reason: INSTALL,
  }),
  listed('packages/server/README.md', 'npm install tidegate', { reason: INSTALL }),
];

/** Guides whose every block one test computes again. */
export const documentsOfTests: Readonly<Record<string, string>> = {
  'docs/numbers.md': 'test/parity/worked-examples.test.ts',
};
