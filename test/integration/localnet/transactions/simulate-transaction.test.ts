import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { decodeBase64, encodeBase64 } from '#core/base/encoding/base64.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { createAssociatedTokenIdempotent } from '#core/protocol/spl/instructions/associated-token.ts';
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
} from '#core/protocol/spl/instructions/compute-budget.ts';
import { syncNative } from '#core/protocol/spl/instructions/token-account.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '#core/protocol/spl/programs.ts';
import { golden } from '../../../support/golden/golden-accounts.ts';
import {
  alice,
  bob,
  memoInstruction,
  startTransactingLocalnet,
  transferInstruction,
} from '../../../support/localnet/transacting-localnet.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const base64 = { encoding: 'base64', commitment: 'processed' };
const wrapped = associatedTokenAddress(alice.address, WRAPPED_SOL_MINT, TOKEN_PROGRAM);

const create = createAssociatedTokenIdempotent.build(ASSOCIATED_TOKEN_PROGRAM, {
  accounts: {
    payer: alice.address,
    ata: wrapped,
    owner: alice.address,
    mint: WRAPPED_SOL_MINT,
    systemProgram: SYSTEM_PROGRAM,
    tokenProgram: TOKEN_PROGRAM,
  },
  args: {},
});
const sync = syncNative.build(TOKEN_PROGRAM, { accounts: { account: wrapped }, args: {} });

type Simulated = { context: unknown; value: Record<string, unknown> };

test('a simulation returns the outcome and changes nothing', async () => {
  const net = await startTransactingLocalnet();
  const wire = await net.signTransaction({
    instructions: [create, transferInstruction(wrapped, 500n), sync],
  });
  const accounts = { addresses: [wrapped, bob.address], encoding: 'jsonParsed' };
  const config = { ...base64, accounts, innerInstructions: true };
  const { context, value } = (await net.result('simulateTransaction', [wire, config])) as Simulated;
  expect(context).toEqual({ apiVersion: '3.0.10', slot: Number(golden.at.slot) });
  expect(value).toMatchObject({
    err: null,
    fee: 5000,
    returnData: null,
    replacementBlockhash: null,
    unitsConsumed: expect.any(Number),
    loadedAddresses: { writable: [], readonly: [] },
    preTokenBalances: [],
    postTokenBalances: [
      {
        accountIndex: 1,
        mint: WRAPPED_SOL_MINT,
        owner: alice.address,
        programId: TOKEN_PROGRAM,
        uiTokenAmount: {
          amount: '500',
          decimals: 9,
          uiAmount: 5e-7,
          uiAmountString: '0.0000005',
        },
      },
    ],
    accounts: [
      {
        lamports: 2_039_780,
        owner: TOKEN_PROGRAM,
        data: { parsed: { info: { tokenAmount: { amount: '500' }, isNative: true } } },
      },
      null,
    ],
  });
  // The mint's 82 bytes and the wallet, each with 64 more.
  expect(value['loadedAccountsDataSize']).toBe(82 + 64 + 64);
  const before = value['preBalances'] as number[];
  const after = value['postBalances'] as number[];
  expect([before[0], after[0]]).toEqual([10_000_000_000, 10_000_000_000 - 5000 - 2_039_780]);
  expect(value['innerInstructions']).toMatchObject([
    {
      index: 0,
      instructions: expect.arrayContaining([
        expect.objectContaining({ program: 'spl-token', stackHeight: 2 }),
        expect.objectContaining({
          program: 'spl-token',
          parsed: {
            type: 'initializeAccount3',
            info: { account: wrapped, mint: WRAPPED_SOL_MINT, owner: alice.address },
          },
        }),
      ]),
    },
  ]);
  net.advanceSlots(2);
  expect(net.localnet.transactions.ledger.size).toBe(0);
});

test('a failed simulation returns no accounts, and inner instructions only if requested', async () => {
  const net = await startTransactingLocalnet();
  const wire = await net.signTransaction({
    instructions: [create, transferInstruction(bob.address, 20_000_000_000n)],
  });
  const config = { ...base64, accounts: { addresses: [wrapped] } };
  const { value } = (await net.result('simulateTransaction', [wire, config])) as Simulated;
  expect(value).toMatchObject({
    err: { InstructionError: [1, { Custom: 1 }] },
    accounts: [null],
    innerInstructions: null,
  });
});

test('signature and blockhash checks are optional', async () => {
  const net = await startTransactingLocalnet();
  const bytes = decodeBase64(await net.signTransaction({ blockhash: numberedAddress(7) }));
  const wire = encodeBase64(bytes.with(1, (bytes[1] ?? 0) ^ 1));
  const simulate = async (config: object) =>
    net.rpc('simulateTransaction', [wire, { ...base64, ...config }]);
  expect((await simulate({})).result).toMatchObject({
    value: { err: 'BlockhashNotFound', logs: [], unitsConsumed: 0 },
  });
  const replaced = await simulate({ replaceRecentBlockhash: true });
  expect(replaced.result).toMatchObject({
    value: {
      err: null,
      replacementBlockhash: {
        blockhash: await net.latestBlockhash(),
        lastValidBlockHeight: Number(golden.at.slot) - 21_000_000 + 150,
      },
    },
  });
  expect((await simulate({ sigVerify: true })).error?.code).toBe(-32003);
  const both = await simulate({ sigVerify: true, replaceRecentBlockhash: true });
  expect(both.error?.message).toBe('sigVerify may not be used with replaceRecentBlockhash');
});

