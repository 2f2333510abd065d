import { expect, test } from 'vitest';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { userStateAddress } from '#core/protocol/farms/pda.ts';
import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { depositAndWithdraw } from '#core/protocol/klend/instructions/deposit-and-withdraw.ts';
import { depositReserveLiquidityAndObligationCollateralV2 } from '#core/protocol/klend/instructions/deposit-reserve-liquidity-and-obligation-collateral-v2.ts';
import { repayAndWithdrawAndRedeem } from '#core/protocol/klend/instructions/repay-and-withdraw-and-redeem.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from '#core/protocol/klend/instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral-v2.ts';
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

const scene = lendingFlowVariant('24');
const recorded = variantInstruction(scene, 'repayAndWithdrawAndRedeem');
const { accounts } = repayAndWithdrawAndRedeem.decode(KLEND_PROGRAM, {
  data: recorded.data,
  accounts: recorded.accounts.map(({ address }) => address),
});

/** The loan of the flow: it has SOL and USDC, and owes USDC. */
const {
  owner,
  obligation: own,
  lendingMarket,
  repayReserve: usdc,
  withdrawReserve: sol,
} = accounts;
const positions = positionReserves(scene.accounts, own);
const lent = decodeReserveAt(scene.accounts, usdc);

const deposit = {
  owner,
  obligation: own,
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
  obligationFarmUserState: userStateAddress(lent.farmCollateral, own),
  reserveFarmState: lent.farmCollateral,
};
const withdrawFarm = {
  obligationFarmUserState: accounts.collateralObligationFarmUserState,
  reserveFarmState: accounts.collateralReserveFarmState,
};

const PAID = toLamports(300_000_000n);
const TAKEN = 1_500_000_000n;

/** Everything up to the operation itself. */
const before = [
  ...scene.instructions
    .slice(0, -1)
    .filter(({ programAddress }) => programAddress !== KLEND_PROGRAM),
  refreshReservesInstruction(scene, positions),
  refreshObligationInstruction(scene, own, positions),
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

const inOneStep = { ...scene, instructions: [...before, swap(TAKEN)] };

const inTwoSteps = {
  ...scene,
  instructions: [
    ...before,
    depositReserveLiquidityAndObligationCollateralV2.build(KLEND_PROGRAM, {
      accounts: { ...deposit, ...depositFarm, farmsProgram: FARMS_PROGRAM },
      args: { liquidityAmount: PAID },
    }),
    refreshReservesInstruction(scene, positions),
    refreshObligationInstruction(scene, own, positions),
    withdrawObligationCollateralAndRedeemReserveCollateralV2.build(KLEND_PROGRAM, {
      accounts: {
        owner,
        obligation: own,
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

test('a deposit swapped for another in one instruction leaves what the two leave one after the other', () => {
  const [one, two] = [runVariant(inOneStep), runVariant(inTwoSteps)];
  expect([one.error, two.error]).toEqual([undefined, undefined]);
  const ours = decodeObligationAt(one.live, own);
  const theirs = decodeObligationAt(two.live, own);
  expect(ours.deposits.map(({ depositedAmount }) => depositedAmount)).toEqual(
    theirs.deposits.map(({ depositedAmount }) => depositedAmount),
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

test('a swap marks the obligation and the reserve it takes from as changed, not the other', () => {
  const { live } = runVariant(inOneStep);
  expect(decodeObligationAt(live, own).lastUpdate.stale).toBe(1);
  expect(decodeReserveAt(live, sol).lastUpdate.stale).toBe(1);
  expect(decodeReserveAt(live, usdc).lastUpdate.stale).toBe(0);
});

test('a swap may not make the loan worse: 6093', () => {
  const worse = { ...scene, instructions: [...before, swap(20_000_000_000n)] };
  expect(runError(worse)).toBe(6093);
});

test('a swap has two reserves: 6133', () => {
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

test('both halves act for one owner on one obligation of one market: 6112, 6113, 6114', () => {
  const other = numberedAddress(3);
  const ends = ['withdrawOwner', 'withdrawObligation', 'withdrawLendingMarket'].flatMap((slot) =>
    [inOneStep, scene].map((each) => {
      const name = each === scene ? 'repayAndWithdrawAndRedeem' : 'depositAndWithdraw';
      return runError(withAccountSlot(each, [name, slot], other));
    }),
  );
  expect(ends).toEqual([6112, 6112, 6113, 6113, 6114, 6114]);
});

test('who repays all and withdraws all in one instruction lists what there was before', () => {
  const [first, ...others] = positions;
  expect(others).toHaveLength(2);
  const all = repayAndWithdrawAndRedeem.build(KLEND_PROGRAM, {
    accounts,
    args: { repayAmount: toLamports(U64_MAX), withdrawCollateralAmount: U64_MAX },
    remaining: positions.map((address) => ({ address, role: 1 })),
  });
  const { error, live } = runVariant({ ...scene, instructions: [...before, all] });
  expect(error).toBeUndefined();
  const left = positionReserves(live, own);
  expect(first).toBe(sol);
  expect(left).toEqual([usdc]);
});
