import { beforeAll, expect, test } from 'vitest';
import type { ReasonCode, VerifiableRequest } from '#client/verify/index.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { exampleAddress } from '../../support/lending/example-lending.ts';
import {
  changeLastNumber,
  editCall,
  findCall,
  insertCall,
  makeCall,
  nameOf,
  removeCall,
  replaceAccount,
} from '../../support/verify/edit-build.ts';
import { planBuilds } from '../../support/verify/plan-builds.ts';
import { type VerifiedBuild, verifyBuild } from '../../support/verify/verified-build.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const FLASH_BORROW = 'flashBorrowReserveLiquidity';
const FLASH_REPAY = 'flashRepayReserveLiquidity';
const BORROW = 'borrowObligationLiquidityV2';
const REPAY = 'repayObligationLiquidityV2';
const WITHDRAW = 'withdrawObligationCollateralAndRedeemReserveCollateralV2';
const other = exampleAddress('somebody else');

let builds: readonly VerifiedBuild[];

beforeAll(async () => {
  builds = await planBuilds(['0', '1', '2', '3', '4', '5']);
});

const buildOf = (operation: string): VerifiedBuild => {
  const found = builds.find(({ request }) => request.operation === operation);
  if (found === undefined) throw new Error(`no build of ${operation}`);
  return found;
};

test('every multiply, deleverage and exit of a random loan is accepted and explained', async () => {
  for (const build of builds) {
    const { verdict, reasons, instructions } = await verifyBuild(build);
    expect({ name: build.name, verdict, reasons }).toEqual({
      name: build.name,
      verdict: 'accepted',
      reasons: [],
    });
    for (const { explanation } of instructions) expect(explanation).toMatch(/^[A-Z].+\.$/);
  }
  const operations = new Set(builds.map(({ request }) => request.operation));
  expect([...operations].sort()).toEqual(['lend-deleverage', 'lend-exit', 'lend-multiply']);
});

const codesOf = async (changed: VerifiedBuild | undefined): Promise<ReasonCode[]> => {
  if (changed === undefined) throw new Error('nothing was changed');
  const { verdict, reasons } = await verifyBuild(changed);
  expect(verdict).toBe('rejected');
  return reasons.map(({ code }) => code);
};

/** Adds one to the amount, which follows the discriminator. */
const withMore = (build: VerifiedBuild, name: string) =>
  editCall(build, name, (call) => ({
    ...call,
    data: call.data.map((byte, i) => (i === 8 ? byte ^ 1 : byte)),
  }));

test.each([FLASH_BORROW, FLASH_REPAY, BORROW])('multiply: another amount of %s', async (name) => {
  expect(await codesOf(withMore(buildOf('lend-multiply'), name))).toContain('WRONG_AMOUNT');
});

test.each([FLASH_REPAY, REPAY, WITHDRAW])('deleverage: another amount of %s', async (name) => {
  const build = buildOf('lend-deleverage');
  const changed = editCall(build, name, (call) => ({
    ...call,
    data: call.data.map((byte, i) => (i === 13 ? byte ^ 1 : byte)),
  }));
  expect(await codesOf(changed)).toContain('WRONG_AMOUNT');
});

test.each(['lend-multiply', 'lend-deleverage'])(
  '%s: a larger flash loan, repaid as it was taken, costs a larger fee',
  async (operation) => {
    const build = buildOf(operation);
    const borrowed = changeLastNumber(build, [FLASH_BORROW, 8], (value) => value * 2n);
    const amount = findCall(borrowed ?? build, FLASH_BORROW)?.data.subarray(8, 16) ?? [];
    const both = editCall(borrowed ?? build, FLASH_REPAY, (call) => ({
      ...call,
      data: Uint8Array.from([...call.data.subarray(0, 8), ...amount, ...call.data.subarray(16)]),
    }));
    expect(await codesOf(both)).toEqual(['WRONG_AMOUNT']);
  },
);

