import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { AccountMeta, Instruction, Role } from '#core/base/solana/instruction.ts';
import { flashBorrowReserveLiquidity } from '#core/protocol/klend/instructions/flash-borrow-reserve-liquidity.ts';
import { flashRepayReserveLiquidity } from '#core/protocol/klend/instructions/flash-repay-reserve-liquidity.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { setComputeUnitPrice } from '#core/protocol/spl/instructions/set-compute-unit-price.ts';
import { COMPUTE_BUDGET_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { ProgramRegistry } from '#localnet/runtime/program.ts';
import { goldenPrograms } from '../../../support/flows/flow-calls.ts';
import {
  accountInSlot,
  instructionIndex,
  type LendingFlowVariant,
  lendingFlowVariant,
  runError,
  runVariant,
  variantInstruction,
  withAccountSlot,
  withInstruction,
  withoutVariantInstruction,
} from '../../../support/flows/lending-flow-variants.ts';
import { testProgram } from '../../../support/localnet/test-programs.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const FARM_REFRESH = 'refreshObligationFarmsForReserve';

/** Up to the refresh behind its instruction of the first generation. */
function cut(number: string, name: string): readonly [string, LendingFlowVariant] {
  const scene = lendingFlowVariant(number);
  return [
    name,
    { ...scene, instructions: scene.instructions.slice(0, instructionIndex(scene, name) + 2) },
  ];
}

const first = [
  cut('18', 'depositReserveLiquidityAndObligationCollateral'),
  cut('19', 'borrowObligationLiquidity'),
  cut('20', 'repayObligationLiquidity'),
  cut('21', 'withdrawObligationCollateralAndRedeemReserveCollateral'),
];

test.each(first)('%s stands between the refreshes of its farm: else 6051', (name, scene) => {
  expect(runError(scene)).toBeUndefined();
  expect(runError(withoutVariantInstruction(scene, FARM_REFRESH))).toBe(6051);
  const place = instructionIndex(scene, name);
  const unrefreshed = scene.instructions.filter((_, i) => i !== place - 1);
  expect(runError({ ...scene, instructions: unrefreshed })).toBe(6051);
});

test.each(first)('%s behind the refresh of another reserve fails with 2502', (name, scene) => {
  const acted = instructionIndex(scene, name) - 3;
  const start = scene.instructions[acted]?.data ?? new Uint8Array();
  const other = scene.instructions.findIndex(({ data }) => bytesEqual(data, start));
  const order = scene.instructions.map((_, i) => (i === acted ? other : i === other ? acted : i));
  const instructions = order.flatMap((i) => scene.instructions[i] ?? []);
  expect(other).toBeLessThan(acted);
  expect(runError({ ...scene, instructions })).toBe(2502);
});

const price = setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, {
  accounts: {},
  args: { microLamports: 1n },
});

test.each(first)('%s next to another program fails with 2502', (name, scene) => {
  expect(runError(withInstruction(scene, name, (call) => [price, call]))).toBe(2502);
  expect(runError(withInstruction(scene, name, (call) => [call, price]))).toBe(2502);
});

test.each(first)('%s stops at a neighbour whose data is too short to tell', (name, scene) => {
  const limit = { ...price, data: Uint8Array.of(2, 0, 0, 1, 0) };
  expect(runError(withInstruction(scene, name, (call) => [limit, call]))).toBe(
    'ProgramFailedToComplete',
  );
});

const CALLER = numberedAddress(90);

/** A program that only passes a call on; `by` stands for it. */
function calledBy(
  scene: LendingFlowVariant,
  name: string,
  by: Address,
): { readonly scene: LendingFlowVariant; readonly programs: ProgramRegistry } {
  const inner = variantInstruction(scene, name);
  const outer: Instruction = {
    programAddress: by,
    accounts: [...inner.accounts, { address: KLEND_PROGRAM, role: 0 }],
    data: new Uint8Array(8),
  };
  const passing = testProgram((call) => call.invoke(inner));
  return {
    scene: withInstruction(scene, name, () => outer),
    programs: new Map([...goldenPrograms, [by, passing]]),
  };
}

