import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { toSlot } from '#core/base/time.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { CodedError } from '#server/errors.ts';
import { recordedSimulation, startFlowApi } from '../../support/flows/flow-api.ts';
import { type FlowRequest, flowRequests } from '../../support/flows/flow-requests.ts';
import { type BundleJson, readBundle } from '../../support/http/instruction-bundle.ts';
import type { PreviewJson } from '../../support/http/preview-json.ts';
import type { JsonResponse } from '../../support/http/test-api.ts';
import { decodedSimulation, SIMULATION_END } from '../../support/localnet/simulated-genesis.ts';

/** Each test starts servers. */

const flowOf = (number: number): FlowRequest => {
  const found = flowRequests().find((request) => request.number === number);
  if (found === undefined) throw new Error('no such flow');
  return found;
};

/** Repays a part of a SOL debt. */
const partialRepayment = flowOf(3);
const { path, body, wallet } = partialRepayment;

async function previewOf(
  changes: Partial<Cluster>,
  extra: object = {},
  request = partialRepayment,
) {
  const { post } = await startFlowApi(request, changes);
  const response = await post(`${path}?preview=true`, { ...body, ...extra });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return (response.body as { preview: PreviewJson }).preview;
}

test('both response formats have the same preview, and only on request', async () => {
  const { post } = await startFlowApi(partialRepayment, {
    simulateTransaction: recordedSimulation(partialRepayment),
  });
  const bodyOf = async (target: string) =>
    (await post(target, body)).body as Record<string, unknown>;
  const { preview, ...bundle } = await bodyOf(`${path}-instructions?preview=true`);
  const { preview: same, ...transaction } = await bodyOf(`${path}?preview=true`);
  expect(preview).toEqual(same);
  expect(bundle).toEqual(await bodyOf(`${path}-instructions`));
  expect(transaction).toEqual(await bodyOf(`${path}?preview=false`));
  expect(Object.keys(transaction)).toEqual(['transaction']);
});

