import { expect, test } from 'vitest';
import {
  readChainData,
  readLookupTables,
  type VerifiableRequest,
  verifyTransaction,
} from '#client/verify/index.ts';
import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSigner, signTransaction } from '#localnet/runtime/signer.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import { namedAddress } from '../../support/protocol/published-calls.ts';

const SEED = 'tidegate';

const paths: Readonly<Record<string, string>> = {
  'lend-deposit': 'klend/deposit',
  'lend-borrow': 'klend/borrow',
  'lend-repay': 'klend/repay',
  'lend-withdraw': 'klend/withdraw',
  'vault-deposit': 'kvault/deposit',
  'vault-withdraw': 'kvault/withdraw',
  'farm-claim': 'farms/claim',
};

/** Everything that the verifier knows comes from the node; only the transaction comes from the server. */
test('what a server builds is accepted with what the node of the cluster says, signed or not', async () => {
  const { api, metadata, rpcUrl } = await startGenesisApi(SEED);
  const post = jsonPoster(api);
  const { wallet, market, vault, deposit, borrow, repay, withdraw } = metadata.demo;
  const requests: readonly VerifiableRequest[] = [
    { operation: 'lend-deposit', wallet, market, ...deposit },
    { operation: 'lend-deposit', wallet, market, reserve: borrow.reserve, amount: '12.5' },
    { operation: 'lend-borrow', wallet, market, ...borrow },
    { operation: 'lend-repay', wallet, market, ...repay },
    { operation: 'lend-repay', wallet, market, reserve: borrow.reserve, amount: 'U64::MAX' },
    { operation: 'lend-withdraw', wallet, market, ...withdraw, maxLtv: '0.9' },
    {
      operation: 'lend-withdraw',
      wallet,
      market,
      reserve: deposit.reserve,
      amount: 'U64::MAX',
      maxLtv: 2,
    },
    { operation: 'vault-deposit', wallet, kvault: vault, amount: '10' },
    { operation: 'vault-withdraw', wallet, kvault: vault, amount: '1.5' },
    { operation: 'vault-withdraw', wallet, kvault: vault, amount: '25' },
    { operation: 'vault-withdraw', wallet, kvault: vault, amount: 'U64::MAX', mayBePartial: true },
    { operation: 'farm-claim', wallet, kvault: vault },
    { operation: 'farm-claim', wallet, market },
  ];
  const signer = createSigner(deriveSecretKey(SEED, 'wallet/0'));
  for (const request of requests) {
    const { operation, mayBePartial, maxLtv, ...body } = {
      mayBePartial: undefined,
      maxLtv: undefined,
      ...request,
    };
    const built = await post(`/ktx/${paths[operation]}`, body);
    expect(built.status, JSON.stringify(built.body)).toBe(200);
    const { transaction } = built.body as { transaction: string };
    const lookupTables = await readLookupTables(rpcUrl, transaction);
    const chainData = await readChainData(rpcUrl, request);
    const wire = Uint8Array.from(Buffer.from(transaction, 'base64'));
    for (const each of [transaction, signTransaction(wire, [signer])]) {
      const result = await verifyTransaction({
        request,
        transaction: each,
        lookupTables,
        chainData,
      });
      expect({ operation, ...result }).toMatchObject({
        operation,
        verdict: 'accepted',
        reasons: [],
      });
    }
    expect(await verifyTransaction({ request, transaction, chainData })).toMatchObject({
      verdict: 'undecided',
      reasons: [{ code: 'MISSING_LOOKUP_TABLE' }],
    });
  }
});

test('each transaction of an exit, and a withdrawal of tokens, are accepted', async () => {
  const { api, metadata, rpcUrl } = await startGenesisApi(SEED);
  const post = jsonPoster(api);
  const { wallet, market, vault } = metadata.demo;
  const verify = async (request: VerifiableRequest, transaction: string) => {
    const lookupTables = await readLookupTables(rpcUrl, transaction);
    const chainData = await readChainData(rpcUrl, request);
    const result = await verifyTransaction({ request, transaction, lookupTables, chainData });
    const { operation } = request;
    expect({ operation, ...result }).toMatchObject({ operation, verdict: 'accepted', reasons: [] });
  };
  const exits: readonly (readonly [string, VerifiableRequest])[] = [
    ['klend/exit', { operation: 'lend-exit', wallet, market, maxAmount: '1000' }],
    ['kvault/exit', { operation: 'vault-exit', wallet, kvault: vault, mayBePartial: true }],
  ];
  for (const [path, request] of exits) {
    const body = path === 'klend/exit' ? { wallet, market } : { wallet, kvault: vault };
    const planned = await post(`/ktx/${path}`, body);
    expect(planned.status, JSON.stringify(planned.body)).toBe(200);
    const { transactions } = planned.body as { transactions: { transaction: string }[] };
    expect(transactions.length).toBeGreaterThan(0);
    for (const { transaction } of transactions) await verify(request, transaction);
  }
  const body = { wallet, kvault: vault, amount: '5', unit: 'tokens' } as const;
  const { body: built } = await post('/ktx/kvault/withdraw', body);
  const { transaction } = built as { transaction: string };
  await verify({ operation: 'vault-withdraw', ...body, maxShares: '6' }, transaction);
  const few: VerifiableRequest = { operation: 'vault-withdraw', ...body, maxShares: '0.000001' };
  const lookupTables = await readLookupTables(rpcUrl, transaction);
  const chainData = await readChainData(rpcUrl, few);
  expect(
    await verifyTransaction({ request: few, transaction, lookupTables, chainData }),
  ).toMatchObject({ verdict: 'rejected', reasons: [{ code: 'WRONG_AMOUNT' }] });
});

test('the first deposits of a new wallet are accepted', async () => {
  const { api, metadata, rpcUrl } = await startGenesisApi(SEED);
  const post = jsonPoster(api);
  const wallet = namedAddress('somebody new');
  const { market, vault, deposit, borrow } = metadata.demo;
  const budget = { computeUnitLimit: 400_000, computeUnitPrice: 1_000 };
  const requests: readonly VerifiableRequest[] = [
    {
      operation: 'lend-deposit',
      wallet,
      market,
      reserve: deposit.reserve,
      amount: '0.01',
      ...budget,
    },
    { operation: 'lend-deposit', wallet, market, reserve: borrow.reserve, amount: '12.5' },
    { operation: 'vault-deposit', wallet, kvault: vault, amount: '10', stake: true, ...budget },
  ];
  for (const request of requests) {
    const { operation, stake, ...body } = { stake: undefined, ...request };
    const { body: built } = await post(`/ktx/${paths[operation]}`, body);
    const { transaction } = built as { transaction: string };
    const lookupTables = await readLookupTables(rpcUrl, transaction);
    const chainData = await readChainData(rpcUrl, request);
    const result = await verifyTransaction({ request, transaction, lookupTables, chainData });
    expect({ operation, ...result }).toMatchObject({ operation, verdict: 'accepted', reasons: [] });
  }
});
