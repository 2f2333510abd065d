import type { Address } from '../../../base/encoding/address.ts';
import type { Lamports } from '../../../base/numbers/lamports.ts';
import type { Slot, UnixSeconds } from '../../../base/time.ts';
import type {
  FarmManagementEvent,
  FarmManagementInstruction,
} from '../../../protocol/farms/management.ts';

export type LendingEventKind =
  | 'initObligation'
  | 'requestElevationGroup'
  | 'deposit'
  | 'withdraw'
  | 'borrow'
  | 'repay'
  /** A repayment from the perspective of a payer who is not the owner. */
  | 'repayForOther'
  | 'depositObligationCollateral'
  | 'withdrawObligationCollateral'
  | 'depositReserveLiquidity'
  | 'redeemReserveCollateral'
  /** A liquidation from the perspective of the owner: the repaid debt and the seized collateral. */
  | 'liquidationRepay'
  | 'liquidationWithdraw'
  /** A liquidation from the perspective of the liquidator. */
  | 'liquidate'
  | 'socializeLoss'
  | 'flashBorrow'
  | 'flashRepay'
  | 'enqueueToWithdraw'
  | 'cancelWithdrawTicket'
  | 'withdrawQueuedLiquidity'
  /** A borrow that filled an order; the borrow itself is another event. `debtAmount` is the filled part. */
  | 'borrowOrderPartialFill'
  | 'borrowOrderFullFill'
  /** The cTokens of a ticket that could not be paid went back to its owner. */
  | 'recoverInvalidTicketCollateral'
  | 'setObligationOrder'
  /** `debtAmount` is what the order still borrows. */
  | 'borrowOrderPlace'
  | 'borrowOrderUpdate'
  | 'borrowOrderCancel'
  | 'updateObligationConfig'
  /** `reserve` is the one that the debt left, `otherReserve` the one that has it now. */
  | 'rolloverFixedTermBorrow'
  | 'markObligationForDeleveraging'
  | 'topupReserveRewards'
  | 'redeemFees'
  | 'withdrawProtocolFee'
  | 'withdrawReferrerFees';

export type VaultEventKind =
  | 'deposit'
  | 'buy'
  | 'withdraw'
  | 'sell'
  | 'withdrawFromAvailable'
  | 'redeemInKind'
  | 'investIn'
  | 'investOut'
  | 'shareTransferOut'
  | 'shareTransferIn'
  /** Shares burned by their owner instead of the vault program, without a payment. */
  | 'shareBurn';

export type FarmEventKind =
  | 'stake'
  | 'unstake'
  | 'withdrawUnstaked'
  | 'harvest'
  | 'setStake'
  | 'transferOwnership'
  /** Of an administrator. */
  | FarmManagementInstruction;

/** An event is identified by its signature, the path of its call, and its index in the call. */
type HistoryEventKey = {
  readonly signature: string;
  readonly path: readonly number[];
  readonly eventIndex: number;
};

/** An event of a wallet, a loan or a vault, with executed amounts. */
export type HistoryEvent = LendingHistoryEvent | VaultHistoryEvent | FarmHistoryEvent;

type HistoryEventBase = HistoryEventKey & {
  readonly slot: Slot;
  /** Undefined if the node did not record it. */
  readonly at: UnixSeconds | undefined;
  /** The index among the events of the transaction, in the order of execution. */
  readonly order: number;
  /** Undefined if neither the transaction nor the owner lookup determines it. */
  readonly wallet: Address | undefined;
};

export type LendingHistoryEvent = HistoryEventBase & {
  readonly area: 'lending';
  readonly kind: LendingEventKind;
  readonly market: Address;
  readonly obligation: Address | undefined;
  /** The debt reserve in an event of a liquidator. */
  readonly reserve: Address | undefined;
  /** The collateral reserve in an event of a liquidator, the new reserve of a rollover. */
  readonly otherReserve: Address | undefined;
  /** Mint of the reserve's token. */
  readonly mint: Address | undefined;
  /** Tokens moved between the wallet and the reserve; for a liquidator, the payout. */
  readonly liquidityAmount: Lamports | undefined;
  /** In cTokens. */
  readonly collateralAmount: bigint | undefined;
  /** The part of `collateralAmount` that a liquidation redeemed immediately. */
  readonly redeemedAmount: bigint | undefined;
  /**
   * The change of the debt. Undefined for a borrow with a referrer, where only the accounts show
   * it, and for a socialized loss whose log is incomplete.
   */
  readonly debtAmount: Lamports | undefined;
  readonly feeAmount: Lamports | undefined;
  /** The payer of a repayment, who may not be the owner. */
  readonly payer: Address | undefined;
  readonly elevationGroup: number | undefined;
  /** The ticket of a queued withdrawal. */
  readonly withdrawTicket: Address | undefined;
  /** The vault whose cTokens were queued. */
  readonly vault: Address | undefined;
};

export type VaultHistoryEvent = HistoryEventBase & {
  readonly area: 'vault';
  readonly kind: VaultEventKind;
  readonly vault: Address;
  readonly reserve: Address | undefined;
  /** The total that the wallet paid or received, or that moved between vault and reserve. */
  readonly tokenAmount: Lamports | undefined;
  readonly sharesAmount: bigint | undefined;
  /** In cTokens of the reserve. */
  readonly collateralAmount: bigint | undefined;
  /** The part of a deposit that funds the investment transactions. */
  readonly crankAmount: Lamports | undefined;
  /** Added by the investor so that the vault loses nothing to rounding. */
  readonly roundingLossAmount: Lamports | undefined;
  /** The other wallet of a share transfer. */
  readonly otherWallet: Address | undefined;
};

export type FarmHistoryEvent = HistoryEventBase & {
  readonly area: 'farm';
  readonly kind: FarmEventKind;
  readonly farm: Address;
  /** The vault whose shares are staked. */
  readonly vault: Address | undefined;
  /** The obligation whose stake the lending program set. */
  readonly obligation: Address | undefined;
  /** Undefined for an event of an administrator. */
  readonly userState: Address | undefined;
  /** The new owner of a transferred stake; its amount is not in the transaction. */
  readonly otherWallet: Address | undefined;
  readonly otherUserState: Address | undefined;
  /** The mint of the reward or of the staked token. */
  readonly mint: Address | undefined;
  /**
   * A reward is net of the fee. `setStake` has the whole new stake. An unstake has the requested
   * amount times 10^18, which may exceed the active stake and moves no tokens.
   */
  readonly amount: bigint | undefined;
  readonly feeAmount: Lamports | undefined;
  /** Undefined for an event of a user. */
  readonly management: FarmManagement | undefined;
};

type FarmManagement = Pick<
  FarmManagementEvent,
  'signer' | 'account' | 'rewardIndex' | 'configMode' | 'configData'
>;

/** Owners that are not in the transaction; undefined if unknown. */
export type OwnerLookup = {
  ownerOfObligation(obligation: Address): Address | undefined;
  ownerOfUserState(userState: Address): Address | undefined;
  vaultOfShareMint(mint: Address): Address | undefined;
  vaultOfFarm(farm: Address): Address | undefined;
  mintOfReserve(reserve: Address): Address | undefined;
};

/** An event without its transaction. */
export type HistoryEventBody<Event extends HistoryEvent> = Omit<
  Event,
  'signature' | 'slot' | 'at' | 'order'
>;
