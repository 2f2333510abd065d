import { type FiguresJson, shortAmount, withUnit } from './failure-figures.ts';

type FailureFacts = {
  readonly name: string;
  readonly program: string | undefined;
  readonly figures: FiguresJson | undefined;
  /** With its symbol. */
  readonly maxAmount: string | undefined;
  /** With its symbol. */
  readonly suggestedAmount: string | undefined;
  readonly isOutOfUnits?: boolean | undefined;
};

type Advice = string | ((facts: FailureFacts) => string);

const REBUILD = 'Build the transaction again and sign the new one.';
const RETRY = 'Retry: the cluster is busy or restarting.';
const ADMIN =
  'Nothing the wallet can do: wait until the operator of the market or vault changes it.';
const REPORT = 'Build the transaction again. If it fails the same way, report it with the request.';

/** What to do about a failure, in one or two sentences. */
export function adviseOnFailure(facts: FailureFacts): string {
  const { name, program } = facts;
  const advice = byName[`${program}.${name}`] ?? byName[name] ?? fallbacks[program ?? 'cluster'];
  if (advice === undefined) return REPORT;
  return typeof advice === 'string' ? advice : advice(facts);
}

const addSol: Advice = ({ figures }) =>
  figures?.missing == null
    ? 'Add SOL to the wallet for the fee, the rent of new accounts and the SOL to wrap.'
    : `Add at least ${withUnit(figures.missing, figures)} to the wallet ${figures.account}.`;

const addTokens: Advice = ({ figures }) =>
  figures?.missing == null
    ? 'Add tokens to the wallet, or use a smaller amount.'
    : `Add ${withUnit(figures.missing, figures)} to the token account ${figures.account}, or use an amount of at most ${withUnit(figures.available ?? '0', figures)}.`;

const createTokenAccount: Advice = ({ figures }) => {
  if (figures?.account == null) return 'Create the missing account first.';
  const amount = figures.needed === null ? 'the amount' : withUnit(figures.needed, figures);
  return `Send ${amount} to the wallet: it has no token account ${figures.account} for this token.`;
};

const ROOM = 'prices that move by 0.5 % and two minutes of interest';

/** The limit now, and what to use below it. */
function limitText(verb: string, maxAmount: string, suggestedAmount: string | undefined): string {
  if (suggestedAmount === undefined || suggestedAmount.startsWith('0 ')) {
    return `${verb} at most ${maxAmount} at once, which leaves no room for ${ROOM}`;
  }
  return `${verb} at most ${suggestedAmount}, which leaves room for ${ROOM} (the limit now is ${shortAmount(maxAmount)})`;
}

/** `verb` an amount that the program accepts. */
const useLess =
  (verb: string, alternative: string): Advice =>
  ({ maxAmount, suggestedAmount, figures }) => {
    if (maxAmount !== undefined && !maxAmount.startsWith('0 ')) {
      return `${limitText(verb, maxAmount, suggestedAmount)}, or ${alternative}.`;
    }
    const available = figures?.available;
    if (available != null && available !== '0' && figures?.unit !== 'usd') {
      return `${verb} at most ${withUnit(available, figures as FiguresJson)}, or ${alternative}.`;
    }
    if (maxAmount === undefined && figures === undefined) return `${verb} less, or ${alternative}.`;
    return `${alternative.charAt(0).toUpperCase()}${alternative.slice(1)}: no amount is accepted now.`;
  };

const useMore =
  (verb: string) =>
  ({ figures }: FailureFacts): string =>
    figures?.limit == null
      ? `${verb} a larger amount.`
      : `${verb} more: the minimum is ${withUnit(figures.limit, figures)}.`;

const RAISE_UNITS = 'Set a higher computeUnitLimit, at most 1400000, and build again.';

/** A panic with figures is that of a deposit that does not cover the fee of the vault. */
const stopped: Advice = (facts) => {
  if (facts.isOutOfUnits === true) return RAISE_UNITS;
  return facts.figures === undefined
    ? 'Use another amount: the program cannot compute with this one. If none is accepted, report it with the request.'
    : useMore('Deposit')(facts);
};

const waitUntil =
  (what: string): Advice =>
  ({ figures }) =>
    figures?.until == null ? `Wait until ${what}.` : `Wait until ${figures.until}, when ${what}.`;

const borrowLess = useLess('Borrow', 'deposit more collateral or repay debt first');
const borrowLater = useLess('Borrow', 'wait for repayments or a higher limit of the reserve');
const withdrawLess = useLess('Withdraw', 'repay debt or deposit other collateral first');

