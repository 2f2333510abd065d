import { Duplex } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { addressToBytes, toAddress } from '#core/base/encoding/address.ts';
import type { AccountUpdate } from '#server/chain/source/chain-source.ts';
import { createGeyserSource } from '#server/chain/streams/geyser-source.ts';
import { catchError } from '../../support/errors/catch-error.ts';

const program = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const address = toAddress('KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd');
const soon = { timeout: 60_000, interval: 2 };

type Request = {
  readonly accounts: Readonly<Record<string, unknown>>;
  readonly commitment: number;
  readonly ping?: unknown;
};

/** Imitates the published client: a class with `connect` and `subscribe`, which returns a duplex object stream. */
async function setUp(pingMs = 1_000) {
  const requests: Request[] = [];
  const constructed: unknown[] = [];
  const duplex = new Duplex({
    objectMode: true,
    read: () => undefined,
    write(request: Request, _encoding, done) {
      requests.push(request);
      done();
    },
  });
  class Client {
    constructor(...args: unknown[]) {
      constructed.push(args);
    }
    connect = () => Promise.resolve();
    subscribe = () => Promise.resolve(duplex);
  }
  const source = createGeyserSource({
    url: new URL('https://geyser.example.org:10000'),
    token: 'secret-token',
    commitment: 'confirmed',
    pingMs,
    load: () => Promise.resolve({ default: Client }),
  });
  const slots: bigint[] = [];
  const closed: string[] = [];
  const stream = await source.open({
    onSlot: (slot) => slots.push(slot),
    onClosed: (reason) => closed.push(reason),
  });
  return { requests, constructed, duplex, slots, closed, stream };
}

const accountUpdate = (filters: readonly string[], lamports = '18446744073709551615') => ({
  filters,
  account: {
    slot: '77',
    isStartup: false,
    account: {
      pubkey: addressToBytes(address),
      lamports,
      owner: addressToBytes(program),
      data: Buffer.from([1, 2]),
      writeVersion: '3',
    },
  },
});

test('the client receives the URL, the token, and the filters of the protocol', async () => {
  const { constructed, requests, stream } = await setUp();
  const filters = [
    { kind: 'size', size: 3344 },
    { kind: 'bytes', offset: 32, bytes: Uint8Array.of(5) },
  ] as const;
  await stream.subscribe({ kind: 'program', scan: { program, filters } }, () => undefined);
  await stream.subscribe({ kind: 'accounts', addresses: [address] }, () => undefined);
  stream.close();
  expect(constructed).toEqual([['https://geyser.example.org:10000/', 'secret-token', undefined]]);
  expect(requests.at(-1)).toMatchObject({
    commitment: 1,
    slots: { slots: { filterByCommitment: true } },
    accounts: {
      f1: {
        account: [],
        owner: [program],
        filters: [{ datasize: '3344' }, { memcmp: { offset: '32', bytes: Uint8Array.of(5) } }],
      },
      f2: { account: [address], owner: [], filters: [] },
    },
  });
});

test('updates reach the subscribers of the matching filter, with exact lamports and copied data', async () => {
  const { duplex, stream } = await setUp();
  const [first, second]: [AccountUpdate[], AccountUpdate[]] = [[], []];
  await stream.subscribe({ kind: 'accounts', addresses: [address] }, (update) =>
    first.push(update),
  );
  await stream.subscribe({ kind: 'accounts', addresses: [address] }, (update) =>
    second.push(update),
  );
  duplex.push(accountUpdate(['f2']));
  duplex.push(accountUpdate(['f2'], '0'));
  await vi.waitFor(() => expect(second.length).toBe(2), soon);
  stream.close();
  const data = Uint8Array.of(1, 2);
  const account = { owner: program, lamports: 18446744073709551615n, data };
  expect(second).toEqual([
    { address, account, slot: 77n },
    { address, account: undefined, slot: 77n },
  ]);
  expect(second[0]?.account?.data.buffer.byteLength).toBe(2);
  expect(first).toEqual([]);
});

test('a slot is announced when the next one arrives', async () => {
  const { duplex, slots, stream } = await setUp();
  for (const slot of ['5', '6', '6', '4', '9']) duplex.push({ filters: ['slots'], slot: { slot } });
  await vi.waitFor(() => expect(slots).toEqual([5n, 6n]), soon);
  stream.close();
});

test('an end, an error, a timeout and a malformed message each close the stream once with a reason', async () => {
  const ended = await setUp();
  ended.duplex.destroy();
  await vi.waitFor(() => expect(ended.closed).toEqual(['the connection was closed']), soon);
  const failed = await setUp();
  failed.duplex.destroy(new Error('UNAVAILABLE'));
  await vi.waitFor(() => expect(failed.closed).toEqual(['UNAVAILABLE']), soon);
  const silent = await setUp(10);
  await vi.waitFor(() => expect(silent.closed).toEqual(['no response to pings for 20 ms']), soon);
  expect(silent.requests.some(({ ping }) => ping !== undefined)).toBe(true);
  const malformed = await setUp();
  malformed.duplex.push({ filters: [], slot: { slot: 'x' } });
  await vi.waitFor(() => expect(malformed.closed[0]).toMatch(/slot is malformed/), soon);
});

test('without the client package the error names the package to install', async () => {
  const source = createGeyserSource({
    url: new URL('https://geyser.example.org'),
    commitment: 'confirmed',
  });
  const failure = await catchError(
    source.open({ onSlot: () => undefined, onClosed: () => undefined }),
  );
  expect(failure?.code).toBe('SOURCE_REFUSES');
  expect(failure?.message).toMatch(/install @triton-one\/yellowstone-grpc/);
});

test('the token is redacted in errors of the client', async () => {
  class Client {
    connect = () => Promise.reject(new Error('bad token secret-token'));
    subscribe = () => Promise.resolve();
  }
  const source = createGeyserSource({
    url: new URL('https://geyser.example.org'),
    token: 'secret-token',
    commitment: 'confirmed',
    load: () => Promise.resolve({ default: { default: Client } }),
  });
  const failure = await catchError(
    source.open({ onSlot: () => undefined, onClosed: () => undefined }),
  );
  expect(failure).toMatchObject({
    code: 'SOURCE_UNAVAILABLE',
    context: { reason: 'bad token ***' },
  });
});
