import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, onTestFinished, test } from 'vitest';
import type { TransactionStatus } from '#core/base/solana/transaction-status.ts';
import { toSlot } from '#core/base/time.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { CodedError } from '#server/errors.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { goldenFlow } from '../../support/golden/golden.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { flashLoanTransaction } from '../../support/grpc/mainnet-stream-transactions.ts';
import { type JsonResponse, startApi } from '../../support/http/test-api.ts';
import {
  alice,
  bob,
  startTransactingLocalnet,
  transferInstruction,
} from '../../support/localnet/transacting-localnet.ts';
import { mainnetTransaction } from '../../support/mainnet/mainnet-fixtures.ts';

/** 64 bytes. */
const SIGNATURE =
  'eFyf8gi9fnZZDUb2LPpGLrufYB4HCk3UWcmNz3tMRAMGG4qscAkoSArwCx7WRQehrodP97KsqhnA4h1dANth5HB';
const PAYER = 'CDtBwHEpD1xBsMaQ7xeiPudPovkPb281ZRJ6j8WUAiPm';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const REPAY_SLOT = 361_774_429n;

type Endpoint = {
  readonly status?: Partial<TransactionStatus> | CodedError;
  readonly response?: unknown;
};

/** A cluster whose endpoint answers like this. */
function clusterOf({ status = {}, response }: Endpoint): Partial<Cluster> {
  return {
    async transactionStatus() {
      if (status instanceof CodedError) throw status;
      const absent = { found: undefined, isExpired: false };
      return { slot: toSlot(400_000_000n), blockHeight: 1_000n, ...absent, ...status };
    },
    findTransaction: async () => response,
  };
}

const foundAt = (
  slot: bigint,
  found: Partial<TransactionStatus['found']> = {},
): Partial<TransactionStatus> => ({
  found: { slot: toSlot(slot), confirmation: 'finalized', error: null, ...found },
});

async function request(endpoint: Endpoint, query = ''): Promise<JsonResponse> {
  const { get } = await startApi({ clusters: goldenClusters(clusterOf(endpoint)) });
  const response = await get(`/transactions/${SIGNATURE}${query}`);
  if (response.status === 200) {
    const document = (await get('/openapi.json')).body as object;
    const ajv = new Ajv2020({ strict: false, allowUnionTypes: true });
    addFormats.default(ajv);
    ajv.addSchema(document, 'served');
    const isOutcome = ajv.compile({ $ref: 'served#/components/schemas/TransactionOutcome' });
    expect(isOutcome(response.body), JSON.stringify(isOutcome.errors)).toBe(true);
  }
  return response;
}

const LANDED = { status: foundAt(REPAY_SLOT), response: mainnetTransaction('repay') };

test('a finalized transaction with a lookup table has its outcome, and may be cached', async () => {
  const { body, headers } = await request(LANDED);
  expect(headers.get('cache-control')).toBe('public, max-age=3600');
  expect(body).toEqual({
    signature: SIGNATURE,
    status: 'landed',
    meaning: 'It was executed.',
    confirmation: 'finalized',
    isFinal: true,
    slot: '361774429',
    blockTime: '2025-08-22T14:29:46.000Z',
    blockHeight: '1000',
    lastValidBlockHeight: null,
    feePayer: PAYER,
    feeLamports: '52338',
    computeUnits: '96763',
    failure: null,
    tokenChanges: [
      {
        owner: PAYER,
        accounts: ['22mpnB2BosW7SbNjrq7pqKTXQMa3C3xSPuNS9ufeCsdE'],
        mint: USDC,
        symbol: 'USDC',
        decimals: 6,
        before: '5027079',
        after: '0',
        change: '-5027079',
        uiBefore: '5.027079',
        uiAfter: '0',
        uiChange: '-5.027079',
      },
      expect.objectContaining({ change: '5027079', uiAfter: '30887178.597254' }),
    ],
    solChanges: [
      {
        account: PAYER,
        tokenOwner: null,
        beforeLamports: '337067818',
        afterLamports: '337015480',
        changeLamports: '-52338',
      },
    ],
    missing: null,
  });
});