test('an executed transaction can be simulated again with another blockhash', async () => {
  const net = await startTransactingLocalnet();
  const wire = await net.signTransaction({});
  await net.result('sendTransaction', [wire, { ...base64, preflightCommitment: 'processed' }]);
  net.advanceSlots(1);
  const simulate = (config: object) =>
    net.result('simulateTransaction', [wire, { ...base64, ...config }]);
  expect(await simulate({})).toMatchObject({ value: { err: 'AlreadyProcessed' } });
  const replaced = await simulate({ replaceRecentBlockhash: true });
  expect(replaced).toMatchObject({ value: { err: null } });
});

test.each([
  [{ addresses: [], encoding: 'base58' }, 'base58 encoding not supported'],
  [{ addresses: [], encoding: 'binary' }, 'base58 encoding not supported'],
  [{ addresses: ['x'] }, 'Invalid param: WrongSize'],
  [{ addresses: Array(4).fill(SYSTEM_PROGRAM) }, 'Too many accounts provided; max 3'],
  [{}, 'Invalid params: missing field `addresses`.'],
])('accounts of %j: %s', async (accounts, message) => {
  const net = await startTransactingLocalnet();
  const wire = await net.signTransaction({});
  const { error } = await net.rpc('simulateTransaction', [wire, { ...base64, accounts }]);
  expect([error?.code, error?.message]).toEqual([-32602, message]);
});

test('the fee of a message depends on its signatures and its unit price', async () => {
  const net = await startTransactingLocalnet();
  const fee = async (params: Parameters<typeof net.signTransaction>[0]) => {
    const message = decodeBase64(await net.signTransaction(params)).subarray(65);
    const options = { commitment: 'processed' };
    return net.rpc('getFeeForMessage', [encodeBase64(message), options]);
  };
  expect((await fee({})).result).toMatchObject({ value: 5000 });
  const limit = setComputeUnitLimit.build(COMPUTE_BUDGET_PROGRAM, {
    accounts: {},
    args: { units: 100_000 },
  });
  const price = setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, {
    accounts: {},
    args: { microLamports: 30_000n },
  });
  const params = { instructions: [limit, price, memoInstruction('x')] };
  expect((await fee(params)).result).toMatchObject({ value: 8000 });
  expect((await fee({ blockhash: numberedAddress(7) })).result).toMatchObject({ value: null });
  const table = { address: numberedAddress(9), addresses: [bob.address] };
  expect((await fee({ lookupTables: [table] })).error).toEqual({
    code: -32602,
    message:
      'invalid transaction message: Attempted to lookup addresses from a table that does not exist',
  });
  const { error } = await net.rpc('getFeeForMessage', ['AQ==']);
  expect(error?.message).toBe(
    'failed to deserialize solana_message::versions::VersionedMessage: it is truncated',
  );
});

test('each airdrop is a separate transaction of the faucet', async () => {
  const net = await startTransactingLocalnet();
  const simulateWith = () =>
    net.result('requestAirdrop', [bob.address, 3_000_000]) as Promise<string>;
  const signatures = [await simulateWith(), await simulateWith()];
  net.advanceSlots(1);
  signatures.push(await simulateWith());
  net.advanceSlots(1);
  expect(new Set(signatures).size).toBe(3);
  const statuses = await net.result('getSignatureStatuses', [signatures]);
  expect(statuses).toMatchObject({ value: signatures.map(() => ({ err: null })) });
  const balance = await net.result('getBalance', [bob.address, { commitment: 'processed' }]);
  expect(balance).toMatchObject({ value: 9_000_000 });
});

test.each([
  [[bob.address], '`params` should have at least 2 argument(s)'],
  [['x', 1], 'Invalid param: WrongSize'],
  [[bob.address, -1], 'Invalid params: invalid value: integer `-1`, expected u64.'],
  [[bob.address, 1, { recentBlockhash: 'x' }], 'Invalid param: WrongSize'],
])('requestAirdrop with %j: %s', async (params, message) => {
  const { rpc } = await startTransactingLocalnet();
  const { error } = await rpc('requestAirdrop', params);
  expect([error?.code, error?.message]).toEqual([-32602, message]);
});

test('an airdrop with an explicit blockhash uses it', async () => {
  const net = await startTransactingLocalnet();
  const recentBlockhash = await net.latestBlockhash();
  net.advanceSlots(3);
  const to = toAddress(bob.address);
  const signature = await net.result('requestAirdrop', [to, 1_000_000, { recentBlockhash }]);
  net.advanceSlots(1);
  const record = net.localnet.transactions.ledger.find(signature as string);
  expect(record?.message.recentBlockhash).toBe(recentBlockhash);
});
