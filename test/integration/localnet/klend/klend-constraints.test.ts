import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import type { AccountMeta } from '#core/base/solana/instruction.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  accountInSlot,
  type LendingFlowVariant,
  lendingFlowVariant,
  runError,
  variantInstruction,
  withAccount,
  withAccountSlot,
  withFields,
  withInstruction,
  withoutVariantInstruction,
} from '../../../support/flows/lending-flow-variants.ts';
import { exampleTokenAccount } from '../../../support/localnet/example-token.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const DEPOSIT = 'depositReserveLiquidityAndObligationCollateralV2';
const WITHDRAW = 'withdrawObligationCollateralAndRedeemReserveCollateralV2';
const BORROW = 'borrowObligationLiquidityV2';
const REPAY = 'repayObligationLiquidityV2';
const LIQUIDATE = 'liquidateObligationAndRedeemReserveCollateralV2';

const deposit = lendingFlowVariant('13');
const withdraw = lendingFlowVariant('04');
const borrow = lendingFlowVariant('02');
const repay = lendingFlowVariant('15');
const liquidation = lendingFlowVariant('29');
const otherReserve = accountInSlot(lendingFlowVariant('16'), DEPOSIT, 'reserve');
const stranger = numberedAddress(77);

/** Replaces one account with a new token account. */
function withTokens(
  variant: LendingFlowVariant,
  [name, slot]: readonly [string, string],
  token: { readonly mint: Address; readonly owner: Address; readonly tokenProgram?: Address },
): LendingFlowVariant {
  const account = exampleTokenAccount({
    tokenProgram: TOKEN_PROGRAM,
    ...token,
    amount: 10n ** 15n,
  });
  return withAccountSlot(withAccount(variant, stranger, account), [name, slot], stranger);
}

test.each([
  ['deposit', deposit],
  ['withdrawal', withdraw],
  ['loan', borrow],
  ['repayment', repay],
  ['liquidation', liquidation],
])('a recorded %s succeeds', (_, variant) => {
  expect(runError(variant)).toBeUndefined();
});

test.each([
  ['deposit', deposit, [DEPOSIT, 'reserve']],
  ['withdrawal', withdraw, [WITHDRAW, 'withdrawReserve']],
  ['loan', borrow, [BORROW, 'borrowReserve']],
  ['repayment', repay, [REPAY, 'repayReserve']],
  ['liquidation', liquidation, [LIQUIDATE, 'withdrawReserve']],
] as const)('a %s with a reserve of another market fails with 2001', (_, variant, index) => {
  expect(runError(withAccountSlot(variant, index, otherReserve))).toBe(2001);
});

test.each([
  ['deposit', deposit, DEPOSIT],
  ['withdrawal', withdraw, WITHDRAW],
  ['loan', borrow, BORROW],
  ['repayment', repay, REPAY],
  ['liquidation', liquidation, LIQUIDATE],
])('a %s with another authority fails with 2006', (_, variant, name) => {
  expect(runError(withAccountSlot(variant, [name, 'lendingMarketAuthority'], stranger))).toBe(2006);
});

test.each([
  [DEPOSIT, 'reserveLiquidityMint', deposit],
  [DEPOSIT, 'reserveLiquiditySupply', deposit],
  [DEPOSIT, 'reserveCollateralMint', deposit],
  [DEPOSIT, 'reserveDestinationDepositCollateral', deposit],
  [DEPOSIT, 'instructionSysvarAccount', deposit],
  [WITHDRAW, 'reserveLiquidityMint', withdraw],
  [WITHDRAW, 'reserveSourceCollateral', withdraw],
  [WITHDRAW, 'reserveCollateralMint', withdraw],
  [WITHDRAW, 'reserveLiquiditySupply', withdraw],
  [BORROW, 'borrowReserveLiquidityMint', borrow],
  [BORROW, 'reserveSourceLiquidity', borrow],
  [BORROW, 'borrowReserveLiquidityFeeReceiver', borrow],
  [REPAY, 'reserveLiquidityMint', repay],
  [REPAY, 'reserveDestinationLiquidity', repay],
  [LIQUIDATE, 'repayReserveLiquiditySupply', liquidation],
  [LIQUIDATE, 'withdrawReserveCollateralSupply', liquidation],
  [LIQUIDATE, 'withdrawReserveLiquidityFeeReceiver', liquidation],
] as const)('%s with another account as its %s fails with 2012', (name, slot, variant) => {
  expect(runError(withAccountSlot(variant, [name, slot], stranger))).toBe(2012);
});

