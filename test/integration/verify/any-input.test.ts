import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { REASON_CODES, type VerificationInput, verifyTransaction } from '#client/verify/index.ts';
import { assertAsyncProperty } from '../../support/properties/assert-property.ts';
import { goldenBuilds } from '../../support/verify/golden-builds.ts';
import { planBuilds } from '../../support/verify/plan-builds.ts';
import { tablesOf, type VerifiedBuild, wireOf } from '../../support/verify/verified-build.ts';

let inputs: readonly VerificationInput[];

beforeAll(async () => {
  const builds = [...(await goldenBuilds()), ...(await planBuilds(['0']))];
  const byOperation = new Map(builds.map((build) => [build.request.operation, build]));
  inputs = [...byOperation.values()].map(toInput);
});

const toInput = (build: VerifiedBuild): VerificationInput => ({
  request: build.request,
  transaction: wireOf(build),
  lookupTables: tablesOf(build.lookupTables),
  chainData: build.chainData,
});

/** Whatever it gets, it answers in its own words; never that reading failed. */
async function expectVerdict(input: unknown): Promise<string> {
  const { verdict, reasons } = await verifyTransaction(input as VerificationInput);
  expect(['accepted', 'rejected', 'undecided']).toContain(verdict);
  expect(reasons.length === 0).toBe(verdict === 'accepted');
  for (const { code, message } of reasons) {
    expect(Object.keys(REASON_CODES)).toContain(code);
    expect(message).not.toBe('The input cannot be read.');
  }
  return verdict;
}

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.bigInt(),
  fc.constantFrom<unknown>(Number.NaN, Number.POSITIVE_INFINITY, -0, -1, 0.5, 256, 2 ** 53, 1e21),
  fc.constantFrom<unknown>('', '-1', '1e3', '0x10', ' 1', '1.', '.5', 'U64::MAX', '9'.repeat(60)),
  fc.constantFrom<unknown>('__proto__', 'constructor', 'toString', '\u202e', '\u0000'),
  fc.uint8Array({ maxLength: 40 }),
  fc.float32Array({ maxLength: 4 }),
  fc.constant(new ArrayBuffer(8)),
  fc.constant(new Map([['tag', 0]])),
  fc.constant(new Date(0)),
  fc.constant(Symbol('odd')),
  fc.constant(() => 1),
);

const FIELDS = [
  ...['operation', 'wallet', 'market', 'reserve', 'kvault', 'farm', 'referrer', 'amount', 'unit'],
  ...['decimals', 'loan', 'loanKind', 'maxAmount', 'maxLtv', 'maxShares', 'minShares', 'stake'],
  ...['totalShares', 'mayBePartial', 'swap', 'programs', 'repayReserve', 'withdrawReserve'],
  ...['collateralReserve', 'debtReserve', 'collateralDecimals', 'debtDecimals', 'depositAmount'],
  ...['flashLoanAmount', 'borrowAmount', 'repayAmount', 'withdrawAmount', 'maxFlashLoanAmount'],
  ...['minReceivedAmount', 'computeUnitLimit', 'computeUnitPrice', 'maxPriorityFeeLamports'],
];

test('property: a request with anything in a field has a verdict', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(fc.nat(), fc.constantFrom(...FIELDS), odd, async (of, field, value) => {
      const input = inputs[of % inputs.length];
      if (input === undefined) throw new Error('no builds');
      await expectVerdict({ ...input, request: { ...input.request, [field]: value } });
    }),
    400,
  );
});

test('property: anything in the place of the request, the bytes or the values has a verdict', async () => {
  const parts = ['request', 'transaction', 'lookupTables', 'chainData'];
  await assertAsyncProperty(
    fc.asyncProperty(fc.nat(), fc.constantFrom(...parts), odd, async (of, part, value) => {
      await expectVerdict({ ...inputs[of % inputs.length], [part]: value });
    }),
    200,
  );
});

/** Every path to a value that is no object. */
function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, entry]) => leavesOf(entry, [...path, key]));
}

