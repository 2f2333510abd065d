import type {
  FarmEventKind,
  LendingEventKind,
  VaultEventKind,
} from '@tidegate/core/views/transactions';

/** The index of a kind is its number in the database: append only. */
export const lendingEventKinds = [
  'initObligation',
  'requestElevationGroup',
  'deposit',
  'withdraw',
  'borrow',
  'repay',
  'repayForOther',
  'depositObligationCollateral',
  'withdrawObligationCollateral',
  'depositReserveLiquidity',
  'redeemReserveCollateral',
  'liquidationRepay',
  'liquidationWithdraw',
  'liquidate',
  'socializeLoss',
  'flashBorrow',
  'flashRepay',
  'enqueueToWithdraw',
  'cancelWithdrawTicket',
  'withdrawQueuedLiquidity',
  'borrowOrderPartialFill',
  'borrowOrderFullFill',
  'recoverInvalidTicketCollateral',
] as const satisfies readonly LendingEventKind[];

/** The index of a kind is its number in the database: append only. */
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
  'shareBurn',
] as const satisfies readonly VaultEventKind[];

/** The index of a kind is its number in the database: append only. */
export const farmEventKinds = [
  'stake',
  'unstake',
  'withdrawUnstaked',
  'harvest',
  'setStake',
  'transferOwnership',
  'initializeFarm',
  'initializeFarmDelegated',
  'initializeReward',
  'addRewards',
  'updateFarmConfig',
  'rewardUserOnce',
  'depositToFarmVault',
  'withdrawFromFarmVault',
  'withdrawSlashedAmount',
  'updateFarmAdmin',
  'withdrawReward',
  'updateSecondDelegatedAuthority',
] as const satisfies readonly FarmEventKind[];