test('an obligation of another owner fails with 2001, for a borrow with 6019', () => {
  const foreign = (variant: LendingFlowVariant, name: string) =>
    withFields(variant, [obligation, accountInSlot(variant, name, 'obligation')], (fields) => ({
      ...fields,
      owner: stranger,
    }));
  expect(runError(foreign(deposit, DEPOSIT))).toBe(2001);
  expect(runError(foreign(withdraw, WITHDRAW))).toBe(2001);
  expect(runError(foreign(borrow, BORROW))).toBe(6019);
});

test("anyone can repay another wallet's debt", () => {
  const owned = withFields(
    repay,
    [obligation, accountInSlot(repay, REPAY, 'obligation')],
    (fields) => ({
      ...fields,
      owner: stranger,
    }),
  );
  expect(runError(owned)).toBeUndefined();
});

test('a token account of another mint fails with 2014, of another owner with 2015, a missing one with 3012', () => {
  const owner = accountInSlot(deposit, DEPOSIT, 'owner');
  const mint = accountInSlot(deposit, DEPOSIT, 'reserveLiquidityMint');
  const other = accountInSlot(borrow, BORROW, 'borrowReserveLiquidityMint');
  const index = [DEPOSIT, 'userSourceLiquidity'] as const;
  expect(runError(withTokens(deposit, index, { mint, owner }))).toBeUndefined();
  expect(runError(withTokens(deposit, index, { mint: other, owner }))).toBe(2014);
  expect(runError(withTokens(deposit, index, { mint, owner: numberedAddress(5) }))).toBe(2015);
  expect(runError(withAccountSlot(deposit, index, stranger))).toBe(3012);
});

test('a borrow and a withdrawal pay to accounts of the owner', () => {
  const foreign = { owner: numberedAddress(5) };
  const deposited = accountInSlot(borrow, BORROW, 'borrowReserveLiquidityMint');
  const withdrawn = accountInSlot(withdraw, WITHDRAW, 'reserveLiquidityMint');
  const [loan, payout] = [
    withTokens(borrow, [BORROW, 'userDestinationLiquidity'], { mint: deposited, ...foreign }),
    withTokens(withdraw, [WITHDRAW, 'userDestinationLiquidity'], { mint: withdrawn, ...foreign }),
  ];
  expect([runError(loan), runError(payout)]).toEqual([2015, 2015]);
});

test('a wrong program fails with 3008, the wrong token program with 2022', () => {
  const collateral = [DEPOSIT, 'collateralTokenProgram'] as const;
  const liquidity = [DEPOSIT, 'liquidityTokenProgram'] as const;
  expect(runError(withAccountSlot(deposit, collateral, TOKEN_2022_PROGRAM))).toBe(3008);
  expect(runError(withAccountSlot(deposit, liquidity, SYSTEM_PROGRAM))).toBe(3008);
  expect(runError(withAccountSlot(deposit, liquidity, TOKEN_2022_PROGRAM))).toBe(2022);
  expect(runError(withAccountSlot(deposit, [DEPOSIT, 'farmsProgram'], SYSTEM_PROGRAM))).toBe(3008);
});

test('a reserve with a farm requires its accounts: 6120 if missing, 6006 for others', () => {
  const state = [DEPOSIT, 'obligationFarmUserState'] as const;
  const farm = [DEPOSIT, 'reserveFarmState'] as const;
  const otherState = accountInSlot(withdraw, WITHDRAW, 'obligationFarmUserState');
  expect(runError(withAccountSlot(deposit, state, KLEND_PROGRAM))).toBe(6120);
  expect(runError(withAccountSlot(deposit, farm, KLEND_PROGRAM))).toBe(6120);
  expect(runError(withAccountSlot(deposit, farm, stranger))).toBe(6006);
  expect(runError(withAccountSlot(deposit, state, otherState))).toBe(6006);
});

test('a refresh lists every reserve of the obligation in order and writable: else 6006', () => {
  const variant = lendingFlowVariant('24');
  const name = 'refreshObligation';
  const listed = (change: (list: readonly number[]) => readonly number[]) =>
    withInstruction(variant, name, (call) => {
      const [market, ownReserve, ...list] = call.accounts;
      const order = change(list.map((_, i) => i));
      const rest = order.flatMap((i) => list[i] ?? []);
      return { ...call, accounts: [market, ownReserve, ...rest].flatMap((meta) => meta ?? []) };
    });
  expect(runError(listed((list) => list))).toBeUndefined();
  expect(runError(listed((list) => list.slice(1)))).toBe(6006);
  expect(runError(listed((list) => [...list, 0]))).toBe(6006);
  expect(runError(listed((list) => [1, 0, ...list.slice(2)]))).toBe(6006);
  const readOnly = withInstruction(variant, name, (call) => ({
    ...call,
    accounts: call.accounts.map((meta, i) => (i > 1 ? { ...meta, role: 0 } : meta)),
  }));
  expect(runError(readOnly)).toBe(6006);
});

