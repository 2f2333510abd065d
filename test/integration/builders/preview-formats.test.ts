import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { CodedError } from '#core/base/errors.ts';
import { toSlot } from '#core/base/time.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import type { Cluster } from '#server/clusters/served-clusters.ts';
import { recordedSimulation, startFlowApi } from '../../support/flows/flow-api.ts';
import { type FlowRequest, flowRequests } from '../../support/flows/flow-requests.ts';
import { type BundleJson, readBundle } from '../../support/http/instruction-bundle.ts';
import type { PreviewJson } from '../../support/http/preview-json.ts';
import type { JsonResponse } from '../../support/http/test-api.ts';
import { decodedSimulation, SIMULATION_END } from '../../support/localnet/simulated-genesis.ts';

/** Servers are started in each. */
const slow = { timeout: 30_000 };

const flowOf = (number: number): FlowRequest => {
  const found = flowRequests().find((asked) => asked.number === number);
  if (found === undefined) throw new Error('no such flow');
  return found;
};

/** A part of a SOL debt is repaid. */
const asked = flowOf(3);
const { path, body, wallet } = asked;

async function previewOf(changes: Partial<Cluster>, more: object = {}, placed = asked) {
  const { post } = await startFlowApi(placed, changes);
  const answer = await post(`${path}?preview=true`, { ...body, ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body as { preview: PreviewJson }).preview;
}

test('both forms have the same preview, and nobody gets one who does not ask', slow, async () => {
  const { post } = await startFlowApi(asked, { simulateTransaction: recordedSimulation(asked) });
  const ask = async (target: string) => (await post(target, body)).body as Record<string, unknown>;
  const { preview, ...bundle } = await ask(`${path}-instructions?preview=true`);
  const { preview: same, ...transaction } = await ask(`${path}?preview=true`);
  expect(preview).toEqual(same);
  expect(bundle).toEqual(await ask(`${path}-instructions`));
  expect(transaction).toEqual(await ask(`${path}?preview=false`));
  expect(Object.keys(transaction)).toEqual(['transaction']);
});

test('the very transaction is run, at no older slot than what it was built on', slow, async () => {
  const runs: Parameters<Cluster['simulateTransaction']>[] = [];
  const simulateTransaction: Cluster['simulateTransaction'] = async (...run) => {
    runs.push(run);
    return recordedSimulation(asked)(...run);
  };
  const { post } = await startFlowApi(asked, { simulateTransaction });
  const answer = (await post(`${path}?preview=true`, body)).body as { transaction: string };
  const bundle = (await post(`${path}-instructions`, body)).body as BundleJson;
  const [wire, addresses = [], minSlot] = runs[0] ?? [];
  expect(Buffer.from(wire ?? []).toString('base64')).toBe(answer.transaction);
  expect(minSlot).toBe(asked.at.slot);
  // a node takes no address that the message does not name
  const { instructions } = readBundle(bundle);
  const written = instructions.flatMap(({ accounts }) =>
    accounts.filter(({ role }) => role % 2 === 1).map(({ address }) => address),
  );
  expect(addresses.length).toBeGreaterThan(3);
  expect(addresses.filter((address) => ![...written, wallet].includes(address))).toEqual([]);
  expect(addresses).toContain(wallet);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('the later one of the blockhash’s and the accounts’ slot is asked for', slow, async () => {
  const slots: unknown[] = [];
  const { slot } = asked.at;
  const simulateTransaction: Cluster['simulateTransaction'] = async (...run) => {
    slots.push(run[2]);
    return recordedSimulation(asked)(...run);
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

test('size, expiry and tables are those of the message', slow, async () => {
  const { post } = await startFlowApi(asked);
  const answer = (await post(`${path}?preview=true`, body)).body as {
    transaction: string;
    preview: PreviewJson;
  };
  const { preview } = answer;
  const wire = Uint8Array.from(Buffer.from(answer.transaction, 'base64'));
  const { message } = decodeWireTransaction(wire);
  expect([preview.sizeBytes, preview.sizeLimit]).toEqual([wire.length, 1232]);
  expect(preview.expiry.blockhash).toBe(message.recentBlockhash);
  expect(preview.expiry.lastValidBlockHeight).toBe(String(asked.at.slot + 150n));
  expect(preview.lookupTables).toEqual(message.lookups.map(({ table }) => table));
});

test('the plan says what is done, with what, and what it costs', slow, async () => {
  const { plan } = await previewOf({});
  expect(plan.summary).toBe('Repay 10 SOL to Main Market.');
  expect(plan.steps.map(({ name }) => name)).toEqual([
    ...['createIdempotent', 'transfer', 'syncNative', 'refreshReserve', 'refreshReserve'],
    ...['refreshObligation', 'repayObligationLiquidityV2', 'closeAccount'],
  ]);
  expect(plan.rentLamports).toBe('2039280');
  expect(plan.creates).toMatchObject([{ what: 'token account for wrapped SOL' }]);
  expect(plan.closes).toMatchObject([{ what: 'token account for wrapped SOL' }]);
  expect(plan.pays).toMatchObject([{ symbol: 'SOL', uiAmount: '10', certainty: 'exactly' }]);
  expect(plan.receives).toEqual([]);
});

test('a priority fee is the limit times the price, rounded up', slow, async () => {
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

/** What the wallet of a flow is told with so much SOL. */
async function errorWith(
  lamports: bigint,
  { placed = asked, owner = '11111111111111111111111111111111' } = {},
) {
  const account = { owner: toAddress(owner), lamports, data: new Uint8Array(0) };
  const accounts = new Map(placed.accounts);
  if (lamports === 0n) accounts.delete(placed.wallet);
  else accounts.set(placed.wallet, account);
  const { post } = await startFlowApi({ ...placed, accounts });
  const answer = await post(`${placed.path}?preview=true`, placed.body);
  const { success, error } = (answer.body as { preview: PreviewJson }).preview;
  expect(success).toBe(error === null);
  return error && { name: error.name, message: error.message, code: error.code };
}

test('a wallet that cannot pay is told so before any program is asked', slow, async () => {
  expect(await errorWith(0n)).toEqual({
    name: 'AccountNotFound',
    message: 'The wallet has no SOL to pay the fee with.',
    code: null,
  });
  expect(await errorWith(4999n)).toEqual({
    name: 'InsufficientFundsForFee',
    message: 'The wallet has 4999 lamports, and the fee is 5000.',
    code: null,
  });
  const program = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
  expect(await errorWith(10n ** 12n, { owner: program })).toEqual({
    name: 'InvalidAccountForFee',
    message: `The wallet belongs to the program ${program}: it cannot pay a fee itself.`,
    code: null,
  });
});

test('the fee is paid before the rest: what is wrapped must be there beside it', slow, async () => {
  // 10 SOL and the rent of the wrapped account, which comes back
  const needed = 10_000_000_000n + 2_039_280n + 5000n;
  expect(await errorWith(needed - 1n)).toEqual({
    name: 'ResultWithNegativeLamports',
    message: `The wallet has ${needed - 5001n} lamports, and ${needed - 5000n} are needed beside the fee`,
    code: 1,
  });
  expect(await errorWith(needed)).toBe(null);
});

test(
  'a wallet may be left with nothing, not with less than an account must have',
  slow,
  async () => {
    const placed = flowOf(1);
    const { post } = await startFlowApi(placed);
    const answer = await post(`${placed.path}?preview=true`, placed.body);
    const { plan } = (answer.body as { preview: PreviewJson }).preview;
    const needed = BigInt(plan.rentLamports) + 5000n;
    expect(await errorWith(needed, { placed })).toBe(null);
    expect(await errorWith(needed + 100n, { placed })).toEqual({
      name: 'InsufficientFundsForRent',
      message: 'The wallet would be left with 100 lamports: none, or 890880 and more may be left.',
      code: null,
    });
  },
);

test(
  'what no transaction can hold is refused, and as instructions told with its size',
  slow,
  async () => {
    // a loan with 8 deposits and 5 debts, none in a farm yet, in a market without a lookup table
    const { accounts: all, metadata, farmUsers } = decodedSimulation('tidegate');
    const runs: unknown[] = [];
    const simulateTransaction: Cluster['simulateTransaction'] = async (...run) => {
      runs.push(run);
      return recordedSimulation(asked)(...run);
    };
    const accounts = new Map([...all].filter(([address]) => !farmUsers.has(address)));
    const { post } = await startFlowApi({ at: SIMULATION_END, accounts }, { simulateTransaction });
    const { market, borrow } = metadata.demo;
    const budget = { computeUnitLimit: 1_000_000, computeUnitPrice: 1 };
    const large = { wallet: metadata.wallets[1], market, ...borrow, ...budget };
    const refused = await post('/ktx/klend/borrow?preview=true', large);
    const [, size] = /^The transaction has (\d+) bytes, 1232 fit\./.exec(messageOf(refused)) ?? [];
    expect(Number(size)).toBeGreaterThan(1232);
    expect(refused).toMatchObject({ status: 400, body: { code: 'TRANSACTION_SIZE_ERROR' } });

    const told = await post('/ktx/klend/borrow-instructions?preview=true', large);
    expect(told.status).toBe(200);
    const { preview } = told.body as { preview: PreviewJson };
    expect([preview.sizeBytes, preview.sizeLimit]).toEqual([Number(size), 1232]);
    expect(preview).toMatchObject({ simulated: false, success: true });
    expect(preview.tokenChanges).toMatchObject([{ symbol: 'USDC', uiChange: '25' }]);
    expect(preview.reason).toBe(messageOf(refused));
    expect(runs).toEqual([]);
  },
);

const messageOf = ({ body: said }: JsonResponse): string => (said as { message: string }).message;

test('a cluster whose endpoint fails meanwhile is asked again, not guessed', slow, async () => {
  const context = { source: 'node', reason: 'connection refused' };
  const simulateTransaction = () => Promise.reject(new CodedError('SOURCE_UNAVAILABLE', context));
  const { post } = await startFlowApi(asked, { simulateTransaction });
  const { status, headers } = await post(`${path}?preview=true`, body);
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
});

test('a loan that is ahead of state here is told as of its own slot', slow, async () => {
  const still = await startFlowApi(asked);
  const { loan } = (
    (await still.post(`${path}?preview=true`, body)).body as { preview: PreviewJson }
  ).preview;
  const address = toAddress(loan?.before?.loanId ?? '');
  const accounts = new Map(asked.accounts);
  const account = accounts.get(address);
  if (account === undefined) throw new Error('no loan');
  const data = account.data.slice();
  const ahead = asked.at.slot + 5n;
  new DataView(data.buffer).setBigUint64(LAST_UPDATE_SLOT, ahead, true);
  const read = async (addresses: readonly Address[]) => ({
    slot: asked.at.slot,
    accounts: new Map(
      addresses.map((each) => [each, each === address ? { ...account, data } : accounts.get(each)]),
    ),
  });
  const { loan: told } = await previewOf({ readAccounts: read });
  expect(told?.before).toMatchObject({ loanId: address, solanaSlot: Number(ahead) });
});

/** In an obligation: behind the discriminator and the tag. */
const LAST_UPDATE_SLOT = 16;
