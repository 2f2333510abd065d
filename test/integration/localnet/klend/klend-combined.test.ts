import { expect, test } from 'vitest';
import { type Address, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { userStateAddress } from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { depositReserveLiquidityAndObligationCollateralV2 } from '#core/protocol/klend/instructions/deposits.ts';
import {
  depositAndWithdraw,
  repayAndWithdrawAndRedeem,
} from '#core/protocol/klend/instructions/swaps.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from '#core/protocol/klend/instructions/withdrawals.ts';
import { obligation as obligationLayout } from '#core/protocol/klend/layout/obligation.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import {
  type LendingFlowVariant,
  lendingFlowVariant,
  runError,
  runVariant,
  variantInstruction,
  withAccountSlot,
  withFields,
} from '../../../support/flows/lending-flow-variants.ts';
import {
  decodeObligationAt,
  decodeReserveAt,
  positionReserves,
  refreshObligationInstruction,
  refreshReservesInstruction,
  tokenBalanceAt,
} from '../../../support/lending/refresh-instructions.ts';
import { numberedAddress } from '../../../support/protocol/codecs.ts';

const variant = lendingFlowVariant('24');
const recorded = variantInstruction(variant, 'repayAndWithdrawAndRedeem');
const { accounts } = repayAndWithdrawAndRedeem.decode(KLEND_PROGRAM, {
  data: recorded.data,
  accounts: recorded.accounts.map(({ address }) => address),
});

/** The loan of the flow: deposits of SOL and USDC, debt in USDC. */
const {
  owner,
  obligation: loan,
  lendingMarket,
  repayReserve: usdc,
  withdrawReserve: sol,
} = accounts;
const positions = positionReserves(variant.accounts, loan);
const lent = decodeReserveAt(variant.accounts, usdc);

const deposit = {
  owner,
  obligation: loan,
  lendingMarket,
  lendingMarketAuthority: accounts.withdrawLendingMarketAuthority,
  reserve: usdc,
  reserveLiquidityMint: lent.liquidity.mintPubkey,
  reserveLiquiditySupply: lent.liquidity.supplyVault,
  reserveCollateralMint: lent.collateral.mintPubkey,
  reserveDestinationDepositCollateral: lent.collateral.supplyVault,
  userSourceLiquidity: accounts.userSourceLiquidity,
  placeholderUserDestinationCollateral: undefined,
  collateralTokenProgram: TOKEN_PROGRAM,
  liquidityTokenProgram: TOKEN_PROGRAM,
  instructionSysvarAccount: accounts.instructionSysvarAccount,
};
const depositFarm = {
  obligationFarmUserState: userStateAddress(lent.farmCollateral, loan),
  reserveFarmState: lent.farmCollateral,
};
const withdrawFarm = {
  obligationFarmUserState: accounts.collateralObligationFarmUserState,
  reserveFarmState: accounts.collateralReserveFarmState,
};

const PAID = toLamports(300_000_000n);
const TAKEN = 1_500_000_000n;

/** All instructions before the operation. */
const before = [
  ...variant.instructions
    .slice(0, -1)
    .filter(({ programAddress }) => programAddress !== KLEND_PROGRAM),
  refreshReservesInstruction(variant, positions),
  refreshObligationInstruction(variant, loan, positions),
];

const swap = (withdrawCollateralAmount: bigint) =>
  depositAndWithdraw.build(KLEND_PROGRAM, {
    accounts: {
      ...accounts,
      ...deposit,
      depositObligationFarmUserState: depositFarm.obligationFarmUserState,
      depositReserveFarmState: depositFarm.reserveFarmState,
      withdrawObligationFarmUserState: withdrawFarm.obligationFarmUserState,
      withdrawReserveFarmState: withdrawFarm.reserveFarmState,
    },
    args: { liquidityAmount: PAID, withdrawCollateralAmount },
    remaining: positions.map((address) => ({ address, role: 1 })),
  });

const inOneStep = { ...variant, instructions: [...before, swap(TAKEN)] };

const inTwoSteps = {
  ...variant,
  instructions: [
    ...before,
    depositReserveLiquidityAndObligationCollateralV2.build(KLEND_PROGRAM, {
      accounts: { ...deposit, ...depositFarm, farmsProgram: FARMS_PROGRAM },
      args: { liquidityAmount: PAID },
    }),
    refreshReservesInstruction(variant, positions),
    refreshObligationInstruction(variant, loan, positions),
    withdrawObligationCollateralAndRedeemReserveCollateralV2.build(KLEND_PROGRAM, {
      accounts: {
        owner,
        obligation: loan,
        lendingMarket,
        lendingMarketAuthority: accounts.withdrawLendingMarketAuthority,
        withdrawReserve: sol,
        reserveLiquidityMint: accounts.withdrawReserveLiquidityMint,
        reserveSourceCollateral: accounts.withdrawReserveSourceCollateral,
        reserveCollateralMint: accounts.withdrawReserveCollateralMint,
        reserveLiquiditySupply: accounts.withdrawReserveLiquiditySupply,
        userDestinationLiquidity: accounts.withdrawUserDestinationLiquidity,
        placeholderUserDestinationCollateral: undefined,
        collateralTokenProgram: TOKEN_PROGRAM,
        liquidityTokenProgram: TOKEN_PROGRAM,
        instructionSysvarAccount: accounts.instructionSysvarAccount,
        ...withdrawFarm,
        farmsProgram: FARMS_PROGRAM,
      },
      args: { collateralAmount: TAKEN },
    }),
  ],
};

