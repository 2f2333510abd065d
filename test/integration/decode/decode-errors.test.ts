import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { CodedError } from '#server/errors.ts';
import { goldenCluster, goldenFlow } from '../../support/golden/golden.ts';
import {
  goldenMarket,
  goldenTokenAddress,
  goldenUser,
} from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import {
  compileWire,
  postDecode,
  requestDecodedTransaction,
} from '../../support/http/decode-requests.ts';
import { goldenApi, startApi, statusAndBody } from '../../support/http/test-api.ts';
import { numberedAddress } from '../../support/protocol/codecs.ts';
import { seededRandom } from '../../support/random/json-mutations.ts';

const WALLET = goldenUser('erin').address;
const PROGRAM = toAddress('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
const TOKEN_ACCOUNT = goldenTokenAddress('erin', 'USDC');
/** The table of the main market. It is read unless the registry lists it. */
const TABLE = goldenMarket('Main Market').lookupTable;

const [borrow] = goldenFlow('02-borrow-sol.json').transactions;
const wire = Buffer.from(borrow?.wire ?? '', 'base64');
const text = wire.toString('base64');
const FORM = 'Send a complete wire transaction, signed or unsigned, as base64.';
const TABLES = 'Use lookup tables of this cluster, or none.';

function withByte(index: number, byte: number): string {
  const changed = Buffer.from(wire);
  changed[index] = byte;
  return changed.toString('base64');
}

const badRequest = (message: string) => ({
  status: 400,
  body: { statusCode: 400, message, error: 'Bad Request' },
});

const undecodable = (reason: string, change = FORM) =>
  badRequest(`The transaction cannot be decoded: ${reason}. ${change}`);

/** A call of an unknown program with these accounts. */
const call = (accounts: Instruction['accounts']): Instruction => ({
  programAddress: PROGRAM,
  accounts,
  data: Uint8Array.of(1),
});

const readsFrom = (...addresses: ReturnType<typeof toAddress>[]) =>
  call(addresses.map((address) => ({ address, role: 0 })));

const invalidBodies: readonly [what: string, body: unknown, message: string][] = [
  ['no field', {}, 'transaction is required'],
  ['a number', { transaction: 1 }, 'transaction must be a string'],
  ['an empty string', { transaction: '' }, 'transaction must not be empty'],
  [
    'a string that is too long',
    { transaction: 'A'.repeat(16_385) },
    'transaction must have at most 16384 characters',
  ],
  ['a list', [text], 'the body must be an object'],
];

const invalidTransactions: readonly [what: string, transaction: string, reason: string][] = [
  [
    'a character that is not base64',
    `${text.slice(0, 99)}!${text.slice(100)}`,
    'it is not base64: character 100 is not base64',
  ],
  [
    'base64 without its last character',
    text.slice(0, -1),
    'it is not base64: its length is not a multiple of 4',
  ],
  [
    'base64url',
    `${text.slice(0, 4)}_-_-${text.slice(8)}`,
    'it is not base64: character 5 is not base64',
  ],
  [
    'base58',
    'So11111111111111111111111111111111111111112',
    'it is not base64: its length is not a multiple of 4',
  ],
  ['one byte less', wire.subarray(0, -1).toString('base64'), 'it is truncated'],
  ['half of it', wire.subarray(0, 400).toString('base64'), 'it is truncated'],
  [
    'one byte more',
    Buffer.concat([wire, Buffer.of(7)]).toString('base64'),
    '1 bytes follow the message',
  ],
  ['version 1', withByte(65, 0x81), 'version 1 is not supported'],
  ['version 127', withByte(65, 0xff), 'version 127 is not supported'],
  [
    'a missing signature',
    withByte(66, 2),
    'the number of signatures differs from that of its message',
  ],
  [
    'only the message',
    wire.subarray(65).toString('base64'),
    'it is a message without signatures; put the signature count and the signatures in front, 64 zero bytes for a missing one',
  ],
];

test('decodeTransaction rejects a body without a transaction string', async () => {
  const { url } = await goldenApi();
  for (const [what, body, message] of invalidBodies) {
    expect(statusAndBody(await postDecode(url, body)), what).toEqual(badRequest(message));
  }
});

test('decodeTransaction rejects an invalid transaction with the reason', async () => {
  const { url } = await goldenApi();
  for (const [what, transaction, reason] of invalidTransactions) {
    const response = await postDecode(url, { transaction });
    expect(statusAndBody(response), what).toEqual(undecodable(reason));
  }
});

type Read = Parameters<Cluster['readAccounts']>;

/** A cluster that records its reads. `hasTables`: whether the state has lookup tables. */
async function startReading(hasTables: boolean) {
  const reads: Read[] = [];
  const golden = goldenClusters().byName(undefined);
  const clusters = goldenClusters({
    reader: hasTables ? golden.reader : { ...golden.reader, lookupTable: () => undefined },
    readAccounts(...parameters) {
      reads.push(parameters);
      return golden.readAccounts(...parameters);
    },
  });
  const { url } = await startApi({ clusters });
  return { url, reads, slot: golden.reader.at().slot };
}

test('decodeTransaction reads tables that are not in the state, limited to the table size', async () => {
  const { url, reads, slot } = await startReading(false);
  const [multiply] = goldenFlow('30-multiply-open.json').transactions;
  const response = await requestDecodedTransaction(url, multiply?.wire ?? '');
  expect(response.lookupTables.map(({ address }) => address)).toEqual([TABLE]);
  expect(reads[0]).toEqual([[TABLE], slot, 56 + 256 * 32 + 1]);
  expect(reads).toHaveLength(2);
});

test('decodeTransaction reads nothing if the state has everything', async () => {
  const { url, reads } = await startReading(true);
  await requestDecodedTransaction(url, text);
  expect(reads).toEqual([]);
});

const [A, B] = [numberedAddress(1), numberedAddress(2)];

test('decodeTransaction rejects a missing table, or an account that is not a table', async () => {
  const { url } = await startReading(false);
  for (const [table, reason] of [
    [B, `the lookup table ${B} does not exist`],
    [TOKEN_ACCOUNT, `the account ${TOKEN_ACCOUNT} is not a lookup table`],
  ] as const) {
    const transaction = compileWire(WALLET, [readsFrom(A)], [{ address: table, addresses: [A] }]);
    const response = await postDecode(url, { transaction });
    expect(statusAndBody(response)).toEqual(undecodable(reason, TABLES));
  }
});

test('decodeTransaction rejects an index beyond the end of a table', async () => {
  const { url } = await startReading(false);
  const data = goldenCluster().accounts.get(TABLE)?.data.length ?? 0;
  const size = (data - 56) / 32;
  const addresses = [...Array.from({ length: size }, (_, i) => numberedAddress(i + 10)), A];
  const transaction = compileWire(WALLET, [readsFrom(A)], [{ address: TABLE, addresses }]);
  const reason = `it uses index ${size} of the lookup table ${TABLE}, which has ${size} addresses`;
  expect(statusAndBody(await postDecode(url, { transaction }))).toEqual(
    undecodable(reason, TABLES),
  );
});

test('decodeTransaction rejects more tables than it reads', async () => {
  const { url, reads } = await startReading(false);
  const indexes = Array.from({ length: 33 }, (_, i) => i);
  const transaction = compileWire(
    WALLET,
    [readsFrom(...indexes.map((i) => numberedAddress(i)))],
    indexes.map((i) => ({ address: numberedAddress(100 + i), addresses: [numberedAddress(i)] })),
  );
  const reason = 'it uses 33 lookup tables; the maximum is 32';
  expect(statusAndBody(await postDecode(url, { transaction }))).toEqual(
    undecodable(reason, TABLES),
  );
  expect(reads).toEqual([]);
});

test('decodeTransaction returns 503 while no endpoint returns a table', async () => {
  const clusters = goldenClusters({
    async readAccounts() {
      throw new CodedError('SOURCE_UNAVAILABLE', { source: 'rpc x', reason: 'status 502' });
    },
  });
  const { url } = await startApi({ clusters });
  const transaction = compileWire(WALLET, [readsFrom(A)], [{ address: B, addresses: [A] }]);
  expect((await postDecode(url, { transaction })).status).toBe(503);
});

test('decodeTransaction uses the requested cluster', async () => {
  const { url } = await goldenApi();
  expect((await postDecode(url, { transaction: text }, '?env=localnet')).status).toBe(200);
  expect(statusAndBody(await postDecode(url, { transaction: text }, '?env=devnet'))).toEqual(
    badRequest('The cluster devnet is not served. Use one of: localnet.'),
  );
});

test('decodeTransaction decodes or rejects randomly changed bytes', async () => {
  const { url } = await goldenApi();
  const random = seededRandom(5);
  const files = ['01-deposit-usdc-new-user', '30-multiply-open', '43-vault-withdraw-usdc-all'];
  const wires = files.map((file) => goldenFlow(`${file}.json`).transactions[0]?.wire ?? '');
  const statuses = new Map<number, number>();
  for (let round = 0; round < 300; round++) {
    const changed = Buffer.from(wires[round % wires.length] ?? '', 'base64');
    // After the signature.
    for (let count = 0; count <= random(3); count++) {
      changed[65 + random(changed.length - 65)] = random(256);
    }
    const { status } = await postDecode(url, { transaction: changed.toString('base64') });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()].sort()).toEqual([200, 400]);
  expect(statuses.get(200)).toBeGreaterThan(100);
});
