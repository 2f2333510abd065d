import {
  markObligationForDeleveraging,
  redeemFees,
  socializeLoss,
  socializeLossV2,
  topupReserveRewards,
  withdrawProtocolFee,
  withdrawReferrerFees,
} from '../../../protocol/klend/instructions/administration.ts';
import {
  fillBorrowOrder,
  fillBorrowOrderV2,
  obligationConfigModes,
  rolloverFixedTermBorrow,
  setBorrowOrder,
  setBorrowOrderV2,
  setObligationOrder,
  updateObligationConfig,
} from '../../../protocol/klend/instructions/orders.ts';
import { type DescribedCodec, withDescription } from './instruction-description.ts';

const OBLIGATION = ['obligation'] as const;

/** Ends the margin call of a loan. */
const NO_TARGET_LTV = 255;

const borrowOrders: readonly DescribedCodec[] = [setBorrowOrder, setBorrowOrderV2].map((codec) =>
  withDescription(
    codec,
    ({ accounts, args }, context) => {
      const amount = context.tokens(args.remainingDebtAmount, accounts.debtLiquidityMint);
      return args.remainingDebtAmount === 0n
        ? `Cancel an order of ${context.name(accounts.obligation)} to borrow ${context.unit(accounts.debtLiquidityMint)}`
        : `Order to borrow ${amount} for ${context.name(accounts.obligation)} at no more than ${args.maxBorrowRateBps} basis points a year`;
    },
    { receives: ['filledDebtDestination'], notes: OBLIGATION },
  ),
);

const fills: readonly DescribedCodec[] = [fillBorrowOrder, fillBorrowOrderV2].map((codec) =>
  withDescription(
    codec,
    ({ accounts }, context) =>
      `Fill an order of ${context.name(accounts.obligation)} to borrow ${context.unit(accounts.borrowReserveLiquidityMint)} from ${context.name(accounts.borrowReserve)}`,
    { notes: ['obligation', 'userDestinationLiquidity'] },
  ),
);

const losses: readonly DescribedCodec[] = [socializeLoss, socializeLossV2].map((codec) =>
  withDescription(
    codec,
    ({ accounts }, context) =>
      `Forgive debt of ${context.name(accounts.obligation)} at the expense of the lenders of ${context.name(accounts.reserve)}`,
    { notes: OBLIGATION },
  ),
);

/** Orders and settings of loans, fees and rewards of reserves. */
export const lendingOrderDescriptions: readonly DescribedCodec[] = [
  ...borrowOrders,
  ...fills,
  ...losses,
  withDescription(
    setObligationOrder,
    ({ accounts, args }, context) =>
      args.conditionType === 0
        ? `Remove order ${args.index} of ${context.name(accounts.obligation)}`
        : `Let anyone repay debt of ${context.name(accounts.obligation)} for its collateral while a condition holds (order ${args.index})`,
    { notes: OBLIGATION },
  ),
  withDescription(
    updateObligationConfig,
    ({ accounts, args: { mode } }, context) =>
      `Change a setting of ${context.name(accounts.obligation)}: ${obligationConfigModes[mode] ?? `number ${mode}`}`,
    { notes: OBLIGATION, listName: 'value' },
  ),
  withDescription(
    rolloverFixedTermBorrow,
    ({ accounts }, context) =>
      `Move debt of ${context.name(accounts.obligation)} from ${context.name(accounts.sourceBorrowReserve)} to ${context.name(accounts.targetBorrowReserve)}`,
    { notes: OBLIGATION },
  ),
  withDescription(
    markObligationForDeleveraging,
    ({ accounts, args: { autodeleverageTargetLtvPct: target } }, context) =>
      target === NO_TARGET_LTV
        ? `End the margin call of ${context.name(accounts.obligation)}`
        : `Start a margin call of ${context.name(accounts.obligation)} down to an LTV of ${target} %`,
    { notes: OBLIGATION },
  ),
  withDescription(
    redeemFees,
    ({ accounts }, context) =>
      `Move the protocol's interest of ${context.name(accounts.reserve)} to its fee vault`,
  ),
  withDescription(
    withdrawProtocolFee,
    ({ accounts, args }, context) =>
      `Pay at most ${context.tokens(args.amount, accounts.reserveLiquidityMint)} of the fees of ${context.name(accounts.reserve)} to the protocol`,
  ),
  withDescription(
    withdrawReferrerFees,
    ({ accounts }, context) =>
      `Pay ${context.name(accounts.referrer)} its referrer fees of ${context.name(accounts.reserve)}`,
    { receives: ['referrerTokenAccount'] },
  ),
  withDescription(
    topupReserveRewards,
    ({ accounts, args }, context) =>
      `Add ${context.tokens(args.amount, accounts.reserveLiquidityMint)} to the rewards of the lenders of ${context.name(accounts.reserve)}`,
  ),
];
