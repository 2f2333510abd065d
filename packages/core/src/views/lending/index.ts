export { type LeverageRow, viewLeverage } from './leverage-metrics.ts';
export { selectListedMarkets } from './listed-markets.ts';
export { type Loan, type LoanBorrow, type LoanDeposit, viewLoan } from './loan.ts';
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
  type UsdAndSol,
  viewObligationPnl,
} from './obligation-pnl.ts';
export { reservesOfObligation } from './obligation-positions.ts';
export { type ObligationReport, obligationTagName, viewObligations } from './obligation-report.ts';
export { type ReserveMetrics, type ReserveSnapshot, viewReserves } from './reserve-snapshot.ts';
export { firstPricePerMint, type TokenOraclePrice, viewTokenOraclePrices } from './token-prices.ts';
