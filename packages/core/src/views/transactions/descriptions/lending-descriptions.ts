import type { Address } from '../../../base/encoding/address.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { recoverInvalidTicketCollateral } from '../../../protocol/klend/instructions/administration.ts';
import {
  borrowObligationLiquidity,
  borrowObligationLiquidityV2,
  flashBorrowReserveLiquidity,
  flashRepayReserveLiquidity,
  repayObligationLiquidity,
  repayObligationLiquidityV2,
} from '../../../protocol/klend/instructions/borrows.ts';
import {
  depositObligationCollateral,
  depositObligationCollateralV2,
  depositReserveLiquidity,
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
} from '../../../protocol/klend/instructions/deposits.ts';
import {
  liquidateObligationAndRedeemReserveCollateral,
  liquidateObligationAndRedeemReserveCollateralV2,
} from '../../../protocol/klend/instructions/liquidation.ts';
import {
  depositAndWithdraw,
  repayAndWithdrawAndRedeem,
} from '../../../protocol/klend/instructions/swaps.ts';
import {
  cancelWithdrawTicket,
  enqueueToWithdraw,
  withdrawQueuedLiquidity,
} from '../../../protocol/klend/instructions/withdraw-queue.ts';
import {
  redeemReserveCollateral,
  withdrawObligationCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
  withdrawObligationCollateralV2,
} from '../../../protocol/klend/instructions/withdrawals.ts';
import {
  type DescribedCodec,
  type DescriptionContext,
  withDescription,
} from './instruction-description.ts';

const OBLIGATION = ['obligation'] as const;

type LoanReserve = {
  readonly obligation: Address;
  readonly reserve: Address;
  readonly mint: Address;
};

/** A loan without a label is described by its reserve. */
const loan = ({ obligation, reserve }: LoanReserve, context: DescriptionContext): string => {
  const name = context.name(obligation);
  return name === obligation ? `the loan ${name} at ${context.name(reserve)}` : name;
};

const deposited = (amount: bigint, position: LoanReserve, context: DescriptionContext): string =>
  `${context.tokens(amount, position.mint)} into ${loan(position, context)} as collateral`;

const repaid = (amount: bigint, position: LoanReserve, context: DescriptionContext): string => {
  const what =
    amount === U64_MAX
      ? `all ${context.unit(position.mint)}`
      : context.tokens(amount, position.mint);
  return `${what} of the debt of ${loan(position, context)}`;
};

type WithdrawnPosition = LoanReserve & { readonly collateralMint: Address };

/** The amount is in cTokens; their value is determined on execution. */
const withdrawn = (
  amount: bigint,
  position: WithdrawnPosition,
  context: DescriptionContext,
): string => {
  const unit = context.unit(position.mint);
  return amount === U64_MAX
    ? `all withdrawable ${unit} from ${loan(position, context)}`
    : `${unit} for ${context.tokens(amount, position.collateralMint)} from ${loan(position, context)}`;
};

const deposits: readonly DescribedCodec[] = [
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
].map((codec) =>
  withDescription(
    codec,
    ({ accounts, args }, context) =>
      `Deposit ${deposited(args.liquidityAmount, { ...accounts, mint: accounts.reserveLiquidityMint }, context)}`,
    { notes: OBLIGATION },
  ),
);

const withdrawals: readonly DescribedCodec[] = [
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
].map((codec) =>
  withDescription(
    codec,
    ({ accounts, args }, context) => {
      const { obligation, withdrawReserve: reserve, reserveLiquidityMint: mint } = accounts;
      const position = {
        obligation,
        reserve,
        mint,
        collateralMint: accounts.reserveCollateralMint,
      };
      return `Withdraw ${withdrawn(args.collateralAmount, position, context)}`;
    },
    { receives: ['userDestinationLiquidity'], notes: OBLIGATION },
  ),
);

const borrows: readonly DescribedCodec[] = [
  borrowObligationLiquidity,
  borrowObligationLiquidityV2,
].map((codec) =>
  withDescription(
    codec,
    ({ accounts, args: { liquidityAmount } }, context) => {
      const { obligation, borrowReserve: reserve, borrowReserveLiquidityMint: mint } = accounts;
      const what =
        liquidityAmount === U64_MAX
          ? `as much ${context.unit(mint)} as allowed`
          : context.tokens(liquidityAmount, mint);
      return `Borrow ${what} against ${loan({ obligation, reserve, mint }, context)}`;
    },
    { receives: ['userDestinationLiquidity'], notes: OBLIGATION },
  ),
);

const repayments: readonly DescribedCodec[] = [
  repayObligationLiquidity,
  repayObligationLiquidityV2,
].map((codec) =>
  withDescription(
    codec,
    ({ accounts, args }, context) => {
      const { obligation, repayReserve: reserve, reserveLiquidityMint: mint } = accounts;
      return `Repay ${repaid(args.liquidityAmount, { obligation, reserve, mint }, context)}`;
    },
    { notes: OBLIGATION },
  ),
);

const collateralMoves: readonly DescribedCodec[] = [
  ...[depositObligationCollateral, depositObligationCollateralV2].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args }, context) => {
        const mint = context.mintOf(accounts.reserveDestinationCollateral);
        return `Deposit ${context.tokens(args.collateralAmount, mint)} into ${context.name(accounts.obligation)} as collateral`;
      },
      { notes: OBLIGATION },
    ),
  ),
  ...[withdrawObligationCollateral, withdrawObligationCollateralV2].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args: { collateralAmount } }, context) => {
        const mint = context.mintOf(accounts.reserveSourceCollateral);
        const what =
          collateralAmount === U64_MAX
            ? `all ${context.unit(mint)}`
            : context.tokens(collateralAmount, mint);
        return `Withdraw ${what} from ${context.name(accounts.obligation)}`;
      },
      { receives: ['userDestinationCollateral'], notes: OBLIGATION },
    ),
  ),
];

