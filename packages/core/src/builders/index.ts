/**
 * The library entry `@tidegate/core/builders`: unsigned transactions that the programs accept.
 * Pure, no I/O: a builder lists the accounts it needs, the caller reads them, and the builder
 * builds.
 */

export type { ClusterReader } from '../state/cluster-reader.ts';
export { ClusterState } from '../state/cluster-state.ts';
export type {
  AmountOrAll,
  Build,
  BuildContext,
  Builder,
  ComputeBudget,
  LookupTable,
  WalletAccount,
  WalletAccounts,
  WalletMetadata,
} from './build.ts';
export type {
  BuildSummary,
  ClosedAccount,
  CreatedAccount,
  SummaryStep,
  TokenMove,
} from './build-summary.ts';
export { claimBuilder } from './claims/claim-builder.ts';
export {
  type ClaimRequest,
  type ClaimRequestFields,
  parseClaimRequest,
} from './claims/claim-request.ts';
export {
  compileTransaction,
  requireTransactionSize,
  type UnsignedTransaction,
} from './compile-transaction.ts';
export { borrowBuilder } from './lending/borrow-builder.ts';
export { depositBuilder } from './lending/deposit-builder.ts';
export { readWalletMetadata } from './lending/lending-position.ts';
export {
  type LendingActionKind,
  type LendingRequest,
  type LendingRequestFields,
  parseLendingRequest,
} from './lending/lending-request.ts';
export { repayBuilder } from './lending/repay-builder.ts';
export { withdrawBuilder } from './lending/withdraw-builder.ts';
export { deleverageBuilder, multiplyBuilder } from './leverage/leverage-builders.ts';
export {
  type DeleverageFields,
  type DeleverageRequest,
  type MultiplyFields,
  type MultiplyRequest,
  parseDeleverageRequest,
  parseMultiplyRequest,
  type SwapInstructions,
} from './leverage/leverage-request.ts';
export type { LeverageRequest } from './leverage/plan-leverage.ts';
export { liquidationBuilder } from './liquidation/liquidation-builder.ts';
export {
  type LiquidationRequest,
  type LiquidationRequestFields,
  parseLiquidationRequest,
} from './liquidation/liquidation-request.ts';
export { selectLookupTables } from './lookup-table-selection.ts';
export {
  type LoanExitRequest,
  loanExitPlanner,
  type Planner,
  type VaultExitRequest,
  vaultExitPlanner,
} from './plans/exit-planner.ts';
export type { PlannedTransaction } from './plans/plan-transactions.ts';
export { resultOrError } from './result-or-error.ts';
export {
  checkRentExemptBalance,
  deductFee,
  estimateFee,
  withEnoughSol,
} from './simulation/fee-payer.ts';
export { type LoanAddresses, loanAddressesOf, reportLoans } from './simulation/loan-reports.ts';
export {
  loanOutcomeOfSimulation,
  simulationAddresses,
  walletChangesOfSimulation,
} from './simulation/rpc-simulation-result.ts';
export { simulateClaim } from './simulation/simulate-claim.ts';
export { simulateLending } from './simulation/simulate-lending.ts';
export {
  leveragedLoanAddresses,
  simulateDeleverage,
  simulateMultiply,
} from './simulation/simulate-leverage.ts';
export {
  liquidatedLoanAddresses,
  simulateLiquidation,
} from './simulation/simulate-liquidation.ts';
export { simulateVaultDeposit } from './simulation/simulate-vault-deposit.ts';
export { simulateVaultWithdraw } from './simulation/simulate-vault-withdraw.ts';
export type {
  FailureDetails,
  FailureFigures,
  LoanOutcome,
  ProgramRejection,
  SimulationOutcome,
  TokenAmount,
  TokenChange,
} from './simulation/simulation-outcome.ts';
export { vaultDepositBuilder } from './vaults/vault-deposit-builder.ts';
export {
  parseVaultDepositRequest,
  parseVaultWithdrawRequest,
  type VaultDepositRequest,
  type VaultRequestFields,
  type VaultWithdrawRequest,
  type VaultWithdrawUnit,
} from './vaults/vault-request.ts';
export { vaultWithdrawBuilder } from './vaults/vault-withdraw-builder.ts';
export {
  type DepositToken,
  depositTokens,
  RESERVED_LAMPORTS,
  solBalance,
  tokenBalance,
} from './wallet/wallet-balances.ts';