const byName: Readonly<Record<string, Advice>> = {
  // Transaction errors of the cluster
  AccountNotFound: addSol,
  InsufficientFundsForFee: addSol,
  InsufficientFundsForRent: ({ figures }) =>
    figures?.missing == null
      ? 'Leave enough SOL for the rent in the account, or empty it.'
      : `Add at least ${withUnit(figures.missing, figures)} to the wallet ${figures.account}, or leave it empty.`,
  InvalidAccountForFee:
    'Use a wallet that the system program owns; a program account pays no fees.',
  BlockhashNotFound: REBUILD,
  AlreadyProcessed: 'Nothing to do: look the signature up before you build again.',
  AccountInUse: RETRY,
  ClusterMaintenance: RETRY,
  CommitCancelled: RETRY,
  ResanitizationNeeded: RETRY,
  ProgramCacheHitMaxLimit: RETRY,
  ProgramExecutionTemporarilyRestricted: RETRY,
  WouldExceedAccountDataBlockLimit: RETRY,
  WouldExceedAccountDataTotalLimit: RETRY,
  WouldExceedMaxAccountCostLimit: 'Retry with a higher computeUnitPrice: the account is in demand.',
  WouldExceedMaxBlockCostLimit: 'Retry with a higher computeUnitPrice: the blocks are full.',
  MaxLoadedAccountsDataSizeExceeded: 'Split the transaction: use the instructions operation.',
  TooManyAccountLocks: 'Split the transaction: use the instructions operation.',
  AddressLookupTableNotFound:
    'Retry in a few seconds: a new lookup table is usable one slot later.',
  InvalidAddressLookupTableIndex:
    'Retry in a few seconds: new entries of a table are usable one slot later.',
  // Instruction errors of the cluster
  ComputationalBudgetExceeded: RAISE_UNITS,
  ProgramFailedToComplete: stopped,
  MathOverflow: stopped,
  AccountNotRentExempt: addSol,
  'system.InsufficientFunds': addSol,
  // System and token programs
  ResultWithNegativeLamports: addSol,
  AccountAlreadyInUse: REBUILD,
  'token.InsufficientFunds': addTokens,
  'token2022.InsufficientFunds': addTokens,
  AccountFrozen: 'Ask the issuer of the token to unfreeze the token account.',
  NonTransferable: 'The token cannot be moved; use another token.',
  MintPaused: 'Wait until the issuer of the token resumes transfers.',
  NonNativeHasBalance: 'Withdraw all shares, or fewer, so that the share account is not closed.',
  'associatedToken.InvalidOwner': 'Use a wallet whose associated token account it still owns.',
  AccountNotInitialized: createTokenAccount,
  // Lending
  BorrowTooLarge: borrowLess,
  WorseLtvThanUnhealthyLtv: ({ maxAmount, suggestedAmount }) =>
    maxAmount === undefined || maxAmount.startsWith('0 ')
      ? 'Repay debt or deposit more collateral first: the loan would be liquidatable.'
      : `${limitText('Use', maxAmount, suggestedAmount)}, or deposit more collateral: the loan would be liquidatable.`,
  LiabilitiesBiggerThanAssets:
    'Use a smaller amount, repay debt, or deposit more collateral first.',
  WorseLtvBlocked: 'Repay debt or deposit collateral that improves the loan-to-value.',
  BorrowLimitExceeded: borrowLater,
  ElevationGroupBorrowLimitExceeded: borrowLater,
  BorrowingAboveUtilizationRateDisabled: borrowLater,
  BorrowTooSmall: useMore('Borrow'),
  'klend.InsufficientLiquidity': useLess('Use', 'wait until the reserve has more liquidity'),
  DepositLimitExceeded: useLess('Deposit', 'wait until others withdraw or the limit is raised'),
  WithdrawalCapReached: ({ figures }) =>
    figures?.available == null
      ? 'Use a smaller amount, or wait for the next interval of the cap.'
      : `Use at most ${withUnit(figures.available, figures)}, or wait until ${figures.until}, when the cap starts anew.`,
  WithdrawTooLarge: withdrawLess,
  MaximumWithdrawValueZero: withdrawLess,
  WithdrawTooSmall: useMore('Withdraw'),
  NetValueRemainingTooSmall:
    'Use another amount, or all of it: a position must be empty or reach the minimum value.',
  ObligationDepositsEmpty: 'Deposit collateral first.',
  ObligationDepositsZero: 'Deposit collateral that has a value first.',
  ObligationBorrowsEmpty: 'Nothing to repay: the loan has no debt.',
  ObligationLiquidityEmpty: 'Nothing to repay: the loan has no debt in this reserve.',
  InvalidObligationLiquidity: 'Nothing to repay: the loan has no debt in this reserve.',
  InvalidObligationCollateral: 'Nothing to withdraw: the loan has no deposit in this reserve.',
  ObligationCollateralEmpty: 'Nothing to withdraw: the deposit is empty.',
  ObligationReserveLimit: 'Close another deposit or debt of the loan first.',
  ObligationCollateralExceedsElevationGroupLimit: 'Close another deposit of the loan first.',
  ObligationInObsoleteReserve: 'Close the positions in obsolete reserves first.',
  ObligationCurrentlyMarkedForDeleveraging: 'Repay the debt: the loan is being deleveraged.',
  DebtReachedReserveDebtTerm: 'Repay the debt first: its term is over.',
  ReserveDebtMaturityReached: 'Borrow from another reserve: the debt of this one has matured.',
  OperationNotPermittedWithCurrentObligationOrders: 'Cancel the order of the loan first.',
  InconsistentElevationGroup: 'Use a reserve of the elevation group, or leave the group first.',
  DepositDisabledOutsideElevationGroup: 'Join an elevation group that accepts this collateral.',
  BorrowingDisabledOutsideElevationGroup: 'Join an elevation group first.',
  ElevationGroupHasAnotherDebtReserve: 'Borrow from the debt reserve of the elevation group.',
  ElevationGroupDebtReserveAsCollateral: 'Deposit into another reserve, or leave the group first.',
  ElevationGroupNewLoansDisabled: 'Leave the elevation group first.',
  ReserveStale: 'Retry in a minute: the oracle has no price that is new enough.',
  ObligationStale: 'Retry in a minute: the oracle has no price that is new enough.',
  PriceTooOld: 'Retry in a minute: the oracle has no price that is new enough.',
  GlobalEmergencyMode: ADMIN,
  ReserveEmergencyMode: ADMIN,
  ReserveObsolete: 'Use another reserve: this one is obsolete.',
  BorrowingDisabled: ADMIN,
  UnsupportedTokenExtension: 'Use another token: the program does not support this one.',
  // Liquidations and flash loans
  ObligationHealthy: 'Nothing to liquidate any more: another liquidator may have been first.',
  LiquidationTooSmall: 'Repay more: the repayment or the collateral rounds to zero.',
  LiquidationRewardTooSmall: 'Lower minReceivedAmount, or repay more.',
  RepayTooSmallForFullLiquidation: 'Repay the whole debt: use U64::MAX as the amount.',
  LiquidationBorrowFactorPriority: 'Repay the debt with the highest borrow factor first.',
  LiquidationLowestLiquidationLtvPriority:
    'Seize the deposit with the lowest liquidation threshold first.',
  FlashLoansDisabled: 'Use another reserve: this one does not lend for one transaction.',
  // Vaults
  DepositAmountBelowMinimum: useMore('Deposit'),
  DepositAmountsZero: 'Deposit a larger amount.',
  DepositAmountsZeroShares: 'Deposit a larger amount: it is worth less than the smallest share.',
  WithdrawAmountBelowMinimum: useMore('Withdraw'),
  CannotWithdrawZeroShares: 'Withdraw a larger amount: the wallet has no such shares.',
  CannotWithdrawZeroLamports: 'Withdraw more shares: these are worth less than the smallest unit.',
  WithdrawResultsInZeroShares: 'Wait until the reserves of the vault have liquidity.',
  WithdrawAmountLessThanWithdrawalPenalty: 'Withdraw more shares, so that the penalty is a part.',
  // Farms
  DepositCapReached: useLess('Stake', 'wait until others unstake'),
  MinClaimDurationNotReached: waitUntil('the reward can be claimed again'),
  UnstakeNotElapsed: waitUntil('the unstaked tokens can be withdrawn'),
  EarlyWithdrawalNotAllowed: waitUntil('the lock of the stake ends'),
  PendingWithdrawalNotWithdrawnYet: 'Withdraw the tokens that were unstaked earlier first.',
  NothingToUnstake: 'Nothing to unstake: the wallet has no active stake.',
  NothingToWithdraw: 'Nothing to withdraw: nothing was unstaked.',
  NoRewardToHarvest: 'Wait until rewards have accrued.',
  NothingStaked: 'Stake first: without a stake there are no rewards.',
  ScopeOraclePriceTooOld: 'Retry in a minute: the oracle has no price that is new enough.',
  MissingScopePrices: ADMIN,
};

/** For errors without an entry of their own. */
const fallbacks: Readonly<Record<string, Advice>> = {
  scope: 'Retry in a minute: the price oracle rejects the refresh.',
  computeBudget: 'Check computeUnitLimit and computeUnitPrice.',
  addressLookupTable: REBUILD,
  cluster: REBUILD,
};
