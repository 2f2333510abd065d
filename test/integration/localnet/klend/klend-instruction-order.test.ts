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
import type { Programs } from '#localnet/runtime/program.ts';
import { goldenPrograms } from '../../../support/flows/flow-calls.ts';
import {
  callOf,
  endOf,
  type LendingScene,
  lendingScene,
  placeOf,
  runScene,
  slotOf,
  withCall,
  withoutCall,
  withSlot,
} from '../../../support/flows/lending-flow-variants.ts';
import { program } from '../../../support/localnet/test-programs.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const FARM_REFRESH = 'refreshObligationFarmsForReserve';

/** Up to the refresh behind its instruction of the first generation. */
function cut(number: string, name: string): readonly [string, LendingScene] {
  const scene = lendingScene(number);
  return [name, { ...scene, instructions: scene.instructions.slice(0, placeOf(scene, name) + 2) }];
}

const first = [
  cut('18', 'depositReserveLiquidityAndObligationCollateral'),
  cut('19', 'borrowObligationLiquidity'),
  cut('20', 'repayObligationLiquidity'),
  cut('21', 'withdrawObligationCollateralAndRedeemReserveCollateral'),
];

test.each(first)('%s stands between the refreshes of its farm: else 6051', (name, scene) => {
  expect(endOf(scene)).toBeUndefined();
  expect(endOf(withoutCall(scene, FARM_REFRESH))).toBe(6051);
  const place = placeOf(scene, name);
  const unrefreshed = scene.instructions.filter((_, i) => i !== place - 1);
  expect(endOf({ ...scene, instructions: unrefreshed })).toBe(6051);
});

test.each(first)('%s behind the refresh of another reserve fails with 2502', (name, scene) => {
  const acted = placeOf(scene, name) - 3;
  const start = scene.instructions[acted]?.data ?? new Uint8Array();
  const other = scene.instructions.findIndex(({ data }) => bytesEqual(data, start));
  const order = scene.instructions.map((_, i) => (i === acted ? other : i === other ? acted : i));
  const instructions = order.flatMap((i) => scene.instructions[i] ?? []);
  expect(other).toBeLessThan(acted);
  expect(endOf({ ...scene, instructions })).toBe(2502);
});

const price = setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, {
  accounts: {},
  args: { microLamports: 1n },
});

test.each(first)('%s next to another program fails with 2502', (name, scene) => {
  expect(endOf(withCall(scene, name, (call) => [price, call]))).toBe(2502);
  expect(endOf(withCall(scene, name, (call) => [call, price]))).toBe(2502);
});

test.each(first)('%s stops at a neighbour whose data is too short to tell', (name, scene) => {
  const limit = { ...price, data: Uint8Array.of(2, 0, 0, 1, 0) };
  expect(endOf(withCall(scene, name, (call) => [limit, call]))).toBe('ProgramFailedToComplete');
});

const CALLER = numberedAddress(90);

/** A program that only passes a call on; `by` stands for it. */
function calledBy(
  scene: LendingScene,
  name: string,
  by: Address,
): { readonly scene: LendingScene; readonly programs: Programs } {
  const inner = callOf(scene, name);
  const outer: Instruction = {
    programAddress: by,
    accounts: [...inner.accounts, { address: KLEND_PROGRAM, role: 0 }],
    data: new Uint8Array(8),
  };
  const passing = program((call) => call.invoke(inner));
  return {
    scene: withCall(scene, name, () => outer),
    programs: new Map([...goldenPrograms, [by, passing]]),
  };
}

test.each(first)('%s may not be called by any program: 6080', (name, scene) => {
  const called = calledBy(scene, name, CALLER);
  expect(endOf(called.scene, called.programs)).toBe(6080);
  const trusted = calledBy(scene, name, KVAULT_PROGRAM);
  expect(endOf(trusted.scene, trusted.programs)).toBeUndefined();
});

test('the second generation may be called by any program', () => {
  const name = 'borrowObligationLiquidityV2';
  const called = calledBy(lendingScene('02'), name, CALLER);
  expect(endOf(called.scene, called.programs)).toBeUndefined();
});

const loan = lendingScene('28');
const BORROW = 'flashBorrowReserveLiquidity';
const REPAY = 'flashRepayReserveLiquidity';

test('a flash loan is repaid once in the same transaction: 6032, 6035', () => {
  expect(endOf(loan)).toBeUndefined();
  expect(endOf(withoutCall(loan, REPAY))).toBe(6032);
  expect(endOf(withCall(loan, REPAY, (call) => [call, call]))).toBe(6035);
  expect(endOf(withCall(loan, BORROW, (call) => [call, call]))).toBe(6035);
});

const withArgs = (scene: LendingScene, liquidityAmount: bigint, borrowInstructionIndex: number) =>
  withCall(scene, REPAY, (call) => {
    const found = { data: call.data, accounts: call.accounts.map(({ address }) => address) };
    const { accounts } = flashRepayReserveLiquidity.decode(KLEND_PROGRAM, found);
    const args = { liquidityAmount: toLamports(liquidityAmount), borrowInstructionIndex };
    return flashRepayReserveLiquidity.build(KLEND_PROGRAM, { accounts, args });
  });

test('a flash repayment matches its loan in amount, place and accounts: else 6033', () => {
  const call = callOf(loan, BORROW);
  const found = { data: call.data, accounts: call.accounts.map(({ address }) => address) };
  const { args } = flashBorrowReserveLiquidity.decode(KLEND_PROGRAM, found);
  const amount = args.liquidityAmount;
  const place = placeOf(loan, BORROW);
  expect(endOf(withArgs(loan, amount, place))).toBeUndefined();
  expect(endOf(withArgs(loan, amount - 1n, place))).toBe(6033);
  const misplaced = runScene(withArgs(loan, amount, place + 1));
  expect(misplaced.error).toEqual({ InstructionError: [place, { Custom: 6033 }] });
  const vault = slotOf(loan, REPAY, 'reserveLiquidityFeeReceiver');
  expect(endOf(withSlot(loan, [REPAY, 'userSourceLiquidity'], vault))).toBe(6033);
  expect(endOf(withoutCall(loan, BORROW))).toBe(6033);
});

test('flash loans are for transactions, not for programs: 6031, 6034', () => {
  const borrowed = calledBy(loan, BORROW, CALLER);
  expect(endOf(borrowed.scene, borrowed.programs)).toBe(6031);
  const alone = { ...loan, instructions: [callOf(loan, REPAY)] };
  const repaid = calledBy(alone, REPAY, CALLER);
  expect(endOf(repaid.scene, repaid.programs)).toBe(6034);
});

test('a slot that must be written or signed for is refused without: 2000, 3010', () => {
  const name = 'borrowObligationLiquidityV2';
  const granted = (role: Role) => (metas: readonly AccountMeta[], at: number) =>
    metas.map((meta, i) => (i === at ? { ...meta, role } : meta));
  const changed = (at: number, role: Role) =>
    withCall(lendingScene('02'), name, (call) => ({
      ...call,
      accounts: granted(role)(call.accounts, at),
    }));
  expect(endOf(changed(0, 0))).toBe(3010);
  expect(endOf(changed(1, 0))).toBe(2000);
});