const amounts = ({ liquidity, collateral }: Reserve) => [
  liquidity.totalAvailableAmount,
  liquidity.borrowedAmountSf,
  collateral.mintTotalSupply,
];

test('depositAndWithdraw equals a deposit followed by a withdrawal', () => {
  const [one, two] = [runVariant(inOneStep), runVariant(inTwoSteps)];
  expect([one.error, two.error]).toEqual([undefined, undefined]);
  const actual = decodeObligationAt(one.live, loan);
  const expected = decodeObligationAt(two.live, loan);
  expect(actual.deposits.map(({ depositedAmount }) => depositedAmount)).toEqual(
    expected.deposits.map(({ depositedAmount }) => depositedAmount),
  );
  for (const reserve of [usdc, sol]) {
    expect(amounts(decodeReserveAt(one.live, reserve))).toEqual(
      amounts(decodeReserveAt(two.live, reserve)),
    );
  }
  const wallets = [accounts.userSourceLiquidity, accounts.withdrawUserDestinationLiquidity];
  expect(wallets.map((each) => tokenBalanceAt(one.live, each))).toEqual(
    wallets.map((each) => tokenBalanceAt(two.live, each)),
  );
  for (const { obligationFarmUserState: state } of [depositFarm, withdrawFarm]) {
    if (state === undefined) throw new Error('no farm');
    expect(userState.decode(one.live.get(state)).activeStakeScaled).toBe(
      userState.decode(two.live.get(state)).activeStakeScaled,
    );
  }
});

test('a swap marks the obligation and the withdrawal reserve as stale, not the deposit reserve', () => {
  const { live } = runVariant(inOneStep);
  expect(decodeObligationAt(live, loan).lastUpdate.stale).toBe(1);
  expect(decodeReserveAt(live, sol).lastUpdate.stale).toBe(1);
  expect(decodeReserveAt(live, usdc).lastUpdate.stale).toBe(0);
});

test('a swap must not worsen the loan: 6093', () => {
  const worse = { ...variant, instructions: [...before, swap(20_000_000_000n)] };
  expect(runError(worse)).toBe(6093);
});

test('a swap needs two reserves: 6133', () => {
  const name = 'depositAndWithdraw';
  const second = [
    ['withdrawReserve', usdc],
    ['withdrawReserveLiquidityMint', deposit.reserveLiquidityMint],
    ['withdrawReserveSourceCollateral', deposit.reserveDestinationDepositCollateral],
    ['withdrawReserveCollateralMint', deposit.reserveCollateralMint],
    ['withdrawReserveLiquiditySupply', deposit.reserveLiquiditySupply],
    ['withdrawUserDestinationLiquidity', deposit.userSourceLiquidity],
  ] as const;
  let same: LendingFlowVariant = inOneStep;
  for (const [slot, address] of second) same = withAccountSlot(same, [name, slot], address);
  expect(runError(same)).toBe(6133);
});

test('both operations need the same owner, obligation and market: 6112, 6113, 6114', () => {
  const other = numberedAddress(3);
  const ends = ['withdrawOwner', 'withdrawObligation', 'withdrawLendingMarket'].flatMap((slot) =>
    [inOneStep, variant].map((each) => {
      const name = each === variant ? 'repayAndWithdrawAndRedeem' : 'depositAndWithdraw';
      return runError(withAccountSlot(each, [name, slot], other));
    }),
  );
  expect(ends).toEqual([6112, 6112, 6113, 6113, 6114, 6114]);
});

const repayAll = (reserves: readonly Address[], withdrawCollateralAmount: bigint) =>
  repayAndWithdrawAndRedeem.build(KLEND_PROGRAM, {
    accounts,
    args: { repayAmount: toLamports(U64_MAX), withdrawCollateralAmount },
    remaining: reserves.map((address) => ({ address, role: 1 })),
  });

test('repaying everything leaves the reserve stale, which a deposit in it does not allow: 6009', () => {
  expect(positions).toEqual([sol, usdc, usdc]);
  const all = { ...variant, instructions: [...before, repayAll(positions, U64_MAX)] };
  expect(runError(all)).toBe(6009);
});

test('repaying everything lists the reserves of the position before it', () => {
  const single = withFields(variant, [obligationLayout, loan], (fields) => ({
    ...fields,
    deposits: fields.deposits.map((each) =>
      each.depositReserve === usdc
        ? { ...each, depositReserve: ZERO_ADDRESS, depositedAmount: 0n }
        : each,
    ),
  }));
  const reserves = [sol, usdc];
  const instructions = [
    ...before.slice(0, -1),
    refreshObligationInstruction(single, loan, reserves),
    repayAll(reserves, 1000n),
  ];
  const { error, live } = runVariant({ ...single, instructions });
  expect(error).toBeUndefined();
  expect(positionReserves(live, loan)).toEqual([sol]);
});
