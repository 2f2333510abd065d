import type { Address } from '../../../base/encoding/address.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import { borrowObligationLiquidity } from '../../../protocol/klend/instructions/borrow-obligation-liquidity.ts';
import { borrowObligationLiquidityV2 } from '../../../protocol/klend/instructions/borrow-obligation-liquidity-v2.ts';
import { cancelWithdrawTicket } from '../../../protocol/klend/instructions/cancel-withdraw-ticket.ts';
import { depositAndWithdraw } from '../../../protocol/klend/instructions/deposit-and-withdraw.ts';
import { depositObligationCollateral } from '../../../protocol/klend/instructions/deposit-obligation-collateral.ts';
import { depositObligationCollateralV2 } from '../../../protocol/klend/instructions/deposit-obligation-collateral-v2.ts';
import { depositReserveLiquidity } from '../../../protocol/klend/instructions/deposit-reserve-liquidity.ts';
import { depositReserveLiquidityAndObligationCollateral } from '../../../protocol/klend/instructions/deposit-reserve-liquidity-and-obligation-collateral.ts';
import { depositReserveLiquidityAndObligationCollateralV2 } from '../../../protocol/klend/instructions/deposit-reserve-liquidity-and-obligation-collateral-v2.ts';
import { enqueueToWithdraw } from '../../../protocol/klend/instructions/enqueue-to-withdraw.ts';
import { flashBorrowReserveLiquidity } from '../../../protocol/klend/instructions/flash-borrow-reserve-liquidity.ts';
import { flashRepayReserveLiquidity } from '../../../protocol/klend/instructions/flash-repay-reserve-liquidity.ts';
import { liquidateObligationAndRedeemReserveCollateral } from '../../../protocol/klend/instructions/liquidate-obligation-and-redeem-reserve-collateral.ts';
import { liquidateObligationAndRedeemReserveCollateralV2 } from '../../../protocol/klend/instructions/liquidate-obligation-and-redeem-reserve-collateral-v2.ts';
import { redeemReserveCollateral } from '../../../protocol/klend/instructions/redeem-reserve-collateral.ts';
import { repayAndWithdrawAndRedeem } from '../../../protocol/klend/instructions/repay-and-withdraw-and-redeem.ts';
import { repayObligationLiquidity } from '../../../protocol/klend/instructions/repay-obligation-liquidity.ts';
import { repayObligationLiquidityV2 } from '../../../protocol/klend/instructions/repay-obligation-liquidity-v2.ts';
import { withdrawObligationCollateral } from '../../../protocol/klend/instructions/withdraw-obligation-collateral.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateral } from '../../../protocol/klend/instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';
import { withdrawObligationCollateralAndRedeemReserveCollateralV2 } from '../../../protocol/klend/instructions/withdraw-obligation-collateral-and-redeem-reserve-collateral-v2.ts';
import { withdrawObligationCollateralV2 } from '../../../protocol/klend/instructions/withdraw-obligation-collateral-v2.ts';
import { withdrawQueuedLiquidity } from '../../../protocol/klend/instructions/withdraw-queued-liquidity.ts';
import {
  type DescribedCodec,
  type DescriptionContext,
  withDescription,
} from './instruction-description.ts';

const OBLIGATION = ['obligation'] as const;

type Side = { readonly obligation: Address; readonly reserve: Address; readonly mint: Address };

/** The loan says where it is, unless nothing is known of it; then the reserve does. */
const loan = ({ obligation, reserve }: Side, words: DescriptionContext): string => {
  const name = words.name(obligation);
  return name === obligation ? `the loan ${name} at ${words.name(reserve)}` : name;
};

const deposited = (amount: bigint, side: Side, words: DescriptionContext): string =>
  `${words.tokens(amount, side.mint)} into ${loan(side, words)} as collateral`;

const repaid = (amount: bigint, side: Side, words: DescriptionContext): string => {
  const what =
    amount === U64_MAX ? `all ${words.unit(side.mint)}` : words.tokens(amount, side.mint);
  return `${what} that ${loan(side, words)} owes`;
};

