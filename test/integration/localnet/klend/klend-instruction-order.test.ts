import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { AccountMeta, Instruction, Role } from '#core/base/solana/instruction.ts';
import {
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
} from '#core/protocol/klend/instructions/borrows.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { setComputeUnitPrice } from '#core/protocol/spl/instructions/compute-budget.ts';
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
  withFields,
  withInstruction,
  withoutVariantInstruction,
} from '../../../support/flows/lending-flow-variants.ts';
import { testProgram } from '../../../support/localnet/test-programs.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const FARM_REFRESH = 'refreshObligationFarmsForReserve';

/** The flow up to the farm refresh after its V1 instruction. */
function cut(number: string, name: string): readonly [string, LendingFlowVariant] {
  const variant = lendingFlowVariant(number);
  return [
    name,
    {
      ...variant,
      instructions: variant.instructions.slice(0, instructionIndex(variant, name) + 2),
    },
  ];
}

const first = [
  cut('18', 'depositReserveLiquidityAndObligationCollateral'),
  cut('19', 'borrowObligationLiquidity'),
  cut('20', 'repayObligationLiquidity'),
  cut('21', 'withdrawObligationCollateralAndRedeemReserveCollateral'),
];

test.each(first)('%s must be between the refreshes of its farm: else 6051', (name, variant) => {
  expect(runError(variant)).toBeUndefined();
  expect(runError(withoutVariantInstruction(variant, FARM_REFRESH))).toBe(6051);
  const index = instructionIndex(variant, name);
  const unrefreshed = variant.instructions.filter((_, i) => i !== index - 1);
  expect(runError({ ...variant, instructions: unrefreshed })).toBe(6051);
});

test.each(first)('%s after the refresh of another reserve fails with 2502', (name, variant) => {
  const operationReserve = instructionIndex(variant, name) - 3;
  const start = variant.instructions[operationReserve]?.data ?? new Uint8Array();
  const other = variant.instructions.findIndex(({ data }) => bytesEqual(data, start));
  const order = variant.instructions.map((_, i) =>
    i === operationReserve ? other : i === other ? operationReserve : i,
  );
  const instructions = order.flatMap((i) => variant.instructions[i] ?? []);
  expect(other).toBeLessThan(operationReserve);
  expect(runError({ ...variant, instructions })).toBe(2502);
});

const price = setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, {
  accounts: {},
  args: { microLamports: 1n },
});

test.each(first)('%s next to another program fails with 2502', (name, variant) => {
  expect(runError(withInstruction(variant, name, (call) => [price, call]))).toBe(2502);
  expect(runError(withInstruction(variant, name, (call) => [call, price]))).toBe(2502);
});

test.each(first)('%s panics if a neighbouring instruction has too little data', (name, variant) => {
  const limit = { ...price, data: Uint8Array.of(2, 0, 0, 1, 0) };
  expect(runError(withInstruction(variant, name, (call) => [limit, call]))).toBe(
    'ProgramFailedToComplete',
  );
});

const CALLER = numberedAddress(90);

/** A program that only forwards a call. */
function calledBy(
  variant: LendingFlowVariant,
  name: string,
  by: Address,
): { readonly variant: LendingFlowVariant; readonly programs: ProgramRegistry } {
  const inner = variantInstruction(variant, name);
  const outer: Instruction = {
    programAddress: by,
    accounts: [...inner.accounts, { address: KLEND_PROGRAM, role: 0 }],
    data: new Uint8Array(8),
  };
  const passing = testProgram((call) => call.invoke(inner));
  return {
    variant: withInstruction(variant, name, () => outer),
    programs: new Map([...goldenPrograms, [by, passing]]),
  };
}

test.each(first)('%s cannot be called by any program: 6080', (name, variant) => {
  const called = calledBy(variant, name, CALLER);
  expect(runError(called.variant, called.programs)).toBe(6080);
  const trusted = calledBy(variant, name, KVAULT_PROGRAM);
  expect(runError(trusted.variant, trusted.programs)).toBeUndefined();
});

test('V2 instructions can be called by any program', () => {
  const name = 'borrowObligationLiquidityV2';
  const called = calledBy(lendingFlowVariant('02'), name, CALLER);
  expect(runError(called.variant, called.programs)).toBeUndefined();
});

const loan = lendingFlowVariant('28');
const BORROW = 'flashBorrowReserveLiquidity';
const REPAY = 'flashRepayReserveLiquidity';

test('a flash loan is repaid exactly once in the same transaction: 6032, 6035', () => {
  expect(runError(loan)).toBeUndefined();
  expect(runError(withoutVariantInstruction(loan, REPAY))).toBe(6032);
  expect(runError(withInstruction(loan, REPAY, (call) => [call, call]))).toBe(6035);
  expect(runError(withInstruction(loan, BORROW, (call) => [call, call]))).toBe(6035);
});

test('a missing repayment is found before the missing liquidity, a closed reserve before both', () => {
  const dry = withFields(
    withoutVariantInstruction(loan, REPAY),
    [reserveLayout, accountInSlot(loan, BORROW, 'reserve')],
    (fields) => ({
      ...fields,
      liquidity: { ...fields.liquidity, totalAvailableAmount: toLamports(0n) },
    }),
  );
  expect(runError(dry)).toBe(6032);
  const closed = withFields(
    dry,
    [reserveLayout, accountInSlot(loan, BORROW, 'reserve')],
    (fields) => ({ ...fields, config: { ...fields.config, status: 1 } }),
  );
  expect(runError(closed)).toBe(6082);
});

const withArgs = (
  variant: LendingFlowVariant,
  liquidityAmount: bigint,
  borrowInstructionIndex: number,
) =>
  withInstruction(variant, REPAY, (call) => {
    const found = { data: call.data, accounts: call.accounts.map(({ address }) => address) };
    const { accounts } = flashRepayReserveLiquidity.decode(KLEND_PROGRAM, found);
    const args = { liquidityAmount: toLamports(liquidityAmount), borrowInstructionIndex };
    return flashRepayReserveLiquidity.build(KLEND_PROGRAM, { accounts, args });
  });

test('a flash repayment matches its loan in amount, index and accounts: else 6033', () => {
  const call = variantInstruction(loan, BORROW);
  const found = { data: call.data, accounts: call.accounts.map(({ address }) => address) };
  const { args } = flashBorrowReserveLiquidity.decode(KLEND_PROGRAM, found);
  const amount = args.liquidityAmount;
  const index = instructionIndex(loan, BORROW);
  expect(runError(withArgs(loan, amount, index))).toBeUndefined();
  expect(runError(withArgs(loan, amount - 1n, index))).toBe(6033);
  const misplaced = runVariant(withArgs(loan, amount, index + 1));
  expect(misplaced.error).toEqual({ InstructionError: [index, { Custom: 6033 }] });
  const vault = accountInSlot(loan, REPAY, 'reserveLiquidityFeeReceiver');
  expect(runError(withAccountSlot(loan, [REPAY, 'userSourceLiquidity'], vault))).toBe(6033);
  expect(runError(withoutVariantInstruction(loan, BORROW))).toBe(6033);
});

test('programs cannot call flash loan instructions: 6031, 6034', () => {
  const borrowed = calledBy(loan, BORROW, CALLER);
  expect(runError(borrowed.variant, borrowed.programs)).toBe(6031);
  const alone = { ...loan, instructions: [variantInstruction(loan, REPAY)] };
  const repaid = calledBy(alone, REPAY, CALLER);
  expect(runError(repaid.variant, repaid.programs)).toBe(6034);
});

test('a required writable or signer account fails otherwise: 2000, 3010', () => {
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
