import type { Address } from '../../../base/encoding/address.ts';
import type { Lamports } from '../../../base/numbers/lamports.ts';
import type { Slot, UnixSeconds } from '../../../base/time.ts';

/** The place of a kind in its list is its number where events are stored: add at the end only. */
export const lendingEventKinds = [
  'initObligation',
  'requestElevationGroup',
  'deposit',
  'withdraw',
  'borrow',
  'repay',
  /** The cash of a repayment, for the one who paid the debt of somebody else. */
  'repayForOther',
  'depositObligationCollateral',
  'withdrawObligationCollateral',
  'depositReserveLiquidity',
  'redeemReserveCollateral',
  /** A liquidation as its owner sees it: debt that was paid, and collateral that was taken. */
  'liquidationRepay',
  'liquidationWithdraw',
  /** The same as the liquidator sees it. */
  'liquidate',
  'socializeLoss',
  'flashBorrow',
  'flashRepay',
  'enqueueToWithdraw',
  'cancelWithdrawTicket',
  'withdrawQueuedLiquidity',
] as const;

export const vaultEventKinds = [
  'deposit',
  'buy',
  'withdraw',
  'sell',
  'withdrawFromAvailable',
  'redeemInKind',
  'investIn',
  'investOut',
  'shareTransferOut',
  'shareTransferIn',
  /** By their owner and not by the vault program: the shares are gone, and nothing was paid. */
  'shareBurn',
] as const;

export const farmEventKinds = [
  'stake',
  'unstake',
  'withdrawUnstaked',
  'harvest',
  'setStake',
  'transferOwnership',
] as const;

type LendingKind = (typeof lendingEventKinds)[number];
export type VaultEventKind = (typeof vaultEventKinds)[number];
type FarmKind = (typeof farmEventKinds)[number];

/** An event is known by its signature, the path of its call, and its leg among those of the call. */
type PastEventKey = {
  readonly signature: string;
  readonly path: readonly number[];
  readonly leg: number;
};

/** What a wallet, a loan or a vault did or had done to it, in amounts that were executed. */
export type HistoryEvent = LendingHistoryEvent | VaultHistoryEvent | FarmHistoryEvent;

type Happened = PastEventKey & {
  readonly slot: Slot;
  /** Undefined where the node did not keep it. */
  readonly at: UnixSeconds | undefined;
  /** Counts the events of the transaction in the order of execution. */
  readonly order: number;
  /** Undefined where neither the transaction nor the facts tell who it is. */
  readonly wallet: Address | undefined;
};

export type LendingHistoryEvent = Happened & {
  readonly area: 'lending';
  readonly kind: LendingKind;
  readonly market: Address;
  readonly obligation: Address | undefined;
  /** Of the debt, for a liquidator. */
  readonly reserve: Address | undefined;
  /** Whose collateral a liquidator took. */
  readonly otherReserve: Address | undefined;
  /** Of the reserve's token. */
  readonly mint: Address | undefined;
  /** What moved between the wallet and the pool; for a liquidator what the pool paid out. */
  readonly liquidityAmount: Lamports | undefined;
  /** In cTokens. */
  readonly collateralAmount: bigint | undefined;
  /** The cTokens of `collateralAmount` that a liquidation redeemed at once. */
  readonly redeemedAmount: bigint | undefined;
  /**
   * By how much the debt changed. Of a borrow with a referrer only accounts tell; of a loss that
   * lenders bear it is the most that was forgiven.
   */
  readonly debtAmount: Lamports | undefined;
  readonly feeAmount: Lamports | undefined;
  /** Who paid a repayment, the owner of the obligation or anybody else. */
  readonly payer: Address | undefined;
  readonly elevationGroup: number | undefined;
};

export type VaultHistoryEvent = Happened & {
  readonly area: 'vault';
  readonly kind: VaultEventKind;
  readonly vault: Address;
  readonly reserve: Address | undefined;
  /** All that the wallet paid or received, or that moved between vault and reserve. */
  readonly tokenAmount: Lamports | undefined;
  readonly sharesAmount: bigint | undefined;
  /** In cTokens of the reserve. */
  readonly collateralAmount: bigint | undefined;
  /** The part of a deposit that pays for moving the funds. */
  readonly crankAmount: Lamports | undefined;
  /** What the one who invests added so that the vault loses nothing by rounding. */
  readonly roundingLossAmount: Lamports | undefined;
  /** The other side of a transfer of shares. */
  readonly otherWallet: Address | undefined;
};

export type FarmHistoryEvent = Happened & {
  readonly area: 'farm';
  readonly kind: FarmKind;
  readonly farm: Address;
  /** Whose shares the farm takes. */
  readonly vault: Address | undefined;
  /** Whose stake the lending program set. */
  readonly obligation: Address | undefined;
  readonly userState: Address;
  /** Who takes over, where a stake changes hands; how much it is only accounts tell. */
  readonly otherWallet: Address | undefined;
  readonly otherUserState: Address | undefined;
  /** Of the reward, or of what was staked. */
  readonly mint: Address | undefined;
  /**
   * Net of the fee for a reward; the whole stake from now on where it was set; as asked and times
   * 10^18 for an unstake, which takes no more than the active stake and moves no tokens.
   */
  readonly amount: bigint | undefined;
  readonly feeAmount: Lamports | undefined;
};

/** What no transaction tells. Undefined where it is not known. */
export type OwnerLookup = {
  ownerOfObligation(obligation: Address): Address | undefined;
  ownerOfUserState(userState: Address): Address | undefined;
  vaultOfShareMint(mint: Address): Address | undefined;
  vaultOfFarm(farm: Address): Address | undefined;
  mintOfReserve(reserve: Address): Address | undefined;
};

/** An event before it is placed in its transaction. */
export type HistoryEventBody<Event extends HistoryEvent> = Omit<
  Event,
  'signature' | 'slot' | 'at' | 'order'
>;