const combinedActions: readonly DescribedCodec[] = [
  withDescription(
    repayAndWithdrawAndRedeem,
    ({ accounts, args }, context) => {
      const { obligation } = accounts;
      const debt = {
        obligation,
        reserve: accounts.repayReserve,
        mint: accounts.reserveLiquidityMint,
      };
      const collateral = withdrawnPosition(accounts);
      const withdrawal = withdrawn(args.withdrawCollateralAmount, collateral, context);
      return `Repay ${repaid(args.repayAmount, debt, context)}, then withdraw ${withdrawal}`;
    },
    { receives: ['withdrawUserDestinationLiquidity'], notes: OBLIGATION },
  ),
  withDescription(
    depositAndWithdraw,
    ({ accounts, args }, context) => {
      const position = { ...accounts, mint: accounts.reserveLiquidityMint };
      const withdrawal = withdrawn(
        args.withdrawCollateralAmount,
        withdrawnPosition(accounts),
        context,
      );
      return `Deposit ${deposited(args.liquidityAmount, position, context)}, then withdraw ${withdrawal}`;
    },
    { receives: ['withdrawUserDestinationLiquidity'], notes: OBLIGATION },
  ),
];

type WithdrawAccounts = {
  readonly withdrawObligation: Address;
  readonly withdrawReserve: Address;
  readonly withdrawReserveLiquidityMint: Address;
  readonly withdrawReserveCollateralMint: Address;
};

const withdrawnPosition = (accounts: WithdrawAccounts) => ({
  obligation: accounts.withdrawObligation,
  reserve: accounts.withdrawReserve,
  mint: accounts.withdrawReserveLiquidityMint,
  collateralMint: accounts.withdrawReserveCollateralMint,
});

const liquidations: readonly DescribedCodec[] = [
  liquidateObligationAndRedeemReserveCollateral,
  liquidateObligationAndRedeemReserveCollateralV2,
].map((codec) =>
  withDescription(
    codec,
    ({ accounts, args }, context) => {
      const debt = context.tokens(args.liquidityAmount, accounts.repayReserveLiquidityMint);
      const gain = context.unit(accounts.withdrawReserveLiquidityMint);
      return `Liquidate ${context.name(accounts.obligation)}: repay at most ${debt} for its collateral in ${gain}`;
    },
    { receives: ['userDestinationCollateral', 'userDestinationLiquidity'], notes: OBLIGATION },
  ),
);

const reserves: readonly DescribedCodec[] = [
  withDescription(
    depositReserveLiquidity,
    ({ accounts, args }, context) =>
      `Lend ${context.tokens(args.liquidityAmount, accounts.reserveLiquidityMint)} to ${context.name(accounts.reserve)} for ${context.unit(accounts.reserveCollateralMint)}`,
    { receives: ['userDestinationCollateral'] },
  ),
  withDescription(
    redeemReserveCollateral,
    ({ accounts, args }, context) =>
      `Redeem ${context.tokens(args.collateralAmount, accounts.reserveCollateralMint)} at ${context.name(accounts.reserve)} for ${context.unit(accounts.reserveLiquidityMint)}`,
    { receives: ['userDestinationLiquidity'] },
  ),
  withDescription(
    enqueueToWithdraw,
    ({ accounts, args }, context) =>
      `Queue ${context.tokens(args.collateralAmount, accounts.reserveCollateralMint)} for withdrawal from ${context.name(accounts.reserve)}`,
    { receives: ['userDestinationLiquidityTa'] },
  ),
  withDescription(
    withdrawQueuedLiquidity,
    ({ accounts }, context) =>
      `Pay the queued withdrawal of ${context.name(accounts.withdrawTicketOwner)} from ${context.name(accounts.reserve)}`,
    { notes: ['userDestinationLiquidity'] },
  ),
  withDescription(
    cancelWithdrawTicket,
    ({ accounts, args }, context) =>
      `Remove ${context.tokens(args.collateralAmountToCancel, accounts.reserveCollateralMint)} from the withdrawal queue of ${context.name(accounts.reserve)}`,
    { receives: ['userDestinationCollateral'] },
  ),
  withDescription(
    recoverInvalidTicketCollateral,
    ({ accounts }, context) =>
      `Return the ${context.unit(accounts.reserveCollateralMint)} of the queued withdrawal of ${context.name(accounts.withdrawTicketOwner)} from ${context.name(accounts.reserve)} that could not be paid`,
    { notes: ['userSourceCollateral'] },
  ),
  withDescription(
    flashBorrowReserveLiquidity,
    ({ accounts, args }, context) =>
      `Flash-borrow ${context.tokens(args.liquidityAmount, accounts.reserveLiquidityMint)} from ${context.name(accounts.reserve)}, to be repaid in this transaction`,
    { receives: ['userDestinationLiquidity'] },
  ),
  withDescription(
    flashRepayReserveLiquidity,
    ({ accounts, args }, context) =>
      `Repay the flash loan of ${context.tokens(args.liquidityAmount, accounts.reserveLiquidityMint)} and its fee to ${context.name(accounts.reserve)}`,
  ),
];

/** Instructions of the lending program that move tokens. */
export const lendingDescriptions: readonly DescribedCodec[] = [
  ...deposits,
  ...withdrawals,
  ...borrows,
  ...repayments,
  ...collateralMoves,
  ...combinedActions,
  ...liquidations,
  ...reserves,
];
