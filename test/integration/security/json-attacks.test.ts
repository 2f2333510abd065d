import { expect, test } from 'vitest';
import {
  listOperations,
  type OpenApiDocument,
  type Operation,
  resolveSchema,
} from '../../support/fuzz/openapi-operations.ts';
import { startHistoryApi } from '../../support/history/history-api.ts';
import { startGoldenLocalnet } from '../../support/localnet/golden-localnet.ts';

type Api = Awaited<ReturnType<typeof startHistoryApi>>;
type Targets = { readonly document: OpenApiDocument; readonly operations: readonly Operation[] };

/** The operations of a method, on a server that reads a history. */
async function startTargets(method: Operation['method']): Promise<Api & Targets> {
  const api = await startHistoryApi();
  const document = (await api.app.inject('/openapi.json')).json<OpenApiDocument>();
  const operations = listOperations(document).filter(
    (each) => each.method === method && !each.needsKey,
  );
  expect(operations.length).toBeGreaterThan(10);
  return { ...api, document, operations };
}

function expectUnharmed({ logLines }: Pick<Api, 'logLines'>): void {
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(logLines.filter(({ level }) => level === 'error')).toEqual([]);
}

const headers = { 'content-type': 'application/json' };

/** Path with one text in place of every parameter. */
const fill = ({ template }: Operation, text: string): string =>
  template.replaceAll(/\{\w+\}/g, encodeURIComponent(text));

async function post({ app }: Api, operation: Operation, payload: string): Promise<number> {
  const url = fill(operation, '11111111111111111111111111111111');
  return (await app.inject({ method: 'POST', url, headers, payload })).statusCode;
}

/** Nearly the largest body that is accepted. */
const DEEP: readonly string[] = [
  `${'['.repeat(32_000)}${']'.repeat(32_000)}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  `${'[{"a":'.repeat(8_000)}null${'}]'.repeat(8_000)}`,
];

/** Fields that no schema has are ignored, so a body without required fields can be valid. */
function expectedStatuses({ body }: Operation, document: OpenApiDocument): readonly number[] {
  const { required = [] } = resolveSchema(body ?? {}, document);
  return required.length > 0 ? [400] : [200, 400];
}

test('deep JSON, as the body and in every field of it, is an error of the caller', async () => {
  const api = await startTargets('POST');
  // builders of transactions and of instructions share their bodies
  const bySchema = new Map(api.operations.map((each) => [JSON.stringify(each.body), each]));
  expect(bySchema.size).toBeGreaterThan(5);
  for (const operation of bySchema.values()) {
    const schema = resolveSchema(operation.body ?? {}, api.document);
    const fields = Object.keys(schema.properties ?? {});
    expect(fields.length, operation.id).toBeGreaterThan(0);
    const statuses = expectedStatuses(operation, api.document);
    for (const deep of DEEP) {
      expect(statuses, operation.id).toContain(await post(api, operation, deep));
    }
    for (const field of fields) {
      const body = `{"${field}":${'['.repeat(12_000)}${']'.repeat(12_000)}}`;
      expect(await post(api, operation, body), `${operation.id} ${field}`).toBe(400);
    }
  }
  expectUnharmed(api);
});

test('many keys, many elements, long keys and long numbers are errors of the caller', async () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `"k${index}":1`).join();
  const bodies = [
    `{${many}}`,
    `[${'0,'.repeat(32_000)}0]`,
    `{"${'k'.repeat(65_000)}":1}`,
    `{"amount":${'9'.repeat(65_000)}}`,
    `{"amount":1e${'9'.repeat(60_000)}}`,
    `"${'\\u0000'.repeat(10_000)}"`,
  ];
  const api = await startTargets('POST');
  for (const operation of api.operations) {
    const statuses = expectedStatuses(operation, api.document);
    for (const body of bodies) {
      const status = await post(api, operation, body);
      expect(statuses, `${operation.id} ${body.slice(0, 9)}`).toContain(status);
    }
  }
  expectUnharmed(api);
});

const POLLUTING = [
  '{"__proto__":{"polluted":1}}',
  '{"\\u005f_proto__":{"polluted":1}}',
  '{"a":[{"b":{"__proto__":{"polluted":1}}}]}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"a":{"constructor":{"\\u0070rototype":{"polluted":1}}}}',
  '[{"__proto__":{"polluted":1}}]',
];

test('keys that change the prototype are a 400 at any depth', async () => {
  const api = await startTargets('POST');
  for (const operation of api.operations) {
    for (const body of POLLUTING) expect(await post(api, operation, body), body).toBe(400);
  }
  expectUnharmed(api);
});

const NAMES = ['__proto__', 'constructor'];

test('names of objects as parameters are values like any other', async () => {
  const api = await startTargets('GET');
  const statusOf = async (url: string) => (await api.app.inject(url)).statusCode;
  for (const operation of api.operations) {
    const hasEnv = operation.parameters.some((parameter) => parameter.name === 'env');
    for (const name of NAMES) {
      const url = fill(operation, name);
      const usual = await statusOf(url);
      const expected = operation.template.includes('{') ? [400] : [200, 400];
      expect(expected, `${operation.id} ${usual}`).toContain(usual);
      const query = `?${name}=1&${name}[polluted]=1&${name}.polluted=1`;
      expect(await statusOf(`${url}${query}`), `${operation.id} ${query}`).toBe(usual);
      if (hasEnv) expect(await statusOf(`${url}?env=${name}`), operation.id).toBe(400);
    }
  }
  expectUnharmed(api);
});

type RpcAnswer = { readonly error?: { readonly code: number } };

test('deep JSON and names of objects on the RPC port are errors of the caller', async () => {
  const { post: send, rpc, failures } = await startGoldenLocalnet();
  const codeOf = async (text: string) => {
    const response = await send(text);
    expect(response.status).toBe(200);
    const [first] = [(await response.json()) as RpcAnswer | RpcAnswer[]].flat();
    return first?.error?.code;
  };
  const call = (method: string, params: string) =>
    `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`;
  const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
  expect(await codeOf(deep)).toBe(-32600);
  for (const method of ['getAccountInfo', 'sendTransaction', 'getProgramAccounts', 'nope']) {
    expect(await codeOf(call(method, deep)), method).toBe(method === 'nope' ? -32601 : -32602);
  }
  for (const name of NAMES) expect(await codeOf(call(name, '[]')), name).toBe(-32601);
  for (const body of POLLUTING) expect(await codeOf(body)).toBe(-32600);
  expect(await codeOf(call('getAccountInfo', '[{"__proto__":{"polluted":1}}]'))).toBe(-32602);
  expect((await send(`"${'a'.repeat(1024 * 1024)}"`)).status).toBe(413);
  expect(await rpc('getHealth')).toMatchObject({ result: 'ok' });
  expect(failures).toEqual([]);
  expectUnharmed({ logLines: [] });
});