test.each(first)('%s may not be called by any program: 6080', (name, scene) => {
  const called = calledBy(scene, name, CALLER);
  expect(runError(called.scene, called.programs)).toBe(6080);
  const trusted = calledBy(scene, name, KVAULT_PROGRAM);
  expect(runError(trusted.scene, trusted.programs)).toBeUndefined();
});

test('the second generation may be called by any program', () => {
  const name = 'borrowObligationLiquidityV2';
  const called = calledBy(lendingFlowVariant('02'), name, CALLER);
  expect(runError(called.scene, called.programs)).toBeUndefined();
});

const loan = lendingFlowVariant('28');
const BORROW = 'flashBorrowReserveLiquidity';
const REPAY = 'flashRepayReserveLiquidity';

test('a flash loan is repaid once in the same transaction: 6032, 6035', () => {
  expect(runError(loan)).toBeUndefined();
  expect(runError(withoutVariantInstruction(loan, REPAY))).toBe(6032);
  expect(runError(withInstruction(loan, REPAY, (call) => [call, call]))).toBe(6035);
  expect(runError(withInstruction(loan, BORROW, (call) => [call, call]))).toBe(6035);
});

const withArgs = (
  scene: LendingFlowVariant,
  liquidityAmount: bigint,
  borrowInstructionIndex: number,
) =>
  withInstruction(scene, REPAY, (call) => {
    const found = { data: call.data, accounts: call.accounts.map(({ address }) => address) };
    const { accounts } = flashRepayReserveLiquidity.decode(KLEND_PROGRAM, found);
    const args = { liquidityAmount: toLamports(liquidityAmount), borrowInstructionIndex };
    return flashRepayReserveLiquidity.build(KLEND_PROGRAM, { accounts, args });
  });

test('a flash repayment matches its loan in amount, place and accounts: else 6033', () => {
  const call = variantInstruction(loan, BORROW);
  const found = { data: call.data, accounts: call.accounts.map(({ address }) => address) };
  const { args } = flashBorrowReserveLiquidity.decode(KLEND_PROGRAM, found);
  const amount = args.liquidityAmount;
  const place = instructionIndex(loan, BORROW);
  expect(runError(withArgs(loan, amount, place))).toBeUndefined();
  expect(runError(withArgs(loan, amount - 1n, place))).toBe(6033);
  const misplaced = runVariant(withArgs(loan, amount, place + 1));
  expect(misplaced.error).toEqual({ InstructionError: [place, { Custom: 6033 }] });
  const vault = accountInSlot(loan, REPAY, 'reserveLiquidityFeeReceiver');
  expect(runError(withAccountSlot(loan, [REPAY, 'userSourceLiquidity'], vault))).toBe(6033);
  expect(runError(withoutVariantInstruction(loan, BORROW))).toBe(6033);
});

test('flash loans are for transactions, not for programs: 6031, 6034', () => {
  const borrowed = calledBy(loan, BORROW, CALLER);
  expect(runError(borrowed.scene, borrowed.programs)).toBe(6031);
  const alone = { ...loan, instructions: [variantInstruction(loan, REPAY)] };
  const repaid = calledBy(alone, REPAY, CALLER);
  expect(runError(repaid.scene, repaid.programs)).toBe(6034);
});

test('a slot that must be written or signed for is refused without: 2000, 3010', () => {
  const name = 'borrowObligationLiquidityV2';
  const granted = (role: Role) => (metas: readonly AccountMeta[], at: number) =>
    metas.map((meta, i) => (i === at ? { ...meta, role } : meta));
  const changed = (at: number, role: Role) =>
    withInstruction(lendingFlowVariant('02'), name, (call) => ({
      ...call,
      accounts: granted(role)(call.accounts, at),
    }));
  expect(runError(changed(0, 0))).toBe(3010);
  expect(runError(changed(1, 0))).toBe(2000);
});