type CollateralSide = Side & { readonly collateralMint: Address };

/** The amount is in collateral tokens; what they are worth is decided when the transaction runs. */
const withdrawn = (amount: bigint, side: CollateralSide, words: DescriptionContext): string => {
  const unit = words.unit(side.mint);
  return amount === U64_MAX
    ? `all ${unit} that can be taken out of ${loan(side, words)}`
    : `what ${words.tokens(amount, side.collateralMint)} are worth in ${unit} out of ${loan(side, words)}`;
};

const deposits: readonly DescribedCodec[] = [
  depositReserveLiquidityAndObligationCollateral,
  depositReserveLiquidityAndObligationCollateralV2,
].map((codec) =>
  withDescription(
    codec,
    ({ accounts, args }, words) =>
      `Deposit ${deposited(args.liquidityAmount, { ...accounts, mint: accounts.reserveLiquidityMint }, words)}`,
    { notes: OBLIGATION },
  ),
);

const withdrawals: readonly DescribedCodec[] = [
  withdrawObligationCollateralAndRedeemReserveCollateral,
  withdrawObligationCollateralAndRedeemReserveCollateralV2,
].map((codec) =>
  withDescription(
    codec,
    ({ accounts, args }, words) => {
      const { obligation, withdrawReserve: reserve, reserveLiquidityMint: mint } = accounts;
      const side = { obligation, reserve, mint, collateralMint: accounts.reserveCollateralMint };
      return `Withdraw ${withdrawn(args.collateralAmount, side, words)}`;
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
    ({ accounts, args: { liquidityAmount } }, words) => {
      const { obligation, borrowReserve: reserve, borrowReserveLiquidityMint: mint } = accounts;
      const what =
        liquidityAmount === U64_MAX
          ? `as much ${words.unit(mint)} as is allowed`
          : words.tokens(liquidityAmount, mint);
      return `Borrow ${what}, owed by ${loan({ obligation, reserve, mint }, words)}`;
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
    ({ accounts, args }, words) => {
      const { obligation, repayReserve: reserve, reserveLiquidityMint: mint } = accounts;
      return `Repay ${repaid(args.liquidityAmount, { obligation, reserve, mint }, words)}`;
    },
    { notes: OBLIGATION },
  ),
);

const collateralMoves: readonly DescribedCodec[] = [
  ...[depositObligationCollateral, depositObligationCollateralV2].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args }, words) => {
        const mint = words.mintOf(accounts.reserveDestinationCollateral);
        return `Put ${words.tokens(args.collateralAmount, mint)} into ${words.name(accounts.obligation)} as collateral`;
      },
      { notes: OBLIGATION },
    ),
  ),
  ...[withdrawObligationCollateral, withdrawObligationCollateralV2].map((codec) =>
    withDescription(
      codec,
      ({ accounts, args: { collateralAmount } }, words) => {
        const mint = words.mintOf(accounts.reserveSourceCollateral);
        const what =
          collateralAmount === U64_MAX
            ? `all ${words.unit(mint)}`
            : words.tokens(collateralAmount, mint);
        return `Take ${what} out of ${words.name(accounts.obligation)}`;
      },
      { receives: ['userDestinationCollateral'], notes: OBLIGATION },
    ),
  ),
];

