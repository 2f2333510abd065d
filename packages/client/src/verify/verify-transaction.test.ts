import { beforeAll, expect, test } from 'vitest';
import { makeCall } from '../../../../test/support/verify/edit-build.ts';
import { goldenBuilds } from '../../../../test/support/verify/golden-builds.ts';
import {
  tablesOf,
  type VerifiedBuild,
  verifyBuild,
  wireOf,
} from '../../../../test/support/verify/verified-build.ts';
import { encodeBase64 } from '../../../core/src/base/encoding/base64.ts';
import type { VerifiableRequest } from './verifiable-request.ts';
import { verifyTransaction } from './verify-transaction.ts';

let builds: readonly VerifiedBuild[] = [];

beforeAll(async () => {
  builds = await goldenBuilds();
});

function buildOf(operation: string, number = ''): VerifiedBuild {
  const found = builds.find(
    ({ request, name }) => request.operation === operation && name.startsWith(number),
  );
  if (found === undefined) throw new Error(`no golden ${operation} ${number}`);
  return found;
}

const codesOf = async (build: VerifiedBuild): Promise<string[]> =>
  (await verifyBuild(build)).reasons.map(({ code }) => code);

const withRequest = (build: VerifiedBuild, changes: object): VerifiedBuild => {
  const request: VerifiableRequest = { ...build.request, ...changes };
  return { ...build, request };
};

test('each instruction is explained in a sentence with amounts and accounts', async () => {
  const build = buildOf('lend-deposit', '01');
  const { instructions, verdict } = await verifyBuild(build);
  expect(verdict).toBe('accepted');
  const last = instructions.at(-1);
  const { reserve, amount } = build.request as { reserve: string; amount: string };
  expect(last).toMatchObject({ name: 'depositReserveLiquidityAndObligationCollateralV2' });
  expect(last?.explanation).toContain(`Deposits at most ${amount} tokens from `);
  expect(last?.explanation).toContain(`into the reserve ${reserve}`);
});

test('base64 text, signed bytes and the name of the OpenAPI document are accepted too', async () => {
  const build = buildOf('vault-deposit');
  const wire = wireOf(build);
  const signed = wire.map((byte, i) => (i >= 1 && i < 65 ? 7 : byte));
  const { chainData } = build;
  const request: VerifiableRequest = {
    ...build.request,
    operation: 'buildVaultDepositTx',
  } as VerifiableRequest;
  const lookupTables = tablesOf(build.lookupTables);
  for (const transaction of [wire, signed, encodeBase64(wire)]) {
    const input = { request, transaction, lookupTables, chainData };
    expect(await verifyTransaction(input)).toMatchObject({ verdict: 'accepted' });
  }
});

test('without chain data the decimals come from the request, and derived accounts are enough', async () => {
  const build = buildOf('lend-deposit', '01');
  const offline = { ...build, chainData: {} };
  expect(await codesOf(offline)).toEqual(['MISSING_CHAIN_DATA']);
  expect(await verifyBuild(withRequest(offline, { decimals: 6 }))).toMatchObject({
    verdict: 'accepted',
  });
  expect(await codesOf(withRequest(offline, { decimals: 9 }))).toContain('WRONG_AMOUNT');
  expect(await codesOf(withRequest(build, { decimals: 9 }))).toContain('INVALID_REQUEST');
});

test('shares are staked only in a farm that is known', async () => {
  const build = buildOf('vault-deposit', '40');
  const farm = build.chainData.vault?.farm;
  const offline = withRequest({ ...build, chainData: {} }, { decimals: 6 });
  expect(await codesOf(offline)).toContain('MISSING_CHAIN_DATA');
  expect(await verifyBuild(withRequest(offline, { farm }))).toMatchObject({ verdict: 'accepted' });
  expect(await codesOf(withRequest(build, { stake: false }))).toContain('UNEXPECTED_INSTRUCTION');
});

test('a withdrawal of an amount needs the value of cTokens', async () => {
  const build = buildOf('lend-withdraw', '04');
  const offline = withRequest({ ...build, chainData: {} }, { decimals: 6 });
  expect([...new Set(await codesOf(offline))]).toEqual(['MISSING_CHAIN_DATA']);
});

test('a request that is not valid is rejected before anything else', async () => {
  const build = buildOf('lend-deposit', '01');
  for (const changes of [
    { wallet: 'x' },
    { market: undefined },
    { reserve: '' },
    { amount: '-1' },
    { amount: '0' },
    { amount: 'U64::MAX' },
    { amount: '1.00000000001' },
    { operation: 'lend-everything' },
  ]) {
    expect(await codesOf(withRequest(build, changes)), JSON.stringify(changes)).toContain(
      'INVALID_REQUEST',
    );
  }
});

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';

test('a compute budget is accepted as requested, or within the limit of the fee', async () => {
  const plain = buildOf('lend-deposit', '01');
  const budget = [
    makeCall(COMPUTE_BUDGET, '02400d0300', []),
    makeCall(COMPUTE_BUDGET, '03e803000000000000', []),
  ];
  const build = { ...plain, instructions: [...budget, ...plain.instructions] };
  const requested = { computeUnitLimit: 200_000, computeUnitPrice: '1000' };
  // 200,000 units of 1,000 micro-lamports
  for (const changes of [requested, {}, { maxPriorityFeeLamports: 200 }]) {
    expect(await verifyBuild(withRequest(build, changes))).toMatchObject({ verdict: 'accepted' });
  }
  expect(await codesOf(withRequest(build, { maxPriorityFeeLamports: 199 }))).toEqual([
    'PRIORITY_FEE_TOO_HIGH',
  ]);
  expect(await codesOf(withRequest(build, { computeUnitPrice: 999 }))).toEqual([
    'WRONG_COMPUTE_BUDGET',
  ]);
  expect(await codesOf(withRequest(plain, requested))).toEqual([
    'WRONG_COMPUTE_BUDGET',
    'WRONG_COMPUTE_BUDGET',
  ]);
});

test('a request for the shares that the wallet holds is one for everything', async () => {
  const build = buildOf('vault-withdraw', '43');
  const amount = '10';
  expect(await codesOf(withRequest(build, { amount }))).toContain('WRONG_AMOUNT');
  expect(await verifyBuild(withRequest(build, { amount, totalShares: amount }))).toMatchObject({
    verdict: 'accepted',
  });
});
