import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import type { AccountMeta } from '#core/base/solana/instruction.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  callOf,
  endOf,
  type LendingScene,
  lendingScene,
  slotOf,
  withAccount,
  withCall,
  withFields,
  withoutCall,
  withSlot,
} from '../../../support/flows/lending-flow-variants.ts';
import { madeToken } from '../../../support/localnet/example-token.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const DEPOSIT = 'depositReserveLiquidityAndObligationCollateralV2';
const WITHDRAW = 'withdrawObligationCollateralAndRedeemReserveCollateralV2';
const BORROW = 'borrowObligationLiquidityV2';
const REPAY = 'repayObligationLiquidityV2';
const LIQUIDATE = 'liquidateObligationAndRedeemReserveCollateralV2';

const deposit = lendingScene('13');
const withdraw = lendingScene('04');
const borrow = lendingScene('02');
const repay = lendingScene('15');
const liquidation = lendingScene('29');
const otherReserve = slotOf(lendingScene('16'), DEPOSIT, 'reserve');
const stranger = numberedAddress(77);

/** With a new account of a token in one slot. */
function withTokens(
  scene: LendingScene,
  [name, slot]: readonly [string, string],
  token: { readonly mint: Address; readonly owner: Address; readonly tokenProgram?: Address },
): LendingScene {
  const account = madeToken({ tokenProgram: TOKEN_PROGRAM, ...token, amount: 10n ** 15n });
  return withSlot(withAccount(scene, stranger, account), [name, slot], stranger);
}

test.each([
  ['deposit', deposit],
  ['withdrawal', withdraw],
  ['loan', borrow],
  ['repayment', repay],
  ['liquidation', liquidation],
])('a %s goes through as it was recorded', (_, scene) => {
  expect(endOf(scene)).toBeUndefined();
});

test.each([
  ['deposit', deposit, [DEPOSIT, 'reserve']],
  ['withdrawal', withdraw, [WITHDRAW, 'withdrawReserve']],
  ['loan', borrow, [BORROW, 'borrowReserve']],
  ['repayment', repay, [REPAY, 'repayReserve']],
  ['liquidation', liquidation, [LIQUIDATE, 'withdrawReserve']],
] as const)('a %s with a reserve of another market fails with 2001', (_, scene, place) => {
  expect(endOf(withSlot(scene, place, otherReserve))).toBe(2001);
});

test.each([
  ['deposit', deposit, DEPOSIT],
  ['withdrawal', withdraw, WITHDRAW],
  ['loan', borrow, BORROW],
  ['repayment', repay, REPAY],
  ['liquidation', liquidation, LIQUIDATE],
])('a %s with another authority fails with 2006', (_, scene, name) => {
  expect(endOf(withSlot(scene, [name, 'lendingMarketAuthority'], stranger))).toBe(2006);
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
] as const)('%s with another account as its %s fails with 2012', (name, slot, scene) => {
  expect(endOf(withSlot(scene, [name, slot], stranger))).toBe(2012);
});

test('an obligation of another owner: 2001, where a loan is asked for 6019', () => {
  const foreign = (scene: LendingScene, name: string) =>
    withFields(scene, [obligation, slotOf(scene, name, 'obligation')], (fields) => ({
      ...fields,
      owner: stranger,
    }));
  expect(endOf(foreign(deposit, DEPOSIT))).toBe(2001);
  expect(endOf(foreign(withdraw, WITHDRAW))).toBe(2001);
  expect(endOf(foreign(borrow, BORROW))).toBe(6019);
});

test("anybody may repay another's debt", () => {
  const owned = withFields(repay, [obligation, slotOf(repay, REPAY, 'obligation')], (fields) => ({
    ...fields,
    owner: stranger,
  }));
  expect(endOf(owned)).toBeUndefined();
});

