import type { Address } from '../../../base/encoding/address.ts';
import type { Lamports } from '../../../base/numbers/lamports.ts';
import type { EventSource } from '../../spl/instruction-events.ts';

/** Executed amounts: liquidity in the smallest unit of the reserve's token, collateral in cTokens. */
export type KlendEvent = EventSource<'klend'> & KlendEventBody;

export type KlendEventBody =
  | ({ readonly kind: 'deposit' | 'withdraw' } & PositionChange & Liquidity & Collateral)
  | Borrow
  /** The one who pays may be anyone; the obligation's owner is not named. */
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
  | QueueEvent;

type OfReserve = { readonly lendingMarket: Address; readonly reserve: Address };
type OfObligation = OfReserve & { readonly obligation: Address };
type PositionChange = OfObligation & { readonly owner: Address };
type Liquidity = { readonly liquidityMint: Address; readonly liquidityAmount: Lamports };
type Collateral = { readonly collateralAmount: bigint };

type Borrow = PositionChange & {
  readonly kind: 'borrow';
  readonly liquidityMint: Address;
  /** What the owner received. */
  readonly liquidityAmount: Lamports;
  /** What went to the protocol's fee vault. */
  readonly feeAmount: Lamports;
  /**
   * Received and fee. Undefined with a referrer: its part of the fee is owed too, but stays in the
   * pool, and only accounts tell how much it is.
   */
  readonly debtAmount: Lamports | undefined;
};

type Liquidation = {
  readonly kind: 'liquidate';
  readonly liquidator: Address;
  readonly obligation: Address;
  readonly lendingMarket: Address;
  readonly repayReserve: Address;
  readonly repaidAmount: Lamports;
  readonly withdrawReserve: Address;
  /** Taken from the obligation. */
  readonly collateralAmount: bigint;
  /** The part of it that was redeemed at once; the liquidator keeps the rest as cTokens. */
  readonly redeemedCollateralAmount: bigint;
  /** Paid out for what was redeemed; the liquidator hands `feeAmount` of it on to the protocol. */
  readonly liquidityAmount: Lamports;
  readonly feeAmount: Lamports;
};

type FlashRepay = OfReserve & {
  readonly kind: 'flashRepay';
  readonly borrower: Address;
  readonly liquidityMint: Address;
  /** Back into the pool: the loan and, with a referrer, its part of the fee. */
  readonly liquidityAmount: Lamports;
  /** What went to the protocol's fee vault. */
  readonly feeAmount: Lamports;
  /** Which instruction of the transaction took the loan. */
  readonly borrowInstructionIndex: number;
};

type SocializedLoss = OfObligation & {
  readonly kind: 'socializeLoss';
  readonly lendingMarketOwner: Address;
  /** The program forgives this much of the debt, or all of it if it is less. */
  readonly maxLiquidityAmount: Lamports;
};

type QueueEvent = OfReserve &
  Collateral & { readonly owner: Address; readonly withdrawTicket: Address } & (
    | { readonly kind: 'enqueueToWithdraw' | 'cancelWithdrawTicket' }
    /** Amounts are 0 when the program found the destination unusable and put the ticket aside. */
    | ({ readonly kind: 'withdrawQueuedLiquidity'; readonly payer: Address } & Liquidity)
  );
