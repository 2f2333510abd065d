export { type LeverageRow, viewLeverage } from './leverage-metrics.ts';
export { listedMarkets } from './listed-markets.ts';
export { type Loan, type LoanBorrow, type LoanDeposit, viewLoan } from './loan.ts';
export type { MarketFacts } from './market-listing.ts';
export { LENDING_PROGRAM, type MarketNow, marketName, marketNow } from './market-snapshot.ts';
export {
  type InUsdAndSol,
  type LoanEvent,
  type LoanLeg,
  type PositionMode,
  viewObligationPnl,
} from './obligation-pnl.ts';
export { reservesIn } from './obligation-positions.ts';
export { humanTag, type ObligationReport, viewObligations } from './obligation-report.ts';
export { type ReserveMetrics, type ReserveNow, viewReserves } from './reserve-snapshot.ts';
export { firstOfEachMint, type OraclePrice, viewOraclePrices } from './token-prices.ts';