test('the repayment of everything needs a limit for the flash loan', async () => {
  const build = buildOf('lend-deleverage');
  const all = editCall(build, REPAY, (call) => ({
    ...call,
    data: call.data.map((byte, i) => (i >= 8 ? 255 : byte)),
  }));
  if (all === undefined) throw new Error('nothing is repaid');
  const request = { ...build.request, repayAmount: 'U64::MAX' };
  expect(await codesOf({ ...all, request })).toContain('MISSING_CHAIN_DATA');
  const limited = { ...request, maxFlashLoanAmount: '1000000000' };
  expect(await verifyBuild({ ...all, request: limited })).toMatchObject({ verdict: 'accepted' });
});

test('a repayment of another flash loan', async () => {
  const changed = changeLastNumber(
    buildOf('lend-multiply'),
    [FLASH_REPAY, 1],
    (value) => value + 1n,
  );
  expect(await codesOf(changed)).toContain('INVALID_INSTRUCTION_DATA');
});

test.each<readonly [string, string, ReasonCode]>([
  [FLASH_BORROW, 'userDestinationLiquidity', 'WRONG_TOKEN_ACCOUNT'],
  [FLASH_BORROW, 'reserve', 'WRONG_RESERVE'],
  [FLASH_BORROW, 'reserveSourceLiquidity', 'WRONG_ACCOUNT'],
  [FLASH_BORROW, 'reserveLiquidityFeeReceiver', 'WRONG_ACCOUNT'],
  [FLASH_REPAY, 'userSourceLiquidity', 'WRONG_TOKEN_ACCOUNT'],
  [FLASH_REPAY, 'reserveDestinationLiquidity', 'WRONG_ACCOUNT'],
  [FLASH_REPAY, 'lendingMarket', 'WRONG_MARKET'],
  [BORROW, 'userDestinationLiquidity', 'WRONG_TOKEN_ACCOUNT'],
  [BORROW, 'obligation', 'WRONG_LOAN'],
])('multiply: another account in %s as %s', async (name, account, code) => {
  expect(await codesOf(replaceAccount(buildOf('lend-multiply'), [name, account], other))).toContain(
    code,
  );
});

/** Instructions of the swap are right before the repayment of the flash loan. */
const swapIndex = (build: VerifiedBuild): number =>
  build.instructions.findIndex((call) => nameOf(call) === FLASH_REPAY) - 1;

test('only the given swap is accepted, in its place', async () => {
  const build = buildOf('lend-multiply');
  const at = swapIndex(build);
  const swap = build.instructions[at];
  if (swap === undefined) throw new Error('no swap');
  const [source, mint, destination, authority] = swap.accounts;
  if (!source || !mint || !destination || !authority) throw new Error('no transfer');
  const withSwap = (changed: typeof swap) => ({
    ...build,
    instructions: build.instructions.with(at, changed),
  });
  const redirected = associatedTokenAddress(other, mint.address, swap.programAddress);
  const accounts = [source, mint, { ...destination, address: redirected }, authority];
  expect(await codesOf(withSwap({ ...swap, accounts }))).toContain('WRONG_SWAP');
  const data = swap.data.map((byte, i) => (i === 1 ? byte ^ 1 : byte));
  expect(await codesOf(withSwap({ ...swap, data }))).toContain('WRONG_SWAP');
  const longer = Uint8Array.from([...swap.data, 0]);
  expect(await codesOf(withSwap({ ...swap, data: longer }))).toContain('WRONG_SWAP');
  const without = { ...build, instructions: build.instructions.toSpliced(at, 1) };
  expect(await codesOf(without)).toContain('WRONG_SWAP');
  expect(await codesOf(insertCall(build, at, swap))).toContain('HIDDEN_TRANSFER');
  const earlier = insertCall(without, 0, swap);
  expect(await codesOf(earlier)).toContain('WRONG_SWAP');
});

