import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromBits, sfFromPercent } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import {
  fillBorrowOrder,
  type fillBorrowOrderAccounts,
  setBorrowOrder,
  setObligationOrder,
} from '#core/protocol/klend/instructions/orders.ts';
import { lendingMarket as lendingMarketLayout } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation as obligationLayout } from '#core/protocol/klend/layout/obligation.ts';
import { ALL_DEBT } from '#core/protocol/klend/operations/obligation-orders.ts';
import { eventAuthority } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { INSTRUCTIONS_SYSVAR } from '#core/protocol/spl/programs.ts';
import {
  accountInSlot,
  type LendingFlowVariant,
  lendingFlowVariant,
  runError,
  runVariant,
  variantInstruction,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import { zeroed } from '../../../support/lending/lending-accounts.ts';
import {
  decodeObligationAt,
  tokenBalanceAt,
} from '../../../support/lending/refresh-instructions.ts';

const BORROW = 'borrowObligationLiquidityV2';
const HAS_ONE = 2001;
const CLOSE_ACCOUNT = 9;

/** The recorded loan of a borrow, in a market with orders. */
function orderCase() {
  const recorded = lendingFlowVariant('02');
  const slot = (account: string) => accountInSlot(recorded, BORROW, account);
  const market = slot('lendingMarket');
  const variant = withFields(recorded, [lendingMarketLayout, market], (fields) => ({
    ...fields,
    obligationOrderCreationEnabled: 1,
    borrowOrderCreationEnabled: 1,
    borrowOrderExecutionEnabled: 1,
  }));
  const [owner, obligation, reserve] = [slot('owner'), slot('obligation'), slot('borrowReserve')];
  const destination = slot('userDestinationLiquidity');
  const order = { ...zeroed(obligationLayout).obligationOrders[0], ...stopLoss };
  const setTrigger = (signer = owner) =>
    setObligationOrder.build(KLEND_PROGRAM, {
      accounts: { owner: signer, obligation, lendingMarket: market },
      args: { index: 1, ...withPadding(order) },
    });
  const setOrder = (amount: bigint) =>
    setBorrowOrder.build(KLEND_PROGRAM, {
      accounts: {
        owner,
        obligation,
        lendingMarket: market,
        reserve,
        filledDebtDestination: destination,
        debtLiquidityMint: slot('borrowReserveLiquidityMint'),
        instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
        eventAuthority: eventAuthority(),
        program: KLEND_PROGRAM,
      },
      args: {
        remainingDebtAmount: toLamports(amount),
        maxBorrowRateBps: amount === 0n ? 0 : 100_000,
        minDebtTermSeconds: 0n,
        fillableUntilTimestamp: toUnixSeconds(amount === 0n ? 0n : variant.at.unix + 60n),
        enableAutoRolloverOnFilledBorrows: 0,
        minExpectedCurrentRemainingDebtAmount: toLamports(0n),
      },
    });
  return { variant, obligation, destination, setTrigger, setOrder };
}

const stopLoss = {
  conditionType: 1,
  conditionThresholdSf: sfFromPercent(70n),
  opportunityType: 1,
  opportunityParameterSf: sfFromBits(ALL_DEBT),
  minExecutionBonusBps: 10,
  maxExecutionBonusBps: 200,
};

const withPadding = (order: typeof stopLoss) => ({
  ...order,
  padding1: new Uint8Array(10),
  padding2: new Uint8Array(80),
});

/** The recorded instructions with the borrow replaced by the fill of an order. */
function withFill(variant: LendingFlowVariant): LendingFlowVariant['instructions'] {
  const borrow = variantInstruction(variant, BORROW);
  const names: readonly (keyof typeof fillBorrowOrderAccounts)[] = [
    'obligation',
    'lendingMarket',
    'lendingMarketAuthority',
    'borrowReserve',
    'borrowReserveLiquidityMint',
    'reserveSourceLiquidity',
    'borrowReserveLiquidityFeeReceiver',
    'userDestinationLiquidity',
    'tokenProgram',
    'instructionSysvarAccount',
    'farmsProgram',
  ];
  const slot = (account: string) => accountInSlot(variant, BORROW, account);
  const optional = (account: string) =>
    slot(account) === KLEND_PROGRAM ? undefined : slot(account);
  const named = Object.fromEntries(names.map((name) => [name, slot(name)])) as Record<
    (typeof names)[number],
    ReturnType<typeof slot>
  >;
  const fill = fillBorrowOrder.build(KLEND_PROGRAM, {
    accounts: {
      ...named,
      payer: slot('owner'),
      referrerTokenState: optional('referrerTokenState'),
      obligationFarmUserState: optional('obligationFarmUserState'),
      reserveFarmState: optional('reserveFarmState'),
      eventAuthority: eventAuthority(),
      program: KLEND_PROGRAM,
    },
    args: {},
  });
  return variant.instructions.map((each) => (each === borrow ? fill : each));
}

test('an owner sets an obligation order', () => {
  const { variant, obligation, setTrigger } = orderCase();
  const { error, live } = runVariant({ ...variant, instructions: [setTrigger()] });
  expect(error).toBeUndefined();
  expect(decodeObligationAt(live, obligation).obligationOrders[1]).toMatchObject(stopLoss);
  const other = setTrigger(accountInSlot(variant, BORROW, 'borrowReserve'));
  expect(runError({ ...variant, instructions: [other] })).toBe(HAS_ONE);
});

test('a borrow order is placed, filled by anyone and gone', () => {
  const { variant, obligation, setOrder } = orderCase();
  const placed = runVariant({ ...variant, instructions: [setOrder(1_000_000n)] });
  expect(placed.error).toBeUndefined();
  expect(decodeObligationAt(placed.live, obligation).headBorrowOrder).toMatchObject({
    remainingDebtAmount: 1_000_000n,
    active: 1,
    placedAtTimestamp: variant.at.unix,
  });
  const filled = runVariant({
    ...variant,
    instructions: [setOrder(1_000_000n), ...withFill(variant)],
  });
  expect(filled.error).toBeUndefined();
  const after = decodeObligationAt(filled.live, obligation);
  expect(after.headBorrowOrder).toMatchObject({ remainingDebtAmount: 0n, active: 0 });
  expect(after.hasDebt).toBe(1);
});

test('a cancelled order cannot be filled', () => {
  const { variant, obligation, setOrder } = orderCase();
  const cancelled = [setOrder(1_000_000n), setOrder(0n)];
  const { live } = runVariant({ ...variant, instructions: cancelled });
  expect(decodeObligationAt(live, obligation).headBorrowOrder.active).toBe(0);
  const failure = runError({ ...variant, instructions: [...cancelled, ...withFill(variant)] });
  expect(failure).toBe(6135);
});

test('the destination of the order receives the tokens', () => {
  const { variant, destination, setOrder } = orderCase();
  // The recorded transaction closes the token account at its end.
  const instructions = variant.instructions.filter((each) => each.data[0] !== CLOSE_ACCOUNT);
  const fill = withFill({ ...variant, instructions });
  const { error, live } = runVariant({ ...variant, instructions: [setOrder(2_000n), ...fill] });
  expect(error).toBeUndefined();
  const before = variant.accounts.has(destination)
    ? tokenBalanceAt(variant.accounts, destination)
    : 0n;
  expect(tokenBalanceAt(live, destination) - before).toBe(2_000n);
});
