import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOperations, type OpenApiDocument } from '../../support/fuzz/openapi-operations.ts';
import { type App, startApp } from '../../support/http/test-api.ts';

const PACKAGES = new URL('../../../packages/', import.meta.url);

/** Every file or folder that connects to something, and who chooses the address. Of callers, only a webhook does. */
const CLIENTS: Readonly<Record<string, string>> = {
  'localnet/src/fork/origin-rpc.ts': '`localnet --fork`; does not follow redirects',
  'server/src/chain/rpc/http-post.ts': 'RPC_URL; does not follow redirects',
  'server/src/chain/streams/geyser-call.ts': 'GEYSER_URL; uses no proxy of the environment',
  'server/src/chain/streams/rpc-socket.ts': 'WS_URL; does not follow redirects',
  'server/src/cli/doctor/port-checks.ts': 'HOST and PORT of this machine',
  'server/src/cli/doctor/redis-checks.ts': 'REDIS_URL',
  'server/src/composition/tasks/hooks.ts': '`hooks --url`; does not follow redirects',
  'server/src/operations/docs/client-call.ts': 'nothing: it prints an example',
  'server/src/operations/localnet/confirm-transaction.ts': 'the embedded cluster',
  'server/src/history': 'DATABASE_URL, READ_DATABASE_URL',
  'server/src/mcp/api/api-client.ts': 'TIDEGATE_URL; does not follow redirects',
  'server/src/mcp/transports/serve-http.ts': 'nothing: it listens',
  'server/src/redis': 'REDIS_URL',
  'server/src/registry/pinned-request.ts':
    'REGISTRY, TOKENS, `import --from`, whose public hosts cannot redirect to a private address; URLs of webhooks, which cannot have one',
  'server/src/telemetry/otlp-exporter.ts': 'OTEL_EXPORTER_OTLP_ENDPOINT; does not follow redirects',
};

const CONNECTS =
  /(?<![#\w])fetch\(|\brequest as \w+|\b(?:connect|createConnection|lookup)\b[^;]*from 'node:(?:net|tls|dns)|from 'node:(?:https|http2|dgram)|new WebSocket\(|new (?:\w+\.)?(?:Client|Pool)\(|\bcreateClient\(/;

test('only these files and folders open connections', () => {
  const found = readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:core|localnet|server)\/src\/.*(?<!\.test)\.ts$/.test(name))
    .filter((name) => CONNECTS.test(readFileSync(new URL(name, PACKAGES), 'utf8')))
    .map((name) => name.replace(/^(server\/src\/(?:history|redis))\/.*/, '$1'));
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(CLIENTS).toSorted());
});

let app: App;
beforeAll(async () => {
  ({ app } = await startApp());
});
afterAll(() => app.close());

test('only a webhook takes an address of the network', async () => {
  const document = (await app.inject('/openapi.json')).json<OpenApiDocument>();
  const operations = listOperations(document);
  const others = operations.filter(({ id }) => id !== 'createHook');
  expect(others).toHaveLength(operations.length - 1);
  const names = others.flatMap(({ parameters, body }) => [
    ...parameters.map(({ name }) => name),
    ...Object.keys(body?.properties ?? {}),
  ]);
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => /ur[il]|host|endpoint|webhook|callback|proxy/i.test(name))).toEqual(
    [],
  );
});
