/**
 * The library entry `@tidegate/core/builders`: unsigned transactions that the programs accept. Pure, no I/O: a builder
 * says which accounts it needs, its caller reads them, and it builds from them.
 */

export type { ClusterReader } from '../state/cluster-reader.ts';
export { ClusterState } from '../state/cluster-state.ts';
export type {
  Amount,
  Build,
  Builder,
  ComputeBudget,
  LookupTable,
  Scene,
  WalletAccount,
  WalletAccounts,
  WalletFacts,
} from './build.ts';
export { claimRewards } from './claims/claim-builder.ts';
export { type ClaimFields, type ClaimRequest, parseClaimRequest } from './claims/claim-request.ts';
export { checkSize, compileTransaction, type UnsignedTransaction } from './compile-transaction.ts';
export { lendBorrow } from './lending/borrow-builder.ts';
export { lendDeposit } from './lending/deposit-builder.ts';
export { walletFacts } from './lending/lending-position.ts';
export {
  type LendingFields,
  type LendingIntent,
  type LendingRequest,
  parseLendingRequest,
} from './lending/lending-request.ts';
export { lendRepay } from './lending/repay-builder.ts';
export { lendWithdraw } from './lending/withdraw-builder.ts';
export { coveringTables } from './lookup-table-selection.ts';
export type { ClosedAccount, CreatedAccount, Plan, PlanStep, TokenMove } from './plan.ts';
export { orRefusal } from './result-or-error.ts';
export { feeOf, leftoverRefusal, payFee } from './simulation/fee-payer.ts';
export { type LoanPlace, loanPlace, reportLoans } from './simulation/loan-reports.ts';
export {
  simulatedChanges,
  simulatedLoan,
  watchedAccounts,
} from './simulation/rpc-simulation-result.ts';
export { forecastClaim } from './simulation/simulate-claim.ts';
export { forecastLending } from './simulation/simulate-lending.ts';
export { forecastVaultDeposit } from './simulation/simulate-vault-deposit.ts';
export { forecastVaultWithdraw } from './simulation/simulate-vault-withdraw.ts';
export type {
  Forecast,
  ForecastFailure,
  LoanForecast,
  TokenChange,
} from './simulation/simulation-outcome.ts';
export { vaultDeposit } from './vaults/vault-deposit-builder.ts';
export {
  parseVaultDepositRequest,
  parseVaultWithdrawRequest,
  type VaultDepositRequest,
  type VaultFields,
  type VaultWithdrawRequest,
} from './vaults/vault-request.ts';
export { vaultWithdraw } from './vaults/vault-withdraw-builder.ts';