test('simulates the built transaction, at its slot or later', async () => {
  const runs: Parameters<Cluster['simulateTransaction']>[] = [];
  const simulateTransaction: Cluster['simulateTransaction'] = async (...run) => {
    runs.push(run);
    return recordedSimulation(partialRepayment)(...run);
  };
  const { post } = await startFlowApi(partialRepayment, { simulateTransaction });
  const response = (await post(`${path}?preview=true`, body)).body as { transaction: string };
  const bundle = (await post(`${path}-instructions`, body)).body as BundleJson;
  const [wire, addresses = [], minSlot] = runs[0] ?? [];
  expect(Buffer.from(wire ?? []).toString('base64')).toBe(response.transaction);
  expect(minSlot).toBe(partialRepayment.at.slot);
  // A node rejects addresses that are not in the message.
  const { instructions } = readBundle(bundle);
  const written = instructions.flatMap(({ accounts }) =>
    accounts.filter(({ role }) => role % 2 === 1).map(({ address }) => address),
  );
  expect(addresses.length).toBeGreaterThan(3);
  expect(addresses.filter((address) => ![...written, wallet].includes(address))).toEqual([]);
  expect(addresses).toContain(wallet);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('simulates at the later slot of the blockhash and the accounts', async () => {
  const slots: unknown[] = [];
  const { slot } = partialRepayment.at;
  const simulateTransaction: Cluster['simulateTransaction'] = async (...run) => {
    slots.push(run[2]);
    return recordedSimulation(partialRepayment)(...run);
  };
  for (const ahead of [0n, 7n]) {
    const latestBlockhash = async () => ({
      slot: toSlot(slot + ahead),
      blockhash: wallet,
      lastValidBlockHeight: 5n,
    });
    await previewOf({ simulateTransaction, latestBlockhash });
  }
  expect(slots).toEqual([slot, slot + 7n]);
});

test('size, expiry and lookup tables match the message', async () => {
  const { post } = await startFlowApi(partialRepayment);
  const response = (await post(`${path}?preview=true`, body)).body as {
    transaction: string;
    preview: PreviewJson;
  };
  const { preview } = response;
  const wire = Uint8Array.from(Buffer.from(response.transaction, 'base64'));
  const { message } = decodeWireTransaction(wire);
  expect([preview.sizeBytes, preview.sizeLimit]).toEqual([wire.length, 1232]);
  expect(preview.expiry.blockhash).toBe(message.recentBlockhash);
  expect(preview.expiry.lastValidBlockHeight).toBe(String(partialRepayment.at.slot + 150n));
  expect(preview.lookupTables).toEqual(message.lookups.map(({ table }) => table));
});

test('the plan has a summary, steps, accounts and amounts', async () => {
  const { plan } = await previewOf({});
  expect(plan.summary).toBe('Repay 10 SOL to “Main Market”.');
  expect(plan.steps.map(({ name }) => name)).toEqual([
    'createIdempotent',
    'transfer',
    'syncNative',
    'refreshReserve',
    'refreshReserve',
    'refreshObligation',
    'repayObligationLiquidityV2',
    'closeAccount',
  ]);
  expect(plan.rentLamports).toBe('2039280');
  expect(plan.creates).toMatchObject([{ what: 'token account for wrapped SOL' }]);
  expect(plan.closes).toMatchObject([{ what: 'token account for wrapped SOL' }]);
  expect(plan.pays).toMatchObject([{ symbol: 'SOL', uiAmount: '10', certainty: 'exactly' }]);
  expect(plan.receives).toEqual([]);
});

test('the priority fee is the limit times the price, rounded up', async () => {
  const budget = { computeUnitLimit: 300_001, computeUnitPrice: '10000' };
  const { feeLamports, plan, solChangeLamports, solChangeWithoutFeeLamports } = await previewOf(
    {},
    budget,
  );
  expect(feeLamports).toBe(String(5000 + 3001));
  expect(BigInt(solChangeWithoutFeeLamports) - BigInt(solChangeLamports)).toBe(8001n);
  const names = plan.steps.map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(['setComputeUnitLimit', 'setComputeUnitPrice']);
  expect((await previewOf({}, { computeUnitPrice: 1 })).feeLamports).toBe('5002');
});

/** The preview error of a wallet with this balance. */
async function errorWith(
  lamports: bigint,
  { request = partialRepayment, owner = '11111111111111111111111111111111' } = {},
) {
  const account = { owner: toAddress(owner), lamports, data: new Uint8Array(0) };
  const accounts = new Map(request.accounts);
  if (lamports === 0n) accounts.delete(request.wallet);
  else accounts.set(request.wallet, account);
  const { post } = await startFlowApi({ ...request, accounts });
  const response = await post(`${request.path}?preview=true`, request.body);
  const { success, error } = (response.body as { preview: PreviewJson }).preview;
  expect(success).toBe(error === null);
  const { name, code, figures, action } = error ?? {};
  const { needed, available, missing } = figures ?? {};
  return error && { name, code, figures: figures && { needed, available, missing }, action };
}

test('a wallet that cannot pay the fee fails before any program runs', async () => {
  expect(await errorWith(0n)).toEqual({
    name: 'AccountNotFound',
    code: null,
    // The fee, 10 SOL to wrap, and the rent of the wrapped account
    figures: { needed: '10.00204428', available: '0', missing: '10.00204428' },
    action: `Add at least 10.00204428 SOL to the wallet ${wallet}.`,
  });
  expect(await errorWith(4999n)).toEqual({
    name: 'InsufficientFundsForFee',
    code: null,
    figures: { needed: '10.00204428', available: '0.000004999', missing: '10.002039281' },
    action: `Add at least 10.002039281 SOL to the wallet ${wallet}.`,
  });
  const program = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
  expect(await errorWith(10n ** 12n, { owner: program })).toEqual({
    name: 'InvalidAccountForFee',
    code: null,
    figures: null,
    action: 'Use a wallet that the system program owns; a program account pays no fees.',
  });
});

test('wrapped SOL is required in addition to the fee', async () => {
  // 10 SOL and the rent of the wrapped account, which is returned
  const needed = 10_000_000_000n + 2_039_280n + 5000n;
  expect(await errorWith(needed - 1n)).toEqual({
    name: 'ResultWithNegativeLamports',
    code: 1,
    figures: { needed: '10.00204428', available: '10.002044279', missing: '0.000000001' },
    action: `Add at least 0.000000001 SOL to the wallet ${wallet}.`,
  });
  expect(await errorWith(needed)).toBe(null);
});

test('a wallet may be left empty, but not below the rent exemption', async () => {
  const request = flowOf(1);
  const { post } = await startFlowApi(request);
  const response = await post(`${request.path}?preview=true`, request.body);
  const { plan } = (response.body as { preview: PreviewJson }).preview;
  const needed = BigInt(plan.rentLamports) + 5000n;
  expect(await errorWith(needed, { request })).toBe(null);
  expect(await errorWith(needed + 100n, { request })).toEqual({
    name: 'InsufficientFundsForRent',
    code: null,
    figures: { needed: '0.00089088', available: '0.0000001', missing: '0.00089078' },
    action: `Add at least 0.00089078 SOL to the wallet ${request.wallet}, or leave it empty.`,
  });
});

test('an oversized transaction is rejected; its instructions have a preview with the size', async () => {
  // A loan with 8 deposits and 5 debts without farm accounts, in a market without a lookup table.
  const { accounts: all, metadata, farmUsers } = decodedSimulation('tidegate');
  const runs: unknown[] = [];
  const simulateTransaction: Cluster['simulateTransaction'] = async (...run) => {
    runs.push(run);
    return recordedSimulation(partialRepayment)(...run);
  };
  const accounts = new Map([...all].filter(([address]) => !farmUsers.has(address)));
  const { post } = await startFlowApi({ at: SIMULATION_END, accounts }, { simulateTransaction });
  const { market, borrow } = metadata.demo;
  const budget = { computeUnitLimit: 1_000_000, computeUnitPrice: 1 };
  const large = { wallet: metadata.wallets[1], market, ...borrow, ...budget };
  const rejected = await post('/ktx/klend/borrow?preview=true', large);
  const [, size] = /^The transaction has (\d+) bytes,/.exec(messageOf(rejected)) ?? [];
  expect(Number(size)).toBeGreaterThan(1232);
  expect(rejected).toMatchObject({ status: 400, body: { code: 'TRANSACTION_SIZE_ERROR' } });

  const accepted = await post('/ktx/klend/borrow-instructions?preview=true', large);
  expect(accepted.status).toBe(200);
  const { preview } = accepted.body as { preview: PreviewJson };
  expect([preview.sizeBytes, preview.sizeLimit]).toEqual([Number(size), 1232]);
  expect(preview).toMatchObject({ simulated: false, success: true });
  expect(preview.tokenChanges).toMatchObject([{ symbol: 'USDC', uiChange: '25' }]);
  expect(preview.reason).toBe(messageOf(rejected));
  expect(runs).toEqual([]);
});

const messageOf = ({ body: responseBody }: JsonResponse): string =>
  (responseBody as { message: string }).message;

test('a failing endpoint returns 503 instead of an estimate', async () => {
  const context = { source: 'node', reason: 'connection refused' };
  const simulateTransaction = () => Promise.reject(new CodedError('SOURCE_UNAVAILABLE', context));
  const { post } = await startFlowApi(partialRepayment, { simulateTransaction });
  const { status, headers } = await post(`${path}?preview=true`, body);
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
});

test('a loan newer than the state is reported at its own slot', async () => {
  const api = await startFlowApi(partialRepayment);
  const { loan } = ((await api.post(`${path}?preview=true`, body)).body as { preview: PreviewJson })
    .preview;
  const address = toAddress(loan?.before?.loanId ?? '');
  const accounts = new Map(partialRepayment.accounts);
  const account = accounts.get(address);
  if (account === undefined) throw new Error('no loan');
  const data = account.data.slice();
  const ahead = partialRepayment.at.slot + 5n;
  new DataView(data.buffer).setBigUint64(LAST_UPDATE_SLOT, ahead, true);
  const read = async (addresses: readonly Address[]) => ({
    slot: partialRepayment.at.slot,
    accounts: new Map(
      addresses.map((each) => [each, each === address ? { ...account, data } : accounts.get(each)]),
    ),
  });
  const { loan: newer } = await previewOf({ readAccounts: read });
  expect(newer?.before).toMatchObject({ loanId: address, solanaSlot: Number(ahead) });
});

/** Offset in an obligation, after the discriminator and the tag. */
const LAST_UPDATE_SLOT = 16;