test('a block that is not finalized can be rolled back, and is not cached', async () => {
  const status = foundAt(REPAY_SLOT, { confirmation: 'confirmed' });
  const { body, headers } = await request({ ...LANDED, status });
  expect(body).toMatchObject({
    ...{ status: 'landed', confirmation: 'confirmed', isFinal: false },
    meaning: 'It was executed. Its block is not finalized yet and can still be rolled back.',
  });
  expect(headers.get('cache-control')).toBe('no-store');
});

test('a transaction that moved to another block in between is not final', async () => {
  const { body } = await request({ ...LANDED, status: foundAt(REPAY_SLOT - 1n) });
  expect(body).toMatchObject({ slot: '361774429', confirmation: 'confirmed', isFinal: false });
});

test('a failed transaction of mainnet took its fee and says why it failed', async () => {
  const { json, slot } = flashLoanTransaction();
  const error = (json as { meta: { err: unknown } }).meta.err;
  const { body } = await request({ status: foundAt(slot, { error }), response: json });
  expect(body).toMatchObject({
    status: 'failed',
    isFinal: true,
    meaning: 'It was executed and failed: nothing was changed but the fee was taken.',
    failure: { action: expect.stringMatching(/\.$/), instructionIndex: expect.any(Number) },
    tokenChanges: [],
  });
});

test('a refused borrow fails with the words of the builder', async () => {
  const flow = goldenFlow('90-refused-borrow-too-much.json');
  const response = flow.transactions[0]?.rpc;
  const { body } = await request({ status: foundAt(1n, { error: flow.err }), response });
  expect(body).toMatchObject({
    status: 'failed',
    failure: { program: 'klend', name: 'BorrowTooLarge', code: 6013 },
  });
  const { failure } = body as { failure: { action: string } };
  // without figures it does not say how much would be accepted
  expect(failure.action).toBe('Borrow less, or deposit more collateral or repay debt first.');
});

test('an endpoint without the details of a transaction says what is missing', async () => {
  const error = { InstructionError: [3, { Custom: 1 }] };
  const { body, headers } = await request({ status: foundAt(7n, { error }) });
  expect(body).toMatchObject({
    ...{ status: 'failed', slot: '7', isFinal: true, blockTime: null, feeLamports: null },
    ...{ tokenChanges: null, solChanges: null },
    failure: { program: null, code: 1, instructionIndex: 3 },
    missing: expect.stringMatching(/not available yet, or not kept any more/),
  });
  expect(headers.get('cache-control')).toBe('no-store');
});

test('a block without a time, and balances that were not recorded, are named', async () => {
  const response = mainnetTransaction('repay') as { meta: object };
  const meta = { ...response.meta, preTokenBalances: null, preBalances: null };
  const { body } = await request({ ...LANDED, response: { ...response, blockTime: null, meta } });
  expect(body).toMatchObject({
    ...{ status: 'landed', blockTime: null, tokenChanges: null, solChanges: null },
    missing:
      'The endpoint does not return the time of the block, the token balances, the balances of SOL.',
  });
});

test('a transaction in a block that is not confirmed is pending', async () => {
  const status = foundAt(REPAY_SLOT, { confirmation: 'processed', error: 'AccountInUse' });
  const { body, headers } = await request({ ...LANDED, status });
  expect(body).toMatchObject({
    ...{ status: 'pending', confirmation: 'processed', isFinal: false, failure: null },
    meaning: 'It is in a block that the cluster has not confirmed yet.',
  });
  expect(headers.get('cache-control')).toBe('no-store');
});

test('an absent transaction is pending, expired or unknown, and unknown without its last height', async () => {
  const statusOf = async (endpoint: Endpoint, query: string) => {
    const { body } = await request(endpoint, query);
    const { status, isFinal, meaning } = body as Record<string, unknown>;
    return [status, isFinal, meaning];
  };
  expect(await statusOf({}, '?lastValidBlockHeight=1000')).toEqual([
    'pending',
    false,
    'It is in no block yet. It can land up to block height 1000; the cluster is at 1000.',
  ]);
  const late = '?lastValidBlockHeight=999';
  expect(await statusOf({ status: { isExpired: true } }, late)).toEqual([
    'expired',
    true,
    expect.stringContaining('nothing was taken. Build the transaction again.'),
  ]);
  // the endpoint has forgotten the blocks
  expect(await statusOf({}, late)).toEqual([
    'unknown',
    false,
    expect.stringContaining('does not have all blocks up to height 999'),
  ]);
  expect(await statusOf({}, '')).toEqual(['unknown', false, expect.any(String)]);
});

