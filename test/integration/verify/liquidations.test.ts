import { beforeAll, expect, test } from 'vitest';
import type { ReasonCode } from '#client/verify/index.ts';
import { exampleAddress } from '../../support/lending/example-lending.ts';
import {
  editCall,
  littleEndian,
  removeCall,
  replaceAccount,
} from '../../support/verify/edit-build.ts';
import { goldenLiquidation } from '../../support/verify/golden-builds.ts';
import { type VerifiedBuild, verifyBuild } from '../../support/verify/verified-build.ts';

const LIQUIDATE = 'liquidateObligationAndRedeemReserveCollateralV2';
const other = exampleAddress('somebody else');

let build: VerifiedBuild;

beforeAll(async () => {
  build = await goldenLiquidation();
});

/** The instruction with other arguments: amount, least to receive, override of the LTV. */
const withArguments = (...args: readonly bigint[]): VerifiedBuild | undefined =>
  editCall(build, LIQUIDATE, (call) => ({
    ...call,
    data: Uint8Array.from([
      ...call.data.slice(0, 8),
      ...args.flatMap((value) => [...littleEndian(value, 8)]),
    ]),
  }));

const codesOf = async (changed: VerifiedBuild | undefined): Promise<ReasonCode[]> => {
  if (changed === undefined) throw new Error('nothing was changed');
  const { verdict, reasons } = await verifyBuild(changed);
  expect(verdict).toBe('rejected');
  return reasons.map(({ code }) => code);
};

test('a liquidation is accepted and explained', async () => {
  const { verdict, reasons, instructions } = await verifyBuild(build);
  expect({ verdict, reasons }).toEqual({ verdict: 'accepted', reasons: [] });
  const { explanation } = instructions.find(({ name }) => name === LIQUIDATE) ?? {};
  expect(explanation).toContain('Repays at most 1000 tokens of the loan ');
});

test('other amounts are rejected', async () => {
  const amount = 1_000_000_000n;
  expect(await codesOf(withArguments(amount + 1n, 0n, 0n))).toContain('WRONG_AMOUNT');
  expect(await codesOf(withArguments((1n << 64n) - 1n, 0n, 0n))).toContain('WRONG_AMOUNT');
  expect(await codesOf(withArguments(amount, 1n, 0n))).toContain('WRONG_AMOUNT');
  expect(await codesOf(withArguments(amount, 0n, 1n))).toContain('INVALID_INSTRUCTION_DATA');
});

test.each<readonly [string, ReasonCode]>([
  ['userSourceLiquidity', 'WRONG_TOKEN_ACCOUNT'],
  ['userDestinationLiquidity', 'WRONG_TOKEN_ACCOUNT'],
  ['userDestinationCollateral', 'WRONG_TOKEN_ACCOUNT'],
  ['obligation', 'WRONG_LOAN'],
  ['lendingMarket', 'WRONG_MARKET'],
  ['repayReserve', 'WRONG_RESERVE'],
  ['withdrawReserve', 'WRONG_RESERVE'],
  ['repayReserveLiquiditySupply', 'WRONG_ACCOUNT'],
  ['withdrawReserveLiquidityFeeReceiver', 'WRONG_ACCOUNT'],
])('another account as %s is rejected', async (account, code) => {
  expect(await codesOf(replaceAccount(build, [LIQUIDATE, account], other))).toContain(code);
});

test('the seized SOL must be unwrapped, and the loan refreshed', async () => {
  expect(await codesOf(removeCall(build, 'closeAccount'))).toContain('MISSING_INSTRUCTION');
  expect(await codesOf(removeCall(build, 'refreshObligation'))).toContain('MISSING_INSTRUCTION');
});

test('a minimum of the request must be in the transaction', async () => {
  const request = { ...build.request, minReceivedAmount: '2.5' };
  expect(await codesOf({ ...build, request })).toContain('WRONG_AMOUNT');
  const changed = withArguments(1_000_000_000n, 2_500_000_000n, 0n);
  expect(changed && (await verifyBuild({ ...changed, request }))).toMatchObject({
    verdict: 'accepted',
  });
});