test.each([
  ['no swap', undefined],
  ['null', null],
  ['a text', 'swap'],
  ['no list', { instructions: 'swap' }],
  ['null as an instruction', { instructions: [null] }],
  ['no accounts', { instructions: [{ programAddress: other, data: null }] }],
  [
    'null as an account',
    { instructions: [{ programAddress: other, accounts: [null], data: null }] },
  ],
  [
    'an unknown role',
    {
      instructions: [
        { programAddress: other, accounts: [{ address: other, role: 3 }], data: null },
      ],
    },
  ],
  ['no address', { instructions: [{ programAddress: 'other', accounts: [], data: null }] }],
  ['bytes as data', { instructions: [{ programAddress: other, accounts: [], data: [1] }] }],
])('a request with %s in the place of the swap is refused, not an exception', async (_, swap) => {
  const build = buildOf('lend-multiply');
  const request = { ...build.request, swap } as VerifiableRequest;
  expect(await codesOf({ ...build, request })).toContain('INVALID_REQUEST');
});

test('a swap that sets the compute budget is refused, because its fee would not be checked', async () => {
  const build = buildOf('lend-multiply');
  const price = makeCall('ComputeBudget111111111111111111111111111111', '03ffffffffffffff00', []);
  const at = swapIndex(build);
  const given = { programAddress: price.programAddress, accounts: [], data: '' };
  const { request } = build;
  if (!('swap' in request)) throw new Error('no swap');
  const { instructions } = request.swap;
  const data = Buffer.from(price.data).toString('base64');
  const swap = { instructions: [{ ...given, data }, ...instructions] };
  const changed = insertCall(build, at, price);
  expect(await codesOf({ ...changed, request: { ...request, swap } })).toContain('INVALID_REQUEST');
});

test('what takes SOL or tokens besides is rejected', async () => {
  const transfer = (from: typeof other) =>
    makeCall(SYSTEM_PROGRAM, '020000000100000000000000', [
      [from, 3],
      [other, 1],
    ]);
  for (const build of builds) {
    for (const at of [0, 2, -1]) {
      const codes = await codesOf(insertCall(build, at, transfer(build.wallet)));
      expect(codes, build.name).toContain('HIDDEN_TRANSFER');
    }
  }
});

test.each(['abc', '', '-1', '1e3'])(
  'a limit of wrapped SOL that cannot be read is refused: "%s"',
  async (maxAmount) => {
    const build = buildOf('lend-exit');
    const request = Object.assign({ ...build.request }, { maxAmount });
    expect(await codesOf({ ...build, request })).toEqual(['INVALID_REQUEST']);
  },
);

test('exit: only everything, to the wallet, of its own loan', async () => {
  const exits = builds.filter(({ request }) => request.operation === 'lend-exit');
  const withdrawal = exits.find((build) => findCall(build, WITHDRAW));
  const repayment = exits.find((build) => findCall(build, REPAY));
  if (withdrawal === undefined || repayment === undefined) throw new Error('no exit');
  expect(await codesOf(withMore(withdrawal, WITHDRAW))).toContain('WRONG_AMOUNT');
  expect(await codesOf(withMore(repayment, REPAY))).toContain('WRONG_AMOUNT');
  const cases: readonly (readonly [string, ReasonCode])[] = [
    ['userDestinationLiquidity', 'WRONG_TOKEN_ACCOUNT'],
    ['obligation', 'WRONG_LOAN'],
    ['lendingMarket', 'WRONG_MARKET'],
    ['withdrawReserve', 'WRONG_RESERVE'],
  ];
  for (const [account, code] of cases) {
    const changed = replaceAccount(withdrawal, [WITHDRAW, account], other);
    expect(await codesOf(changed), account).toContain(code);
  }
  expect(await codesOf(removeCall(withdrawal, 'refreshObligation'))).toContain(
    'MISSING_INSTRUCTION',
  );
  const twice = [...withdrawal.instructions, ...withdrawal.instructions];
  expect(await codesOf({ ...withdrawal, instructions: twice })).toContain('REPEATED_INSTRUCTION');
  const call = findCall(withdrawal, WITHDRAW);
  expect(call && (await codesOf(insertCall(withdrawal, -1, call)))).toContain(
    'REPEATED_INSTRUCTION',
  );
});