test('a borrow in an elevation group lists the reserves of all deposits: 6006, 2502, 3006', () => {
  const variant = lendingFlowVariant('12');
  const listed = (change: (last: AccountMeta) => readonly AccountMeta[]) =>
    withInstruction(variant, BORROW, (call) => {
      const last = call.accounts.slice(-1);
      return { ...call, accounts: [...call.accounts.slice(0, -1), ...last.flatMap(change)] };
    });
  expect(runError(listed((last) => [last]))).toBeUndefined();
  expect(runError(listed(() => []))).toBe(6006);
  expect(runError(listed((last) => [{ ...last, address: otherReserve }]))).toBe(2502);
  expect(runError(listed((last) => [{ ...last, role: 0 }]))).toBe(3006);
});

test('a stale reserve fails with 6009, a stale obligation with 6017', () => {
  expect(runError(withoutVariantInstruction(deposit, 'refreshObligation'))).toBe(6017);
  expect(runError(withoutVariantInstruction(borrow, 'refreshReserve'))).toBe(6009);
  expect(runError(withInstruction(deposit, DEPOSIT, (call) => [call, call]))).toBe(6009);
});

test('a market in emergency mode fails with 6042, a reserve with 6175', () => {
  const market = accountInSlot(deposit, DEPOSIT, 'lendingMarket');
  const closed = (variant: LendingFlowVariant) =>
    withFields(variant, [lendingMarket, market], (fields) => ({ ...fields, emergencyMode: 1 }));
  const variants = [deposit, withdraw, borrow, repay, liquidation, lendingFlowVariant('28')];
  expect(variants.map((variant) => runError(closed(variant)))).toEqual(variants.map(() => 6042));
  for (const name of ['refreshReserve', 'refreshObligation', DEPOSIT]) {
    expect(
      runError(closed({ ...deposit, instructions: [variantInstruction(deposit, name)] })),
    ).toBe(6042);
  }
  const stopped = withFields(
    deposit,
    [reserve, accountInSlot(deposit, DEPOSIT, 'reserve')],
    (fields) => ({
      ...fields,
      config: { ...fields.config, emergencyMode: 1 },
    }),
  );
  expect(runError(stopped)).toBe(6175);
});

test('an obsolete reserve accepts no deposits: 6082', () => {
  const obsolete = withFields(
    deposit,
    [reserve, accountInSlot(deposit, DEPOSIT, 'reserve')],
    (fields) => ({
      ...fields,
      config: { ...fields.config, status: 1 },
    }),
  );
  expect(runError(obsolete)).toBe(6082);
});

test('a reserve of another version fails with 6073', () => {
  const address = accountInSlot(deposit, DEPOSIT, 'reserve');
  const account = deposit.accounts.get(address);
  if (account === undefined) throw new Error('no reserve');
  const data = account.data.slice();
  data[8] = 2;
  expect(runError(withAccount(deposit, address, { ...account, data }))).toBe(6073);
});

test('a repayment fails in a transaction with a restricted program: 6134', () => {
  const programAddress = toAddress('jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi');
  const accompanied = withInstruction(repay, REPAY, (call) => [
    call,
    { programAddress, accounts: [], data: new Uint8Array() },
  ]);
  expect(runError(accompanied)).toBe(6134);
});

test('another oracle account fails with 6056', () => {
  expect(runError(withAccountSlot(deposit, ['refreshReserve', 'scopePrices'], stranger))).toBe(
    6056,
  );
  expect(runError(withAccountSlot(deposit, ['refreshReserve', 'pythOracle'], stranger))).toBe(6054);
  expect(
    runError(withAccountSlot(deposit, ['refreshReserve', 'switchboardPriceOracle'], stranger)),
  ).toBe(6055);
});

test('a healthy loan cannot be liquidated: 6016', () => {
  const address = accountInSlot(liquidation, LIQUIDATE, 'withdrawReserve');
  const safer = withFields(liquidation, [reserve, address], (fields) => ({
    ...fields,
    config: { ...fields.config, liquidationThresholdPct: 90 },
  }));
  expect(runError(safer)).toBe(6016);
});