test("a token account of another mint fails with 2014, another owner's with 2015, none with 3012", () => {
  const owner = slotOf(deposit, DEPOSIT, 'owner');
  const mint = slotOf(deposit, DEPOSIT, 'reserveLiquidityMint');
  const other = slotOf(borrow, BORROW, 'borrowReserveLiquidityMint');
  const place = [DEPOSIT, 'userSourceLiquidity'] as const;
  expect(endOf(withTokens(deposit, place, { mint, owner }))).toBeUndefined();
  expect(endOf(withTokens(deposit, place, { mint: other, owner }))).toBe(2014);
  expect(endOf(withTokens(deposit, place, { mint, owner: numberedAddress(5) }))).toBe(2015);
  expect(endOf(withSlot(deposit, place, stranger))).toBe(3012);
});

test("a loan and a withdrawal go to the owner's own accounts", () => {
  const foreign = { owner: numberedAddress(5) };
  const lent = slotOf(borrow, BORROW, 'borrowReserveLiquidityMint');
  const taken = slotOf(withdraw, WITHDRAW, 'reserveLiquidityMint');
  const [loan, payout] = [
    withTokens(borrow, [BORROW, 'userDestinationLiquidity'], { mint: lent, ...foreign }),
    withTokens(withdraw, [WITHDRAW, 'userDestinationLiquidity'], { mint: taken, ...foreign }),
  ];
  expect([endOf(loan), endOf(payout)]).toEqual([2015, 2015]);
});

test('programs in the wrong slots: 3008, the wrong one of the two token programs: 2022', () => {
  const collateral = [DEPOSIT, 'collateralTokenProgram'] as const;
  const liquidity = [DEPOSIT, 'liquidityTokenProgram'] as const;
  expect(endOf(withSlot(deposit, collateral, TOKEN_2022_PROGRAM))).toBe(3008);
  expect(endOf(withSlot(deposit, liquidity, SYSTEM_PROGRAM))).toBe(3008);
  expect(endOf(withSlot(deposit, liquidity, TOKEN_2022_PROGRAM))).toBe(2022);
  expect(endOf(withSlot(deposit, [DEPOSIT, 'farmsProgram'], SYSTEM_PROGRAM))).toBe(3008);
});

test('a reserve with a farm needs its accounts: 6120 without, 6006 with others', () => {
  const state = [DEPOSIT, 'obligationFarmUserState'] as const;
  const farm = [DEPOSIT, 'reserveFarmState'] as const;
  const otherState = slotOf(withdraw, WITHDRAW, 'obligationFarmUserState');
  expect(endOf(withSlot(deposit, state, KLEND_PROGRAM))).toBe(6120);
  expect(endOf(withSlot(deposit, farm, KLEND_PROGRAM))).toBe(6120);
  expect(endOf(withSlot(deposit, farm, stranger))).toBe(6006);
  expect(endOf(withSlot(deposit, state, otherState))).toBe(6006);
});

test('refreshes list every reserve of the obligation, in order and writable: else 6006', () => {
  const scene = lendingScene('24');
  const name = 'refreshObligation';
  const listed = (change: (list: readonly number[]) => readonly number[]) =>
    withCall(scene, name, (call) => {
      const [market, own, ...list] = call.accounts;
      const order = change(list.map((_, i) => i));
      const rest = order.flatMap((i) => list[i] ?? []);
      return { ...call, accounts: [market, own, ...rest].flatMap((meta) => meta ?? []) };
    });
  expect(endOf(listed((list) => list))).toBeUndefined();
  expect(endOf(listed((list) => list.slice(1)))).toBe(6006);
  expect(endOf(listed((list) => [...list, 0]))).toBe(6006);
  expect(endOf(listed((list) => [1, 0, ...list.slice(2)]))).toBe(6006);
  const readOnly = withCall(scene, name, (call) => ({
    ...call,
    accounts: call.accounts.map((meta, i) => (i > 1 ? { ...meta, role: 0 } : meta)),
  }));
  expect(endOf(readOnly)).toBe(6006);
});

