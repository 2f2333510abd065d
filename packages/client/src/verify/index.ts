export type { LoanSeeds } from './bytes/derived-addresses.ts';
export type { LookupTables } from './bytes/resolve-accounts.ts';
export type {
  ChainData,
  FarmData,
  LoanData,
  ReserveData,
  RewardData,
  ShareData,
  VaultData,
} from './chain/chain-data.ts';
export type { ReadOptions } from './chain/read-accounts.ts';
export { readChainData } from './chain/read-chain-data.ts';
export { readLookupTables } from './chain/read-lookup-tables.ts';
export type { ExplainedInstruction } from './explain-call.ts';
export { REASON_CODES, type Reason, type ReasonCode } from './reasons.ts';
export type {
  ClaimRequest,
  DeleverageRequest,
  GivenInstruction,
  LendingRequest,
  LeverageRequest,
  LiquidationRequest,
  LoanExitRequest,
  MultiplyRequest,
  VaultDepositRequest,
  VaultExitRequest,
  VaultWithdrawRequest,
  VerifiableRequest,
} from './verifiable-request.ts';
export {
  type VerificationInput,
  type VerificationResult,
  verifyTransaction,
} from './verify-transaction.ts';
