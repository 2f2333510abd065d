import { expect, test } from 'vitest';
import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import {
  markObligationForDeleveraging,
  socializeLossV2,
} from '#core/protocol/klend/instructions/administration.ts';
import { rolloverFixedTermBorrow } from '#core/protocol/klend/instructions/orders.ts';
import { lendingMarket as lendingMarketLayout } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation as obligationLayout } from '#core/protocol/klend/layout/obligation.ts';
import { reserve as reserveLayout } from '#core/protocol/klend/layout/reserve.ts';
import { lendingMarketAuthority } from '#core/protocol/klend/pda.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { INSTRUCTIONS_SYSVAR } from '#core/protocol/spl/programs.ts';
import {
  accountInSlot,
  type LendingFlowVariant,
  lendingFlowVariant,
  runError,
  runVariant,
  withChanges,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import {
  decodeObligationAt,
  decodeReserveAt,
  positionReserves,
  refreshObligationInstruction,
  refreshReservesInstruction,
} from '../../../support/lending/refresh-instructions.ts';

const BORROW = 'borrowObligationLiquidityV2';
const HAS_ONE = 2001;
const DAY = 86_400n;

/** The recorded loan after its borrow. */
function borrowed() {
  const recorded = lendingFlowVariant('02');
  const { live } = runVariant(recorded);
  const slot = (account: string) => accountInSlot(recorded, BORROW, account);
  const market = slot('lendingMarket');
  const variant = withFields(
    withChanges(recorded, live),
    [lendingMarketLayout, market],
    (fields) => ({
      ...fields,
      individualAutodeleverageMarginCallPeriodSecs: DAY,
      fixedTermRolloverWindowDurationSeconds: DAY,
    }),
  );
  const account = variant.accounts.get(market);
  if (account === undefined) throw new Error('no market');
  return {
    variant,
    market,
    marketOwner: lendingMarketLayout.decode(account).lendingMarketOwner,
    user: slot('owner'),
    obligation: slot('obligation'),
    reserve: slot('borrowReserve'),
    slot,
  };
}

/** Refreshes of the reserves and the loan in this slot, then the instruction. */
const afterRefresh = (
  variant: LendingFlowVariant,
  obligation: Address,
  last: LendingFlowVariant['instructions'][number],
): LendingFlowVariant => {
  const positions = positionReserves(variant.accounts, obligation);
  const refreshReserves = refreshReservesInstruction(variant, positions);
  const refresh = refreshObligationInstruction(variant, obligation, positions);
  return { ...variant, instructions: [refreshReserves, refresh, last] };
};

test('the market owner starts and ends the margin call of a loan', () => {
  const { variant, market, marketOwner, user, obligation } = borrowed();
  const mark = (target: number, signer = marketOwner) =>
    markObligationForDeleveraging.build(KLEND_PROGRAM, {
      accounts: {
        lendingMarketOwner: signer,
        obligation,
        lendingMarket: market,
        instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      },
      args: { autodeleverageTargetLtvPct: target },
    });
  const after = (...instructions: LendingFlowVariant['instructions']) => {
    const { live, error } = runVariant({ ...variant, instructions });
    expect(error).toBeUndefined();
    return decodeObligationAt(live, obligation);
  };
  expect(after(mark(40))).toMatchObject({
    autodeleverageTargetLtvPct: 40,
    autodeleverageMarginCallStartedTimestamp: variant.at.unix,
  });
  expect(after(mark(40), mark(255))).toMatchObject({
    autodeleverageTargetLtvPct: 0,
    autodeleverageMarginCallStartedTimestamp: 0n,
  });
  expect(runError({ ...variant, instructions: [mark(40, user)] })).toBe(HAS_ONE);
});

test('a loss is socialized for a loan without deposits only', () => {
  const { variant, market, marketOwner, obligation, reserve } = borrowed();
  const socialize = socializeLossV2.build(KLEND_PROGRAM, {
    accounts: {
      lendingMarketOwner: marketOwner,
      obligation,
      lendingMarket: market,
      reserve,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      obligationFarmUserState: undefined,
      reserveFarmState: undefined,
      lendingMarketAuthority: lendingMarketAuthority(market),
      farmsProgram: FARMS_PROGRAM,
    },
    args: { liquidityAmount: toLamports(1_000n) },
  });
  expect(runError(afterRefresh(variant, obligation, socialize))).toBe(6062);
  const empty = withFields(variant, [obligationLayout, obligation], (fields) => ({
    ...fields,
    deposits: fields.deposits.map((deposit) => ({
      ...deposit,
      depositReserve: ZERO_ADDRESS,
      depositedAmount: 0n,
    })),
  }));
  const run = afterRefresh(empty, obligation, socialize);
  const refreshed = runVariant({ ...run, instructions: run.instructions.slice(0, -1) }).live;
  const { live, error } = runVariant(run);
  expect(error).toBeUndefined();
  const debtOf = (accounts: typeof live) =>
    decodeObligationAt(accounts, obligation).borrows.find((each) => each.borrowReserve === reserve)
      ?.borrowedAmountSf ?? 0n;
  expect(debtOf(refreshed) - debtOf(live)).toBe(sfFromInt(1_000n));
  const lent = (accounts: typeof live) =>
    decodeReserveAt(accounts, reserve).liquidity.borrowedAmountSf;
  expect(lent(refreshed) - lent(live)).toBe(sfFromInt(1_000n));
});

test('anyone starts the term of a debt again near its end, if its owner wants it', () => {
  const { variant, market, user, obligation, reserve, slot } = borrowed();
  const withTerm = withFields(variant, [reserveLayout, reserve], (fields) => ({
    ...fields,
    config: { ...fields.config, debtTermSeconds: 10n * DAY },
  }));
  const owned = (autoRolloverEnabled: number) =>
    withFields(withTerm, [obligationLayout, obligation], (fields) => ({
      ...fields,
      elevationGroup: 0,
      borrows: fields.borrows.map((borrow) => ({
        ...borrow,
        lastBorrowedAtTimestamp: toUnixSeconds(variant.at.unix - 10n * DAY + 60n),
        fixedTermBorrowRolloverConfig: {
          ...borrow.fixedTermBorrowRolloverConfig,
          autoRolloverEnabled,
          maxBorrowRateBps: 1_000_000,
          minDebtTermSeconds: DAY,
        },
      })),
    }));
  const rollover = rolloverFixedTermBorrow.build(KLEND_PROGRAM, {
    accounts: {
      payer: user,
      obligation,
      lendingMarket: market,
      lendingMarketAuthority: lendingMarketAuthority(market),
      sourceBorrowReserve: reserve,
      targetBorrowReserve: reserve,
      liquidityMint: slot('borrowReserveLiquidityMint'),
      sourceBorrowReserveLiquidity: slot('reserveSourceLiquidity'),
      targetBorrowReserveLiquidity: slot('reserveSourceLiquidity'),
      tokenProgram: slot('tokenProgram'),
      sourceObligationFarmUserState: undefined,
      sourceReserveFarmState: undefined,
      targetObligationFarmUserState: undefined,
      targetReserveFarmState: undefined,
      farmsProgram: FARMS_PROGRAM,
    },
    args: {},
  });
  const { live, error } = runVariant(afterRefresh(owned(1), obligation, rollover));
  expect(error).toBeUndefined();
  const [debt] = decodeObligationAt(live, obligation).borrows;
  expect(debt?.lastBorrowedAtTimestamp).toBe(variant.at.unix);
  // ObligationBorrowRolloverNotEnabledByOwner
  expect(runError(afterRefresh(owned(0), obligation, rollover))).toBe(6162);
});
