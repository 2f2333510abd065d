import { expect, test } from 'vitest';
import type { VerifiableRequest } from '#client/verify/index.ts';
import { insertCall, littleEndian, makeCall, nameOf } from '../../support/verify/edit-build.ts';
import { exampleBuilds } from '../../support/verify/example-builds.ts';
import { goldenBuilds } from '../../support/verify/golden-builds.ts';
import { planBuilds } from '../../support/verify/plan-builds.ts';
import {
  isEverything,
  type VerifiedBuild,
  verifyBuild,
} from '../../support/verify/verified-build.ts';

const BUDGET = 'ComputeBudget111111111111111111111111111111';
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const price = (value: bigint) => makeCall(BUDGET, `03${hex(littleEndian(value, 8))}`, []);
const limit = (value: bigint) => makeCall(BUDGET, `02${hex(littleEndian(value, 4))}`, []);

async function allBuilds(): Promise<VerifiedBuild[]> {
  const builds = [...(await goldenBuilds()), ...(await planBuilds(['0', '1']))];
  const first = new Map(builds.map((build) => [build.request.operation, build]));
  return [...first.values(), ...builds.filter(({ request }) => request.operation === 'lend-exit')];
}

const codesOf = async (build: VerifiedBuild) =>
  (await verifyBuild(build)).reasons.map(({ code }) => code);

/** In the place of the swap it is not the swap that was given. */
function expectLookedAt(codes: readonly string[], code: string, name: string): void {
  if (codes.includes('WRONG_SWAP')) return;
  expect(codes, name).toContain('REPEATED_INSTRUCTION');
  expect(codes, name).toContain(code);
}

/** Between the parts of an exit each part may begin with a budget of its own. */
const placesOf = (build: VerifiedBuild) => build.instructions.map((_, i) => i);

test('a second price is looked at, wherever it is', async () => {
  for (const build of await allBuilds()) {
    const priced = insertCall(build, 0, price(1n));
    for (const at of placesOf(priced)) {
      const codes = await codesOf(insertCall(priced, at + 1, price(10n ** 12n)));
      expectLookedAt(codes, 'PRIORITY_FEE_TOO_HIGH', `${build.name} ${at}`);
    }
  }
});

test('a second limit is looked at, wherever it is', async () => {
  for (const build of await allBuilds()) {
    const limited = insertCall(build, 0, limit(300_000n));
    for (const at of placesOf(limited)) {
      const codes = await codesOf(insertCall(limited, at + 1, limit(2_000_000n)));
      expectLookedAt(codes, 'WRONG_COMPUTE_BUDGET', `${build.name} ${at}`);
    }
  }
});

test('the fee of a price counts the highest limit', async () => {
  for (const build of await allBuilds()) {
    const small = insertCall(insertCall(build, 0, price(2_000_000n)), 0, limit(200_000n));
    expect(await codesOf(small), build.name).not.toContain('PRIORITY_FEE_TOO_HIGH');
    const large = insertCall(small, 0, limit(1_400_000n));
    expect(await codesOf(large), build.name).toContain('PRIORITY_FEE_TOO_HIGH');
  }
});

test('a requested price is every price', async () => {
  for (const build of await allBuilds()) {
    const request = { ...build.request, computeUnitPrice: '7' } as VerifiableRequest;
    const twice = insertCall(insertCall(build, 0, price(8n)), 0, price(7n));
    expect(await codesOf({ ...twice, request }), build.name).toContain('WRONG_COMPUTE_BUDGET');
  }
});

test('the limit for wrapped SOL holds for all repayments of an exit together', async () => {
  const repayment = (await exampleBuilds()).find(
    (build) =>
      build.request.operation === 'lend-repay' &&
      isEverything(build) &&
      build.instructions.some((call) => nameOf(call) === 'closeAccount') &&
      build.instructions.some((call) => nameOf(call) === 'syncNative'),
  );
  if (repayment === undefined || !('market' in repayment.request)) throw new Error('no SOL');
  const { wallet, market = '' } = repayment.request;
  const exit = { ...repayment, request: { operation: 'lend-exit', wallet, market } as const };
  const wrap = exit.instructions.findIndex((call) => nameOf(call) === 'transfer');
  const call = exit.instructions[wrap];
  if (call === undefined) throw new Error('no transfer');
  const wrapped = call.data.subarray(4).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const maxAmount = `${wrapped / 10n ** 9n}.${(wrapped % 10n ** 9n).toString().padStart(9, '0')}`;
  const request = { ...exit.request, maxAmount } as VerifiableRequest;
  expect(await codesOf({ ...exit, request })).toEqual([]);
  const { instructions } = exit;
  const twice = { ...exit, request, instructions: [...instructions, ...instructions] };
  const { reasons } = await verifyBuild(twice);
  expect(reasons.map(({ message }) => message).join(' ')).toContain('wrapped together');
});
