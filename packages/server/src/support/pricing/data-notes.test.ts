import { type Address, addressFromBytes } from '@tidegate/core/base';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import {
  emptyMarket,
  exampleReserve,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { setOmittedHeader, setStalePricesHeader, setUnmodeledRulesHeader } from './data-notes.ts';

const address = (byte: number): Address => addressFromBytes(new Uint8Array(32).fill(byte));
const [A, B] = [address(1), address(2)];

type SetHeader = (reply: Parameters<typeof setOmittedHeader>[0]) => void;

async function headersOf(set: SetHeader): Promise<Readonly<Record<string, unknown>>> {
  const app = fastify();
  onTestFinished(() => app.close());
  app.get('/', async (_request, reply) => {
    set(reply);
    return '';
  });
  return (await app.inject('/')).headers;
}

test('x-omitted quotes reasons, and lists each address once', async () => {
  const headers = await headersOf((reply) =>
    setOmittedHeader(reply, [
      { address: A, reason: 'It says "no" \\ naïve\r\nx: y' },
      { address: B, reason: 'x'.repeat(300) },
      { address: B, reason: 'Again.' },
    ]),
  );
  expect(headers['x-omitted']).toBe(
    `${A};reason="It says \\"no\\" \\\\ na?ve??x: y", ${B};reason="Again."`,
  );
});

test('x-unmodeled-rules lists active rules of markets and reserves, and is absent without any', async () => {
  const permissioned = { ...emptyMarket(), permissioningAuthority: B, permissionedOps: 3n };
  const market = { address: A, fields: permissioned };
  const base = exampleReserve();
  const config = { ...base.config, permissionedOps: 4n };
  const reserves = [
    { address: B, fields: { ...base, config } },
    { address: A, fields: base },
  ];
  const headers = await headersOf((reply) =>
    setUnmodeledRulesHeader(reply, { markets: [market], reserves }),
  );
  expect(headers['x-unmodeled-rules']).toBe(
    `${A};rule="permissioned operations";field="permissionedOps";value="3", ` +
      `${A};rule="permissioned operations";field="permissioningAuthority";value="${B}", ` +
      `${B};rule="permissioned operations";field="config.permissionedOps";value="4"`,
  );
  const plain = { markets: [{ address: A, fields: emptyMarket() }] };
  const none = await headersOf((reply) => setUnmodeledRulesHeader(reply, plain));
  expect(none).not.toHaveProperty('x-unmodeled-rules');
});

test('reasons are at most 200 characters', async () => {
  const omitted = [{ address: B, reason: 'x'.repeat(300) }];
  const headers = await headersOf((reply) => setOmittedHeader(reply, omitted));
  expect(headers['x-omitted']).toBe(`${B};reason="${'x'.repeat(200)}"`);
});

test('after 20 items a header counts the others', async () => {
  const omissions = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ address: address(i + 1), reason: 'No.' }));
  const itemsOf = async (set: SetHeader) => String((await headersOf(set))['x-omitted']).split(', ');
  const twenty = await itemsOf((reply) => setOmittedHeader(reply, omissions(20)));
  expect([twenty.length, twenty[19]]).toEqual([20, `${address(20)};reason="No."`]);
  const more = await itemsOf((reply) => setOmittedHeader(reply, omissions(23)));
  expect([more.length, more[20]]).toEqual([21, 'more;count=3']);
  const counted = await itemsOf((reply) => setOmittedHeader(reply, omissions(2), 12));
  expect(counted.slice(2)).toEqual(['more;count=10']);
});

test('x-stale-prices lists the oldest price of each token that exceeds its limit', async () => {
  const age = (mint: Address, ageSeconds: bigint, maxAgeSeconds: bigint) => ({
    mint,
    ageSeconds,
    maxAgeSeconds,
  });
  const headers = await headersOf((reply) =>
    setStalePricesHeader(reply, [
      age(B, 61n, 60n),
      age(A, 60n, 60n),
      age(B, 400n, 300n),
      age(B, 299n, 300n),
    ]),
  );
  expect(headers['x-stale-prices']).toBe(`${B};age=400`);
});

test('nothing to say sets no header', async () => {
  const headers = await headersOf((reply) => {
    setOmittedHeader(reply, []);
    setStalePricesHeader(reply, []);
  });
  expect(headers).not.toHaveProperty('x-omitted');
  expect(headers).not.toHaveProperty('x-stale-prices');
});