test('a loan in a group lists the reserves of all deposits: 6006, 2502, 3006', () => {
  const scene = lendingScene('12');
  const listed = (change: (last: AccountMeta) => readonly AccountMeta[]) =>
    withCall(scene, BORROW, (call) => {
      const last = call.accounts.slice(-1);
      return { ...call, accounts: [...call.accounts.slice(0, -1), ...last.flatMap(change)] };
    });
  expect(endOf(listed((last) => [last]))).toBeUndefined();
  expect(endOf(listed(() => []))).toBe(6006);
  expect(endOf(listed((last) => [{ ...last, address: otherReserve }]))).toBe(2502);
  expect(endOf(listed((last) => [{ ...last, role: 0 }]))).toBe(3006);
});

test('what is not refreshed in the slot: reserve 6009, obligation 6017', () => {
  expect(endOf(withoutCall(deposit, 'refreshObligation'))).toBe(6017);
  expect(endOf(withoutCall(borrow, 'refreshReserve'))).toBe(6009);
  expect(endOf(withCall(deposit, DEPOSIT, (call) => [call, call]))).toBe(6009);
});

test('a market in emergency mode refuses everything with 6042, a reserve with 6175', () => {
  const market = slotOf(deposit, DEPOSIT, 'lendingMarket');
  const closed = (scene: LendingScene) =>
    withFields(scene, [lendingMarket, market], (fields) => ({ ...fields, emergencyMode: 1 }));
  const scenes = [deposit, withdraw, borrow, repay, liquidation, lendingScene('28')];
  expect(scenes.map((scene) => endOf(closed(scene)))).toEqual(scenes.map(() => 6042));
  for (const name of ['refreshReserve', 'refreshObligation', DEPOSIT]) {
    expect(endOf(closed({ ...deposit, instructions: [callOf(deposit, name)] }))).toBe(6042);
  }
  const stopped = withFields(deposit, [reserve, slotOf(deposit, DEPOSIT, 'reserve')], (fields) => ({
    ...fields,
    config: { ...fields.config, emergencyMode: 1 },
  }));
  expect(endOf(stopped)).toBe(6175);
});

test('a reserve that is wound up takes no deposits: 6082', () => {
  const obsolete = withFields(
    deposit,
    [reserve, slotOf(deposit, DEPOSIT, 'reserve')],
    (fields) => ({
      ...fields,
      config: { ...fields.config, status: 1 },
    }),
  );
  expect(endOf(obsolete)).toBe(6082);
});

test('a reserve of another version is refused with 6073', () => {
  const address = slotOf(deposit, DEPOSIT, 'reserve');
  const account = deposit.accounts.get(address);
  if (account === undefined) throw new Error('no reserve');
  const data = account.data.slice();
  data[8] = 2;
  expect(endOf(withAccount(deposit, address, { ...account, data }))).toBe(6073);
});

test('no debt is repaid in the company of a restricted program: 6134', () => {
  const programAddress = toAddress('jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi');
  const accompanied = withCall(repay, REPAY, (call) => [
    call,
    { programAddress, accounts: [], data: new Uint8Array() },
  ]);
  expect(endOf(accompanied)).toBe(6134);
});

test('prices come from the oracle of the reserve: another account is refused with 6056', () => {
  expect(endOf(withSlot(deposit, ['refreshReserve', 'scopePrices'], stranger))).toBe(6056);
  expect(endOf(withSlot(deposit, ['refreshReserve', 'pythOracle'], stranger))).toBe(6054);
  expect(endOf(withSlot(deposit, ['refreshReserve', 'switchboardPriceOracle'], stranger))).toBe(
    6055,
  );
});

test('a healthy loan is not liquidated: 6016', () => {
  const address = slotOf(liquidation, LIQUIDATE, 'withdrawReserve');
  const safer = withFields(liquidation, [reserve, address], (fields) => ({
    ...fields,
    config: { ...fields.config, liquidationThresholdPct: 90 },
  }));
  expect(endOf(safer)).toBe(6016);
});
