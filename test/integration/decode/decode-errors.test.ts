import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { CodedError } from '#core/base/errors.ts';
import type { Instruction } from '#core/base/solana/instruction.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { goldenCluster, goldenFlow } from '../../support/golden/golden.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import {
  compileWire,
  postDecode,
  requestDecodedTransaction,
} from '../../support/http/decode-requests.ts';
import { startApi, statusAndBody } from '../../support/http/test-api.ts';
import { numberedAddress } from '../../support/protocol/codecs.ts';
import { seededRandom } from '../../support/random/json-mutations.ts';

const WALLET = toAddress('743cEQh8LGUhPKHiCYZxRrhaRyACzZDJbp3DB3LUgYs6');
const PROGRAM = toAddress('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
const TOKEN_ACCOUNT = toAddress('4MAKR9R5epDEghkoVHqopP3vDp6SKesMXotH3ZMmr5D4');
/** The table of the main market, followed where the registry names it, and read where it does not. */
const TABLE = toAddress('ArH8FrMZRnJFYSKmkzeCMTd2E3WT2GgSCVPRRckYjrS');

const [borrow] = goldenFlow('02-borrow-sol.json').transactions;
const wire = Buffer.from(borrow?.wire ?? '', 'base64');
const text = wire.toString('base64');
const FORM = 'Send a whole wire transaction, signed or not, as base64.';
const TABLES = 'Build it with lookup tables that are on this cluster, or without any.';

function withByte(at: number, byte: number): string {
  const changed = Buffer.from(wire);
  changed[at] = byte;
  return changed.toString('base64');
}

const refused = (message: string) => ({
  status: 400,
  body: { statusCode: 400, message, error: 'Bad Request' },
});

const unreadable = (reason: string, change = FORM) =>
  refused(`The transaction cannot be decoded: ${reason}. ${change}`);

/** A call of a program that nothing is known of, with these accounts. */
const call = (accounts: Instruction['accounts']): Instruction => ({
  programAddress: PROGRAM,
  accounts,
  data: Uint8Array.of(1),
});

const readsFrom = (...addresses: ReturnType<typeof toAddress>[]) =>
  call(addresses.map((address) => ({ address, role: 0 })));

const wrongBodies: readonly [what: string, body: unknown, message: string][] = [
  ['no field', {}, 'transaction is required'],
  ['a number', { transaction: 1 }, 'transaction must be a text'],
  ['nothing', { transaction: '' }, 'transaction must not be empty'],
  [
    'an endless text',
    { transaction: 'A'.repeat(16_385) },
    'transaction must have 16384 characters or fewer',
  ],
  ['a list', [text], 'the body must be an object'],
];

const wrongTexts: readonly [what: string, transaction: string, reason: string][] = [
  [
    'a letter that is not base64',
    `${text.slice(0, 99)}!${text.slice(100)}`,
    'it is not base64: letter 100 is not base64',
  ],
  [
    'base64 without its end',
    text.slice(0, -1),
    'it is not base64: its length is not a multiple of 4',
  ],
  [
    'the base64 of URLs',
    `${text.slice(0, 4)}_-_-${text.slice(8)}`,
    'it is not base64: letter 5 is not base64',
  ],
  [
    'base58',
    'So11111111111111111111111111111111111111112',
    'it is not base64: its length is not a multiple of 4',
  ],
  ['a byte less', wire.subarray(0, -1).toString('base64'), 'it is cut short'],
  ['half of it', wire.subarray(0, 400).toString('base64'), 'it is cut short'],
  [
    'a byte more',
    Buffer.concat([wire, Buffer.of(7)]).toString('base64'),
    '1 bytes follow the message',
  ],
  ['version 1', withByte(65, 0x81), 'version 1 is not known'],
  ['version 127', withByte(65, 0xff), 'version 127 is not known'],
  [
    'a signature too many',
    withByte(66, 2),
    'it has another number of signatures than its message asks for',
  ],
  [
    'only the message',
    wire.subarray(65).toString('base64'),
    'it is a message alone; its signatures, or 64 zero bytes for each, and their number go in front',
  ],
];

test('decodeTransaction refuses a body without the text of a transaction', async () => {
  const { url } = await startApi();
  for (const [what, body, message] of wrongBodies) {
    expect(statusAndBody(await postDecode(url, body)), what).toEqual(refused(message));
  }
});

test('decodeTransaction refuses what is not a transaction, and says what is wrong with it', async () => {
  const { url } = await startApi();
  for (const [what, transaction, reason] of wrongTexts) {
    const answer = await postDecode(url, { transaction });
    expect(statusAndBody(answer), what).toEqual(unreadable(reason));
  }
});

type Read = Parameters<Cluster['readAccounts']>;

/** A cluster that notes what is read of it. `isFollowed`: whether it has tables at hand. */
async function startReading(isFollowed: boolean) {
  const reads: Read[] = [];
  const still = goldenClusters().byName(undefined);
  const clusters = goldenClusters({
    reader: isFollowed ? still.reader : { ...still.reader, lookupTable: () => undefined },
    readAccounts(...asked) {
      reads.push(asked);
      return still.readAccounts(...asked);
    },
  });
  const { url } = await startApi({ clusters });
  return { url, reads, slot: still.reader.at().slot };
}

test('decodeTransaction reads the tables that are not followed, and no more of them than a table has', async () => {
  const { url, reads, slot } = await startReading(false);
  const [multiply] = goldenFlow('30-multiply-open.json').transactions;
  const answer = await requestDecodedTransaction(url, multiply?.wire ?? '');
  expect(answer.lookupTables.map(({ address }) => address)).toEqual([TABLE]);
  expect(reads[0]).toEqual([[TABLE], slot, 56 + 256 * 32 + 1]);
  expect(reads).toHaveLength(2);
});

test('decodeTransaction reads nothing where everything is known', async () => {
  const { url, reads } = await startReading(true);
  await requestDecodedTransaction(url, text);
  expect(reads).toEqual([]);
});

const [A, B] = [numberedAddress(1), numberedAddress(2)];

test('decodeTransaction refuses what is not there as a table', async () => {
  const { url } = await startReading(false);
  for (const [table, reason] of [
    [B, `the lookup table ${B} does not exist`],
    [TOKEN_ACCOUNT, `the account ${TOKEN_ACCOUNT} is not a lookup table`],
  ] as const) {
    const transaction = compileWire(WALLET, [readsFrom(A)], [{ address: table, addresses: [A] }]);
    const answer = await postDecode(url, { transaction });
    expect(statusAndBody(answer)).toEqual(unreadable(reason, TABLES));
  }
});

test('decodeTransaction refuses an index that a table does not have', async () => {
  const { url } = await startReading(false);
  const data = goldenCluster().accounts.get(TABLE)?.data.length ?? 0;
  const size = (data - 56) / 32;
  const addresses = [...Array.from({ length: size }, (_, i) => numberedAddress(i + 10)), A];
  const transaction = compileWire(WALLET, [readsFrom(A)], [{ address: TABLE, addresses }]);
  const reason = `index ${size} of the lookup table ${TABLE} is asked for, which has ${size} addresses`;
  expect(statusAndBody(await postDecode(url, { transaction }))).toEqual(unreadable(reason, TABLES));
});

test('decodeTransaction refuses more tables than it reads', async () => {
  const { url, reads } = await startReading(false);
  const some = Array.from({ length: 33 }, (_, i) => i);
  const transaction = compileWire(
    WALLET,
    [readsFrom(...some.map((i) => numberedAddress(i)))],
    some.map((i) => ({ address: numberedAddress(100 + i), addresses: [numberedAddress(i)] })),
  );
  const reason = 'it uses 33 lookup tables, and 32 are read at most';
  expect(statusAndBody(await postDecode(url, { transaction }))).toEqual(unreadable(reason, TABLES));
  expect(reads).toEqual([]);
});

test('decodeTransaction is not answered while no endpoint gives a table', async () => {
  const clusters = goldenClusters({
    async readAccounts() {
      throw new CodedError('SOURCE_UNAVAILABLE', { source: 'rpc x', reason: 'status 502' });
    },
  });
  const { url } = await startApi({ clusters });
  const transaction = compileWire(WALLET, [readsFrom(A)], [{ address: B, addresses: [A] }]);
  expect((await postDecode(url, { transaction })).status).toBe(503);
});

test('decodeTransaction asks the cluster that is named', async () => {
  const { url } = await startApi();
  expect((await postDecode(url, { transaction: text }, '?env=localnet')).status).toBe(200);
  expect(statusAndBody(await postDecode(url, { transaction: text }, '?env=devnet'))).toEqual(
    refused('The cluster devnet is not served. Use one of: localnet.'),
  );
});

test('decodeTransaction reads or refuses whatever bytes are changed', async () => {
  const { url } = await startApi();
  const random = seededRandom(5);
  const files = ['01-deposit-usdc-new-user', '30-multiply-open', '43-vault-withdraw-usdc-all'];
  const wires = files.map((file) => goldenFlow(`${file}.json`).transactions[0]?.wire ?? '');
  const statuses = new Map<number, number>();
  for (let round = 0; round < 300; round++) {
    const changed = Buffer.from(wires[round % wires.length] ?? '', 'base64');
    // behind the signature, where the meaning is
    for (let count = 0; count <= random(3); count++) {
      changed[65 + random(changed.length - 65)] = random(256);
    }
    const { status } = await postDecode(url, { transaction: changed.toString('base64') });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()].sort()).toEqual([200, 400]);
  expect(statuses.get(200)).toBeGreaterThan(100);
}, 60_000);
