export {
  type BackedDebts,
  type CollateralReserve,
  sumBackedDebts,
  viewCollateralReserves,
} from './borrow-terms.ts';
export { type CollateralEvent, findEmptyingEvents } from './emptied-loan.ts';
export { type LeverageRow, viewLeverage } from './leverage-metrics.ts';
export {
  hasDrifted,
  type LoanRisk,
  type RiskScale,
  readLoanRisk,
  riskOf,
  viewRiskScale,
} from './liquidation-risk.ts';
export {
  type ListedReserve,
  reservesOfListedMarket,
  selectListedMarkets,
  selectListedReserves,
} from './listed-markets.ts';
export { type Loan, type LoanBorrow, type LoanDeposit, viewLoan } from './loan.ts';
export {
  type LiquidatableLoan,
  type LoanLiquidation,
  viewLiquidatableLoan,
  viewLoanLiquidations,
} from './loan-liquidations.ts';
export { type LoanReport, viewLoanReport } from './loan-report.ts';
export { type DebtRounding, debtRounding, LoanSums, type LoanTotals } from './loan-sums.ts';
export type { MarketListing } from './market-listing.ts';
export {
  LENDING_PROGRAM,
  type MarketSnapshot,
  marketName,
  snapshotMarket,
} from './market-snapshot.ts';
export {
  type LoanEvent,
  type PositionMode,
  type PricedAmount,
  sinceEmpty,
  type UsdAndSol,
  viewObligationPnl,
} from './obligation-pnl.ts';
export { reservesOfObligation } from './obligation-positions.ts';
export { type ObligationReport, obligationTagName, viewObligations } from './obligation-report.ts';
export { openBorrowOrders } from './open-borrow-orders.ts';
export { type PriceGroup, type PriceGroupBasis, viewPriceGroups } from './price-groups.ts';
export {
  isStalePrice,
  type PriceAge,
  readScopePrices,
  stalePriceAges,
} from './reserve-price.ts';
export { type ReserveRewards, viewReserveRewards } from './reserve-rewards.ts';
export {
  type ReserveMetrics,
  type ReserveSnapshot,
  reservePriceAge,
  viewReserves,
} from './reserve-snapshot.ts';
export {
  type DebtLimit,
  type ReserveAmounts,
  reserveStatus,
  viewDebtLimits,
  viewReserveAmounts,
} from './reserve-stats.ts';
export {
  choosePricePerMint,
  currentPrices,
  type TokenPrice,
  viewReserveTokenPrice,
} from './token-prices.ts';
export {
  collectAvailable,
  computeFigure,
  type Omission,
  requireUnavailable,
  unreadableError,
} from './unavailable-figures.ts';
export { type QueuedWithdrawal, viewWithdrawQueue } from './withdraw-queue.ts';
