import { expect, test } from 'vitest';
import { MEMO_PROGRAM } from '#core/protocol/spl/programs.ts';
import { parseTransaction } from '#core/protocol/spl/transaction/transaction.ts';
import { golden, UNKNOWN_ADDRESS } from '../../../support/golden/golden-accounts.ts';
import {
  alice,
  bob,
  memoInstruction,
  startTransactingLocalnet,
  transferInstruction,
} from '../../../support/localnet/transacting-localnet.ts';
import { referenceEncode } from '../../../support/reference/reference-base58.ts';

const SYSTEM = '11111111111111111111111111111111';
const first = Number(golden.at.slot) + 1;
const UNKNOWN = '1'.repeat(63).concat('2');
const newest = { maxSupportedTransactionVersion: 0, commitment: 'confirmed' };

type Shown = { transaction: unknown; meta: Record<string, unknown>; version?: unknown };

test('a transfer in json has its full outcome', async () => {
  const net = await startTransactingLocalnet();
  const signature = await net.sendAndConfirm({});
  net.advanceSlots(1);
  const blockhash = net.localnet.transactions.ledger.find(signature)?.message.recentBlockhash;
  expect(await net.result('getTransaction', [signature, newest])).toEqual({
    slot: first,
    blockTime: Number(golden.at.unix),
    version: 0,
    transaction: {
      signatures: [signature],
      message: {
        header: {
          numRequiredSignatures: 1,
          numReadonlySignedAccounts: 0,
          numReadonlyUnsignedAccounts: 1,
        },
        accountKeys: [alice.address, bob.address, SYSTEM],
        recentBlockhash: blockhash,
        instructions: [
          { programIdIndex: 2, accounts: [0, 1], data: '3Bxs4Bc3VYuGVB19', stackHeight: 1 },
        ],
        addressTableLookups: [],
      },
    },
    meta: {
      err: null,
      status: { Ok: null },
      fee: 5000,
      preBalances: [10_000_000_000, 0, 0],
      postBalances: [9_998_995_000, 1_000_000, 0],
      preTokenBalances: [],
      postTokenBalances: [],
      innerInstructions: [],
      rewards: [],
      loadedAddresses: { writable: [], readonly: [] },
      computeUnitsConsumed: 150,
      logMessages: [`Program ${SYSTEM} invoke [1]`, `Program ${SYSTEM} success`],
    },
  });
});

test('the same transaction in every encoding', async () => {
  const net = await startTransactingLocalnet();
  const wire = await net.signTransaction({
    instructions: [transferInstruction(bob.address, 1_000_000n), memoInstruction('gift 🎁')],
  });
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  const signature = await net.result('sendTransaction', [wire, options]);
  net.advanceSlots(2);
  const shown = async (encoding: string) =>
    (await net.result('getTransaction', [signature, { ...newest, encoding }])) as Shown;
  const base58 = referenceEncode(Uint8Array.from(Buffer.from(wire, 'base64')));
  expect((await shown('base64')).transaction).toEqual([wire, 'base64']);
  expect((await shown('base58')).transaction).toEqual([base58, 'base58']);
  expect((await shown('binary')).transaction).toBe(base58);
  const json = parseTransaction(await shown('json'));
  expect(json.calls.map(({ program }) => program)).toEqual([SYSTEM, MEMO_PROGRAM]);
  net.advanceSlots(31);
  expect(await net.rpc('getTransaction', [signature, 'base64'])).toMatchObject({
    error: { code: -32015 },
  });
  for (const encoding of ['base64', 'base58', 'binary']) {
    expect(parseTransaction(await shown(encoding))).toEqual(json);
  }
  const parsed = await shown('jsonParsed');
  expect(parsed.transaction).toMatchObject({
    signatures: [signature],
    message: {
      accountKeys: [
        { pubkey: alice.address, signer: true, writable: true, source: 'transaction' },
        { pubkey: bob.address, signer: false, writable: true, source: 'transaction' },
        { pubkey: SYSTEM, signer: false, writable: false, source: 'transaction' },
        { pubkey: MEMO_PROGRAM, signer: false, writable: false, source: 'transaction' },
      ],
      instructions: [
        {
          program: 'system',
          programId: SYSTEM,
          stackHeight: 1,
          parsed: {
            type: 'transfer',
            info: { source: alice.address, destination: bob.address, lamports: 1_000_000 },
          },
        },
        { program: 'spl-memo', programId: MEMO_PROGRAM, parsed: 'gift 🎁', stackHeight: 1 },
      ],
    },
  });
  expect(parsed.meta).not.toHaveProperty('loadedAddresses');
});