function withLeaf(value: unknown, [key, ...rest]: readonly string[], leaf: unknown): unknown {
  if (key === undefined) return leaf;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...Object(value) };
  Reflect.set(copy, key, withLeaf(Reflect.get(Object(value), key), rest, leaf));
  return copy;
}

test('property: anything inside of the chain data or the request has a verdict', async () => {
  const places = fc.record({
    of: fc.nat(),
    part: fc.constantFrom('chainData', 'request', 'lookupTables'),
    at: fc.nat(),
    cut: fc.nat({ max: 3 }),
  });
  await assertAsyncProperty(
    fc.asyncProperty(places, odd, async ({ of, part, at, cut }, value) => {
      const input = inputs[of % inputs.length];
      const paths = leavesOf(Reflect.get(Object(input), part));
      const path = paths[at % Math.max(1, paths.length)] ?? [];
      const changed = withLeaf(input, [part, ...path.slice(0, path.length - cut)], value);
      await expectVerdict(changed);
    }),
    300,
  );
});

test.each([
  ['computeUnitLimit: null', { request: { computeUnitLimit: null } }],
  ['computeUnitPrice: null', { request: { computeUnitPrice: null } }],
  ['maxPriorityFeeLamports: 0.5', { request: { maxPriorityFeeLamports: 0.5 } }],
  ['decimals: 6.9', { request: { decimals: 6.9 } }],
  ['decimals: "6"', { request: { decimals: '6' } }],
  ['a field that is not checked', { request: { maxShare: '1' } }],
  ['mayBePartial: "false"', { request: { mayBePartial: 'false' } }],
  ['unit: "token"', { request: { unit: 'token' } }],
])('%s is rejected with a reason', async (_, { request }) => {
  const input = inputs.find((each) => each.request.operation === 'vault-withdraw');
  const changed = { ...input, request: { ...input?.request, ...request } } as VerificationInput;
  expect(await verifyTransaction(changed)).toMatchObject({
    verdict: 'rejected',
    reasons: [{ code: 'INVALID_REQUEST' }],
  });
});

test.each([
  ['no request', { request: null }, 'INVALID_REQUEST'],
  ['a list as the request', { request: [] }, 'INVALID_REQUEST'],
  ['a list of numbers as the transaction', { transaction: [1, 2, 3] }, 'MALFORMED_TRANSACTION'],
  ['an ArrayBuffer', { transaction: new ArrayBuffer(64) }, 'MALFORMED_TRANSACTION'],
  ['no transaction', { transaction: undefined }, 'MALFORMED_TRANSACTION'],
  ['null as chain data', { chainData: null }, 'INVALID_CHAIN_DATA'],
  ['a table that is no list', { lookupTables: { table: 'list' } }, 'INVALID_CHAIN_DATA'],
])('%s is rejected with a reason', async (_, part, code) => {
  const changed = { ...inputs[0], ...part } as unknown as VerificationInput;
  expect(await verifyTransaction(changed)).toMatchObject({ verdict: 'rejected' });
  const { reasons } = await verifyTransaction(changed);
  expect(reasons.map((reason) => reason.code)).toContain(code);
});

test('the bytes of a transaction in an ArrayBuffer are not taken for an empty one', async () => {
  const [input] = inputs;
  if (!(input?.transaction instanceof Uint8Array)) throw new Error('no bytes');
  const { buffer, byteOffset, byteLength } = input.transaction;
  const transaction = buffer.slice(byteOffset, byteOffset + byteLength);
  const result = await verifyTransaction({ ...input, transaction } as unknown as VerificationInput);
  expect(result).toMatchObject({ verdict: 'rejected' });
});

test('an input that throws when it is read is rejected', async () => {
  for (const input of [null, undefined, 1, 'input']) {
    expect(await verifyTransaction(input as never)).toMatchObject({ verdict: 'rejected' });
  }
  const request = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  expect(await verifyTransaction({ ...inputs[0], request } as never)).toMatchObject({
    verdict: 'rejected',
    reasons: [{ code: 'INVALID_REQUEST' }],
  });
});
