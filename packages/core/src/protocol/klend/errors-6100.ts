export const errorsFrom6100 = {
  LiquidationLowestLiquidationLtvPriority: [
    6100,
    'Liquidation must prioritize the collateral with the lowest liquidation LTV',
  ],
  ElevationGroupBorrowLimitExceeded: [6101, 'Elevation group borrow limit exceeded'],
  ElevationGroupWithoutDebtReserve: [
    6102,
    'The elevation group does not have a debt reserve defined',
  ],
  ElevationGroupMaxCollateralReserveZero: [
    6103,
    'The elevation group does not allow any collateral reserves',
  ],
  ElevationGroupHasAnotherDebtReserve: [
    6104,
    'In elevation group attempt to borrow from a reserve that is not the debt reserve',
  ],
  ElevationGroupDebtReserveAsCollateral: [
    6105,
    "The elevation group's debt reserve cannot be used as a collateral reserve",
  ],
  ObligationCollateralExceedsElevationGroupLimit: [
    6106,
    'Obligation have more collateral than the maximum allowed by the elevation group',
  ],
  ObligationElevationGroupMultipleDebtReserve: [
    6107,
    'Obligation is an elevation group but have more than one debt reserve',
  ],
  UnsupportedTokenExtension: [6108, 'Mint has a token (2022) extension that is not supported'],
  InvalidTokenAccount: [6109, "Can't have an spl token mint with a t22 account"],
  DepositDisabledOutsideElevationGroup: [
    6110,
    "Can't deposit into this reserve outside elevation group",
  ],
  CannotCalculateReferralAmountDueToSlotsMismatch: [
    6111,
    'Cannot calculate referral amount due to slots mismatch',
  ],
  ObligationOwnersMustMatch: [6112, 'Obligation owners must match'],
  ObligationsMustMatch: [6113, 'Obligations must match'],
  LendingMarketsMustMatch: [6114, 'Lending markets must match'],
  ObligationCurrentlyMarkedForDeleveraging: [6115, 'Obligation is already marked for deleveraging'],
  MaximumWithdrawValueZero: [
    6116,
    'Maximum withdrawable value of this collateral is zero, LTV needs improved',
  ],
  ZeroMaxLtvAssetsInDeposits: [
    6117,
    'No max LTV 0 assets allowed in deposits for repay and withdraw',
  ],
  LowestLtvAssetsPriority: [
    6118,
    'Withdrawing must prioritize the collateral with the lowest reserve max-LTV',
  ],
  WorseLtvThanUnhealthyLtv: [6119, 'Cannot get the obligation liquidatable'],
  FarmAccountsMissing: [6120, 'Farm accounts to refresh are missing'],
  RepayTooSmallForFullLiquidation: [
    6121,
    'Repay amount is too small to satisfy the mandatory full liquidation',
  ],
  InsufficientRepayAmount: [
    6122,
    'Liquidator provided repay amount lower than required by liquidation rules',
  ],
  OrderIndexOutOfBounds: [6123, 'Obligation order of the given index cannot exist'],
  InvalidOrderConfiguration: [6124, 'Given order configuration has wrong parameters'],
  OrderConfigurationNotSupportedByObligation: [
    6125,
    'Given order configuration cannot be used with the current state of the obligation',
  ],
  OperationNotPermittedWithCurrentObligationOrders: [
    6126,
    'Single debt, single collateral obligation orders have to be cancelled before changing the deposit/borrow count',
  ],
  OperationNotPermittedMarketImmutable: [
    6127,
    'Cannot update lending market because it is set as immutable',
  ],
  OrderCreationDisabled: [6128, 'Creation of new orders is disabled'],
  NoUpgradeAuthority: [
    6129,
    'Cannot initialize global config because there is no upgrade authority to the program',
  ],
  InitialAdminDepositExecuted: [6130, 'Initial admin deposit in reserve already executed'],
  ReserveHasNotReceivedInitialDeposit: [
    6131,
    'Reserve has not received the initial deposit, cannot update config',
  ],
  CTokenUsageBlocked: [6132, 'CToken minting/redeeming is blocked for this reserve'],
  CannotUseSameReserve: [6133, 'Cannot call ix with same reserve'],
  TransactionIncludesRestrictedPrograms: [6134, 'Transaction includes restricted programs'],
  BorrowOrderDebtLiquidityMintMismatch: [
    6135,
    'There is no borrow order requesting debt in the given asset',
  ],
  BorrowOrderMaxBorrowRateExceeded: [
    6136,
    'Reserve used for fill exceeds the maximum borrow rate specified by the order',
  ],
  BorrowOrderMinDebtTermInsufficient: [
    6137,
    'Reserve used for fill defines a debt term shorter than specified by the order',
  ],
  BorrowOrderFillTimeLimitExceeded: [6138, 'Borrow order can no longer be filled'],
  ReserveDebtMaturityReached: [
    6139,
    'Cannot borrow from a reserve that reached its debt maturity timestamp',
  ],
  NonUpdatableOrderConfiguration: [
    6140,
    "Some piece of the order's configuration cannot be updated (the order should be cancelled and placed again)",
  ],
  BorrowOrderExecutionDisabled: [6141, 'Execution of borrow orders is disabled'],
  DebtReachedReserveDebtTerm: [
    6142,
    'Cannot increase the debt that has reached its end of term configured by the reserve',
  ],
  ExpectationNotMet: [
    6143,
    'The on-chain state does not meet expectation specified by the caller, so the operation must be aborted (to avoid race conditions)',
  ],
  BorrowOrderFillValueTooSmall: [
    6144,
    'Available liquidity could not satisfy the minimum required borrow order fill value',
  ],
  WithdrawTicketIssuanceDisabled: [6145, 'Issuing new withdraw tickets is disabled by the market'],
  WithdrawTicketRedemptionDisabled: [6146, 'Redeeming withdraw tickets is disabled by the market'],
  WithdrawTicketStillValid: [
    6147,
    'Recovering collateral is only available after the withdraw ticket has been marked invalid',
  ],
  WithdrawTicketRequiresFullRedemption: [
    6148,
    "The withdraw ticket's current state requires that it is fully redeemed (e.g. due to owner ATA creation), but there is not enough liquidity",
  ],
  UserTokenBalanceMismatch: [
    6149,
    "The user's token account has changed its balance in an unexpected way",
  ],
  WithdrawQueuedLiquidityValueTooSmall: [
    6150,
    'Available liquidity could not satisfy the minimum required ticketed withdrawal value',
  ],
  InvalidTokenAccountState: [
    6151,
    "Token account is in a state preventing the handler's operation (e.g. frozen or delegate)",
  ],
  WithdrawTicketInvalid: [6152, 'Cannot use ticket that was already marked invalid'],
  BorrowOrderValueTooSmall: [
    6153,
    "Borrow order's value would be below the market-configured minimum",
  ],
  WithdrawTicketValueTooSmall: [
    6154,
    "Withdraw ticket's value would be below the market-configured minimum",
  ],
  InvalidWithdrawTicketProgressCallbackConfig: [
    6155,
    'Invalid configuration or required custom accounts for the requested withdraw ticket callback type',
  ],
  WithdrawTicketProgressCallbackAccountsMissing: [
    6156,
    "One or more accounts required by the ticket's configured progress callback are missing",
  ],
  BorrowRolloverConfigurationDisabled: [
    6157,
    'Configuring auto-rollover on loans is disabled by market owner',
  ],
  InvalidObligationConfigUpdateSubject: [
    6158,
    "Invalid specification of the Obligation's part to be configured",
  ],
  BorrowRolloverLiquidityMintMismatch: [
    6159,
    'Auto-rollover must use a target reserve of the same token',
  ],
  ObligationBorrowRolloverNotApplicable: [
    6160,
    'The given borrow is not fixed-term and does not require rolling over',
  ],
  ObligationBorrowOutsideRolloverWindow: [
    6161,
    'The given borrow is outside the corresponding market-configured rollover window',
  ],
  ObligationBorrowRolloverNotEnabledByOwner: [
    6162,
    "Obligation's owner did not opt-in for auto-rollover of the given borrow",
  ],
  ObligationBorrowRolloverTargetReserveMismatch: [
    6163,
    "Obligation's owner did not allow to roll over into terms offered by the given reserve",
  ],
  BorrowRolloverExecutionDisabled: [6164, 'Executing auto-rollover is disabled by market owner'],
  ObligationAccountingMismatch: [
    6165,
    'Obligation internal state accounting has been unexpectedly modified',
  ],
  PartialRolloverValueTooSmall: [
    6166,
    'Partial rollover amount is below the market-configured minimum value',
  ],
  ObligationBorrowRolloverConfigMismatch: [
    6167,
    'Pre-existing rollover configuration of the loan cannot be overwritten by the operation',
  ],
  ObligationBorrowRolloverMustProlongDebtTerm: [
    6168,
    'Rollover into existing borrow must prolong the remaining debt term',
  ],
  RolloverNotSupportedInElevationGroup: [
    6169,
    'Rollover is not supported for obligations in an elevation group',
  ],
  WithdrawTicketCancellationDisabled: [
    6170,
    'Cancelling withdraw tickets is disabled by the market',
  ],
  WithdrawTicketFullyCancelled: [6171, 'Cannot use ticket that was already fully-cancelled'],
  CloneSourceReserveDisabled: [6172, 'Cannot clone config from a reserve that is disabled'],
  CloneTargetReserveAlreadyInUse: [6173, 'Cannot clone config into a reserve that has been in use'],
  ClonedReserveLiquidityMintMismatch: [
    6174,
    'Cannot clone config between reserves of different mints',
  ],
  ReserveEmergencyMode: [6175, 'Reserve emergency mode is enabled'],
  ObligationOwnershipTransferInProgress: [6176, 'Obligation ownership transfer is in progress'],
  ObligationOwnershipTransferNotInInitiatedState: [
    6177,
    'Obligation ownership transfer is not in initiated state',
  ],
  ObligationPendingOwnerNotSet: [6178, 'Obligation pending owner not set'],
  ObligationInvalidPendingOwner: [6179, 'Invalid pending owner address'],
  ObligationOwnershipTransferNotApproved: [
    6180,
    'Obligation ownership transfer not approved by admin',
  ],
  ObligationHasActiveBorrowOrders: [6181, 'Obligation has active borrow orders'],
  OnlyComputeBudgetCompanionIxsAllowed: [
    6182,
    'Only ComputeBudget instructions may accompany this instruction',
  ],
  MissingPermissioner: [6183, 'Required permissioning account is missing'],
  ReserveRewardsDisabled: [
    6184,
    'Reserve rewards are disabled on this market (reserve_rewards_max_apr_bps is 0)',
  ],
  TransactionIncludesNonceInstruction: [
    6185,
    'Transaction includes a nonce instruction, which is not allowed for admin operations',
  ],
} as const;