const pairs: readonly DescribedCodec[] = [
  withDescription(
    repayAndWithdrawAndRedeem,
    ({ accounts, args }, words) => {
      const { obligation } = accounts;
      const debt = {
        obligation,
        reserve: accounts.repayReserve,
        mint: accounts.reserveLiquidityMint,
      };
      const collateral = withdrawSide(accounts);
      const back = withdrawn(args.withdrawCollateralAmount, collateral, words);
      return `Repay ${repaid(args.repayAmount, debt, words)}, then withdraw ${back}`;
    },
    { receives: ['withdrawUserDestinationLiquidity'], notes: OBLIGATION },
  ),
  withDescription(
    depositAndWithdraw,
    ({ accounts, args }, words) => {
      const side = { ...accounts, mint: accounts.reserveLiquidityMint };
      const back = withdrawn(args.withdrawCollateralAmount, withdrawSide(accounts), words);
      return `Deposit ${deposited(args.liquidityAmount, side, words)}, then withdraw ${back}`;
    },
    { receives: ['withdrawUserDestinationLiquidity'], notes: OBLIGATION },
  ),
];

type WithdrawHalf = {
  readonly withdrawObligation: Address;
  readonly withdrawReserve: Address;
  readonly withdrawReserveLiquidityMint: Address;
  readonly withdrawReserveCollateralMint: Address;
};

const withdrawSide = (accounts: WithdrawHalf) => ({
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
    ({ accounts, args }, words) => {
      const debt = words.tokens(args.liquidityAmount, accounts.repayReserveLiquidityMint);
      const gain = words.unit(accounts.withdrawReserveLiquidityMint);
      return `Liquidate ${words.name(accounts.obligation)}: repay at most ${debt} for its collateral in ${gain}`;
    },
    { receives: ['userDestinationCollateral', 'userDestinationLiquidity'], notes: OBLIGATION },
  ),
);

const reserves: readonly DescribedCodec[] = [
  withDescription(
    depositReserveLiquidity,
    ({ accounts, args }, words) =>
      `Lend ${words.tokens(args.liquidityAmount, accounts.reserveLiquidityMint)} to ${words.name(accounts.reserve)} for ${words.unit(accounts.reserveCollateralMint)}`,
    { receives: ['userDestinationCollateral'] },
  ),
  withDescription(
    redeemReserveCollateral,
    ({ accounts, args }, words) =>
      `Give ${words.tokens(args.collateralAmount, accounts.reserveCollateralMint)} back to ${words.name(accounts.reserve)} for ${words.unit(accounts.reserveLiquidityMint)}`,
    { receives: ['userDestinationLiquidity'] },
  ),
  withDescription(
    enqueueToWithdraw,
    ({ accounts, args }, words) =>
      `Queue ${words.tokens(args.collateralAmount, accounts.reserveCollateralMint)} to be withdrawn from ${words.name(accounts.reserve)}`,
    { receives: ['userDestinationLiquidityTa'] },
  ),
  withDescription(
    withdrawQueuedLiquidity,
    ({ accounts }, words) =>
      `Pay out what ${words.name(accounts.withdrawTicketOwner)} has queued to be withdrawn from ${words.name(accounts.reserve)}`,
    { notes: ['userDestinationLiquidity'] },
  ),
  withDescription(
    cancelWithdrawTicket,
    ({ accounts, args }, words) =>
      `Take ${words.tokens(args.collateralAmountToCancel, accounts.reserveCollateralMint)} back out of the withdrawal queue of ${words.name(accounts.reserve)}`,
    { receives: ['userDestinationCollateral'] },
  ),
  withDescription(
    flashBorrowReserveLiquidity,
    ({ accounts, args }, words) =>
      `Borrow ${words.tokens(args.liquidityAmount, accounts.reserveLiquidityMint)} from ${words.name(accounts.reserve)}, to be paid back in this transaction`,
    { receives: ['userDestinationLiquidity'] },
  ),
  withDescription(
    flashRepayReserveLiquidity,
    ({ accounts, args }, words) =>
      `Pay ${words.tokens(args.liquidityAmount, accounts.reserveLiquidityMint)} and a fee back to ${words.name(accounts.reserve)}`,
  ),
];

/** What moves tokens in the lending program. */
export const lendingDescriptions: readonly DescribedCodec[] = [
  ...deposits,
  ...withdrawals,
  ...borrows,
  ...repayments,
  ...collateralMoves,
  ...pairs,
  ...liquidations,
  ...reserves,
];