test('a transaction is returned once confirmed, by default once finalized', async () => {
  const net = await startTransactingLocalnet();
  const signature = await net.sendAndConfirm({});
  const received = async (commitment?: string) =>
    (await net.result('getTransaction', [
      signature,
      { maxSupportedTransactionVersion: 0, commitment },
    ])) !== null;
  expect([await received('confirmed'), await received()]).toEqual([false, false]);
  net.advanceSlots(1);
  expect([await received('confirmed'), await received()]).toEqual([true, false]);
  net.advanceSlots(30);
  expect(await received()).toBe(false);
  net.advanceSlots(1);
  expect(await received()).toBe(true);
  expect(await net.result('getTransaction', [UNKNOWN])).toBeNull();
});

test('an unsupported version fails, and legacy transactions have no version then', async () => {
  const net = await startTransactingLocalnet();
  const signature = await net.sendAndConfirm({});
  const airdrop = await net.result('requestAirdrop', [bob.address, 2_000_000]);
  net.advanceSlots(2);
  const { error } = await net.rpc('getTransaction', [signature, { commitment: 'confirmed' }]);
  expect(error).toEqual({
    code: -32015,
    message:
      'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
  });
  const block = await net.rpc('getBlock', [first, { commitment: 'confirmed' }]);
  expect(block.error?.code).toBe(-32015);
  const old = await net.result('getTransaction', [airdrop, { commitment: 'confirmed' }]);
  expect(old).not.toHaveProperty('version');
  expect(old).not.toHaveProperty('transaction.message.addressTableLookups');
  expect(await net.result('getTransaction', [airdrop, newest])).toHaveProperty('version', 'legacy');
});

test('signatures of an address come newest first, within bounds and limit', async () => {
  const net = await startTransactingLocalnet();
  const created: string[] = [];
  for (const text of ['a', 'b', 'c', 'd']) {
    created.unshift(
      await net.sendAndConfirm({
        instructions: [transferInstruction(bob.address, 1_000_000n), memoInstruction(text)],
      }),
    );
  }
  const listed = async (config: object, address: string = bob.address) => {
    const params = [address, { commitment: 'confirmed', ...config }];
    const found = await net.result('getSignaturesForAddress', params);
    return (found as { signature: string }[]).map(({ signature }) => created.indexOf(signature));
  };
  // The newest is not confirmed yet.
  expect(await listed({})).toEqual([1, 2, 3]);
  expect(await listed({ before: created[0] })).toEqual([]);
  net.advanceSlots(1);
  expect(await listed({})).toEqual([0, 1, 2, 3]);
  expect(await listed({ limit: 2 })).toEqual([0, 1]);
  expect(await listed({ before: created[0] })).toEqual([1, 2, 3]);
  expect(await listed({ before: created[0], until: created[3] })).toEqual([1, 2]);
  expect(await listed({ before: UNKNOWN })).toEqual([]);
  expect(await listed({ until: UNKNOWN })).toEqual([0, 1, 2, 3]);
  expect(await listed({}, UNKNOWN_ADDRESS)).toEqual([]);
  const params = [bob.address, { commitment: 'confirmed', limit: 1 }];
  expect(await net.result('getSignaturesForAddress', params)).toEqual([
    {
      signature: created[0],
      slot: first + 3,
      err: null,
      memo: '[1] d',
      blockTime: Number(golden.at.unix) + 1,
      confirmationStatus: 'confirmed',
    },
  ]);
});

