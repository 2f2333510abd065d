/**
 * The library entry `tidegate/builders`: unsigned transactions that the programs accept. Pure, no I/O: a builder
 * says which accounts it needs, its caller reads them, and it builds from them.
 */

export { ClusterState } from '../state/cluster-state.ts';
export type { ClusterReader } from '../state/reader.ts';
export { lendBorrow } from './borrow.ts';
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
export { type ClaimFields, type ClaimRequest, parseClaimRequest } from './claim-request.ts';
export { claimRewards } from './claim-rewards.ts';
export { lendDeposit } from './deposit.ts';
export type { Forecast, ForecastFailure, LoanForecast, TokenChange } from './forecast.ts';
export { forecastClaim } from './forecast-claim.ts';
export { forecastLending } from './forecast-lending.ts';
export { forecastVaultDeposit } from './forecast-vault-deposit.ts';
export { forecastVaultWithdraw } from './forecast-vault-withdraw.ts';
export { walletFacts } from './lending-position.ts';
export {
  type LendingFields,
  type LendingIntent,
  type LendingRequest,
  parseLendingRequest,
} from './lending-request.ts';
export type { ClosedAccount, CreatedAccount, Plan, PlanStep, TokenMove } from './plan.ts';
export { lendRepay } from './repay.ts';
export { checkSize, compileTransaction, type UnsignedTransaction } from './transaction.ts';
export { vaultDeposit } from './vault-deposit.ts';
export {
  parseVaultDepositRequest,
  parseVaultWithdrawRequest,
  type VaultDepositRequest,
  type VaultFields,
  type VaultWithdrawRequest,
} from './vault-request.ts';
export { vaultWithdraw } from './vault-withdraw.ts';
export { lendWithdraw } from './withdraw.ts';
