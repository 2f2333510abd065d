import type { Address } from '../../../base/encoding/address.ts';
import type { Lamports } from '../../../base/numbers/lamports.ts';
import type { EventSource } from '../../spl/instruction-events.ts';

/** Executed amounts: liquidity in base units of the reserve's token, collateral in cTokens. */
export type KlendEvent = EventSource<'klend'> & KlendEventBody;

export type KlendEventBody =
  | ({ readonly kind: 'deposit' | 'withdraw' } & PositionChange & Liquidity & Collateral)
  | Borrow
  | OrderFill
  /** Anyone can repay. The instruction does not contain the obligation's owner. */
  | ({ readonly kind: 'repay'; readonly payer: Address } & OfObligation & Liquidity)
  | ({
      readonly kind: 'depositReserveLiquidity' | 'redeemReserveCollateral';
      readonly owner: Address;
    } & OfReserve &
      Liquidity &
      Collateral)
  | ({
      readonly kind: 'depositObligationCollateral' | 'withdrawObligationCollateral';
    } & PositionChange &
      Collateral)
  | Liquidation
  | ({ readonly kind: 'flashBorrow'; readonly borrower: Address } & OfReserve & Liquidity)
  | FlashRepay
  | SocializedLoss
  | {
      readonly kind: 'requestElevationGroup';
      readonly owner: Address;
      readonly obligation: Address;
      readonly lendingMarket: Address;
      readonly elevationGroup: number;
    }
  | {
      readonly kind: 'initObligation';
      readonly owner: Address;
      readonly obligation: Address;
      readonly lendingMarket: Address;
      readonly tag: number;
      readonly id: number;
    }
  | QueueEvent
  | OrderEvent
  | ReserveFeeEvent;

type OfReserve = { readonly lendingMarket: Address; readonly reserve: Address };
type OfObligation = OfReserve & { readonly obligation: Address };
type PositionChange = OfObligation & { readonly owner: Address };
type Liquidity = { readonly liquidityMint: Address; readonly liquidityAmount: Lamports };
type Collateral = { readonly collateralAmount: bigint };

type Borrow = PositionChange & {
  readonly kind: 'borrow';
  readonly liquidityMint: Address;
  /** The amount that the owner received. */
  readonly liquidityAmount: Lamports;
  /** The amount that went to the protocol's fee vault. */
  readonly feeAmount: Lamports;
  /**
   * The received amount plus the fee. Undefined with a referrer, whose part of the fee is owed too but stays in
   * the pool and is not in the transaction.
   */
  readonly debtAmount: Lamports | undefined;
};

/** A borrow for the owner of an order, who does not sign. */
type OrderFill = Omit<Borrow, 'kind' | 'owner'> & {
  readonly kind: 'fillBorrowOrder';
  readonly payer: Address;
  /** Whether nothing of the order is left. */
  readonly isFull: boolean;
  /** The part of the order that was filled. Undefined if the program emitted no event. */
  readonly filledAmount: Lamports | undefined;
};

type Liquidation = {
  readonly kind: 'liquidate';
  readonly liquidator: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
  readonly repayReserve: Address;
  readonly repaidAmount: Lamports;
  readonly withdrawReserve: Address;
  /** The cTokens taken from the obligation. */
  readonly collateralAmount: bigint;
  /** The part that was redeemed. The liquidator receives the rest as cTokens. */
  readonly redeemedCollateralAmount: bigint;
  /** Paid for the redeemed part. The liquidator pays `feeAmount` of it to the protocol. */
  readonly liquidityAmount: Lamports;
  readonly feeAmount: Lamports;
};

type FlashRepay = OfReserve & {
  readonly kind: 'flashRepay';
  readonly borrower: Address;
  readonly liquidityMint: Address;
  /** Returned to the pool: the loan and, with a referrer, the referrer's part of the fee. */
  readonly liquidityAmount: Lamports;
  /** The amount that went to the protocol's fee vault. */
  readonly feeAmount: Lamports;
  /** The index of the instruction that borrowed. */
  readonly borrowInstructionIndex: number;
};

type SocializedLoss = OfObligation & {
  readonly kind: 'socializeLoss';
  readonly lendingMarketOwner: Address;
  /** The requested upper limit of the forgiven debt. */
  readonly maxLiquidityAmount: Lamports;
  /**
   * The forgiven debt, rounded up from the four decimals that the program logs. Undefined if the log is incomplete:
   * the transaction has the amount nowhere else.
   */
  readonly forgivenAmount: Lamports | undefined;
};

type QueueEvent = OfReserve &
  Collateral & { readonly owner: Address; readonly withdrawTicket: Address } & (
    | { readonly kind: 'cancelWithdrawTicket' }
    | { readonly kind: 'recoverInvalidTicketCollateral'; readonly payer: Address }
    /** `vault`: the vault that learns of the payments, because its shares were exchanged for the cTokens. */
    | { readonly kind: 'enqueueToWithdraw'; readonly vault: Address | undefined }
    /** Amounts are 0 if the program could not use the destination and marked the ticket invalid. */
    | ({ readonly kind: 'withdrawQueuedLiquidity'; readonly payer: Address } & Liquidity)
  );

type OfLoan = { readonly obligation: Address; readonly lendingMarket: Address };

/** Orders and settings of a loan, and what others did because of them. */
type OrderEvent =
  | (OfLoan & {
      readonly kind: 'setObligationOrder';
      readonly owner: Address;
      readonly orderIndex: number;
      readonly isRemoved: boolean;
    })
  | (PositionChange & {
      readonly kind: 'borrowOrderPlace' | 'borrowOrderUpdate' | 'borrowOrderCancel';
      readonly liquidityMint: Address;
      /** What the order still borrows, or would have if it is cancelled. */
      readonly remainingAmount: Lamports;
    })
  | (OfLoan & {
      readonly kind: 'updateObligationConfig';
      readonly owner: Address;
      readonly borrowReserve: Address | undefined;
      readonly mode: number;
    })
  /** `reserve` is the one that the debt leaves. No tokens move if the debt stays and only its term starts again. */
  | ({
      readonly kind: 'rolloverFixedTermBorrow';
      readonly payer: Address;
      readonly targetReserve: Address;
    } & OfObligation &
      Liquidity)
  | (OfLoan & {
      readonly kind: 'markObligationForDeleveraging';
      readonly lendingMarketOwner: Address;
      /** 255 ends the margin call. */
      readonly targetLtvPct: number;
    });

type ReserveFeeEvent = OfReserve &
  Liquidity &
  (
    | { readonly kind: 'redeemFees' | 'withdrawProtocolFee' }
    | { readonly kind: 'withdrawReferrerFees'; readonly referrer: Address }
    | { readonly kind: 'topupReserveRewards'; readonly payer: Address }
  );