test('a transaction that another endpoint has is landed, not expired', async () => {
  const { response } = LANDED;
  const late = '?lastValidBlockHeight=999';
  const { body } = await request({ status: { isExpired: true }, response }, late);
  expect(body).toMatchObject({ status: 'landed', confirmation: 'confirmed', isFinal: false });
});

test('a failed read is an error', async () => {
  const lags = { source: 'a node', slot: 1n, minSlot: 2n };
  expect((await request({ status: new CodedError('SOURCE_LAGS', lags) })).status).toBe(503);
  const refuses = { source: 'a node', reason: 'Method not found' };
  const { status, body } = await request({ status: new CodedError('SOURCE_REFUSES', refuses) });
  expect(status).toBe(503);
  expect(body).toMatchObject({
    code: 'TRANSACTIONS_UNAVAILABLE',
    error: expect.stringContaining('needs one that serves getSignatureStatuses'),
  });
});

test('what is not a signature or a height is refused', async () => {
  const { get } = await startApi({ clusters: goldenClusters(clusterOf({})) });
  // 65 bytes, too short, not base58
  for (const text of [`z${'z'.repeat(87)}`, '1'.repeat(63), '0'.repeat(88)]) {
    expect((await get(`/transactions/${text}`)).status, text).toBe(400);
  }
  for (const height of ['-1', '1.5', 'x', '']) {
    const path = `/transactions/${SIGNATURE}?lastValidBlockHeight=${height}`;
    expect((await get(path)).status, height).toBe(400);
  }
});

test('a transfer on a cluster: pending until it is confirmed, then landed; another expires', async () => {
  const net = await startTransactingLocalnet();
  const source = createClusterSource({
    rpcUrls: [new URL(net.rpcUrl)],
    wsUrls: [],
    commitment: 'confirmed',
    log: silentLog,
    clock: () => Date.now(),
    random: () => 0,
    timing: { timeoutMs: 60_000 },
  });
  onTestFinished(() => source.close());
  const { ledger } = source;
  const { get } = await startApi({
    clusters: goldenClusters({
      transactionStatus: (query) => ledger.getTransactionStatus(query),
      findTransaction: async (signature) => (await ledger.getTransactions([signature]))[0],
    }),
  });
  const { value } = (await net.result('getLatestBlockhash')) as {
    value: { lastValidBlockHeight: number };
  };
  const query = `?lastValidBlockHeight=${value.lastValidBlockHeight}`;
  const outcome = async (signature: string) =>
    (await get(`/transactions/${signature}${query}`)).body as Record<string, unknown>;

  expect(await outcome(SIGNATURE)).toMatchObject({ status: 'pending', confirmation: null });
  const sent = await net.sendAndConfirm({
    instructions: [transferInstruction(bob.address, 1_000_000n)],
  });
  expect(await outcome(sent)).toMatchObject({ status: 'pending', confirmation: 'processed' });
  net.advanceSlots(2);
  expect(await outcome(sent)).toMatchObject({
    status: 'landed',
    confirmation: 'confirmed',
    isFinal: false,
    feeLamports: '5000',
    solChanges: [
      { account: alice.address, changeLamports: '-1005000' },
      { account: bob.address, beforeLamports: '0', afterLamports: '1000000' },
    ],
  });
  // a source that is further ahead than this is not believed
  for (let steps = 0; steps < 4; steps += 1) {
    net.advanceSlots(50);
    await outcome(sent);
  }
  expect(await outcome(sent)).toMatchObject({ status: 'landed', isFinal: true });
  expect(await outcome(SIGNATURE)).toMatchObject({ status: 'expired', isFinal: true });
  expect((await get(`/transactions/${SIGNATURE}`)).body).toMatchObject({ status: 'unknown' });
});