test('a status goes from processed to confirmed to finalized, then moves to history', async () => {
  const net = await startTransactingLocalnet();
  const signature = await net.sendAndConfirm({});
  const status = async (config?: object) => {
    const params = [[signature, UNKNOWN], config];
    const { value } = (await net.result('getSignatureStatuses', params)) as { value: unknown[] };
    expect(value[1]).toBeNull();
    return value[0];
  };
  const good = { slot: first, status: { Ok: null }, err: null };
  const at = (confirmations: number | null, confirmationStatus: string) => ({
    ...good,
    confirmations,
    confirmationStatus,
  });
  expect(await status()).toEqual(at(0, 'processed'));
  net.advanceSlots(1);
  expect(await status()).toEqual(at(1, 'confirmed'));
  net.advanceSlots(30);
  expect(await status()).toEqual(at(31, 'confirmed'));
  net.advanceSlots(1);
  expect(await status()).toEqual(at(null, 'finalized'));
  await net.result('tidegate_warp', [{ slots: 300 }]);
  expect(await status()).toBeNull();
  expect(await status({ searchTransactionHistory: false })).toBeNull();
  expect(await status({ searchTransactionHistory: true })).toEqual(at(null, 'finalized'));
});

test('a failed transaction has paid its fee and has its error', async () => {
  const net = await startTransactingLocalnet();
  const wire = await net.signTransaction({
    instructions: [transferInstruction(bob.address, 20_000_000_000n)],
  });
  const signature = await net.result('sendTransaction', [
    wire,
    { encoding: 'base64', skipPreflight: true },
  ]);
  net.advanceSlots(2);
  const err = { InstructionError: [0, { Custom: 1 }] };
  const { meta } = (await net.result('getTransaction', [signature, newest])) as Shown;
  expect(meta).toMatchObject({ err, status: { Err: err }, fee: 5000 });
  expect(meta['postBalances']).toEqual([9_999_995_000, 0, 0]);
  const params = [bob.address, { commitment: 'confirmed' }];
  expect(await net.result('getSignaturesForAddress', params)).toMatchObject([{ err, memo: null }]);
  expect(await net.result('getSignatureStatuses', [[signature]])).toMatchObject({
    value: [{ err, status: { Err: err } }],
  });
});

const early = 'Method does not support commitment below `confirmed`';
const processed = { commitment: 'processed' };

test.each([
  ['getTransaction', ['x'], 'Invalid param: WrongSize'],
  ['getTransaction', ['0'], 'Invalid param: Invalid'],
  ['getTransaction', ['1'.repeat(89)], 'Invalid param: WrongSize'],
  ['getTransaction', [UNKNOWN, processed], early],
  [
    'getTransaction',
    [UNKNOWN, 'hex'],
    'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.',
  ],
  [
    'getTransaction',
    [UNKNOWN, { maxSupportedTransactionVersion: 256 }],
    'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.',
  ],
  [
    'getTransaction',
    [UNKNOWN, { commitment: 'max' }],
    'Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.',
  ],
  ['getSignaturesForAddress', ['x'], 'Invalid param: WrongSize'],
  ['getSignaturesForAddress', [UNKNOWN_ADDRESS, { limit: 0 }], 'Invalid limit; max 1000'],
  ['getSignaturesForAddress', [UNKNOWN_ADDRESS, { limit: 1001 }], 'Invalid limit; max 1000'],
  ['getSignaturesForAddress', [UNKNOWN_ADDRESS, { before: 'x' }], 'Invalid param: WrongSize'],
  ['getSignaturesForAddress', [UNKNOWN_ADDRESS, processed], early],
  ['getSignatureStatuses', [Array(257).fill(UNKNOWN)], 'Too many inputs provided; max 256'],
  ['getSignatureStatuses', [['x']], 'Invalid param: WrongSize'],
  ['getSignatureStatuses', [[], {}], 'Invalid params: missing field `searchTransactionHistory`.'],
])('%s with %j: %s', async (method, params, message) => {
  const { rpc } = await startTransactingLocalnet();
  const { error } = await rpc(method, params);
  expect([error?.code, error?.message]).toEqual([-32602, message]);
});

test('a minimum slot that is not reached fails with its error code', async () => {
  const { rpc } = await startTransactingLocalnet();
  const params = [UNKNOWN_ADDRESS, { minContextSlot: first + 5 }];
  expect((await rpc('getSignaturesForAddress', params)).error).toMatchObject({
    code: -32016,
    data: { contextSlot: first - 33 },
  });
});
