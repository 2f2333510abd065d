export type { LoggedPrice } from '../../protocol/klend/events/logged-prices.ts';
export { extractHistoryEvents } from './events/extract-history-events.ts';
export {
  collateralPrice,
  type FarmEventToken,
  type FarmUserEventKind,
  farmEventAmount,
  farmEventInstructions,
  resolveFarmEventToken,
  resolveManagementToken,
} from './events/farm-transaction.ts';
export type {
  FarmEventKind,
  FarmHistoryEvent,
  HistoryEvent,
  LendingEventKind,
  LendingHistoryEvent,
  OwnerLookup,
  VaultEventKind,
  VaultHistoryEvent,
} from './events/history-event.ts';
export { addMissingPurchases, shareTradeKinds } from './events/share-events.ts';
export { vaultEventInstructions, viewVaultTransaction } from './events/vault-transaction.ts';
export { findKnownProgram } from './known-programs.ts';
export {
  decodeLookupTable,
  type LoadedMessage,
  loadMessage,
  lookupTableAddresses,
  MAX_LOOKUP_TABLE_BYTES,
} from './messages/loaded-message.ts';
export { PACKET_DATA_SIZE } from './messages/message-alerts.ts';
export {
  LABELED_ACCOUNT_BYTES,
  type LabeledMessage,
  labelMessage,
} from './messages/message-labels.ts';
export {
  type LabeledAccount,
  type MessageInstructionView,
  type MessageView,
  viewMessage,
} from './messages/message-view.ts';
export type { LabelSource, ListedToken } from './messages/state-labels.ts';
export { parseWireTransaction, type WireTransaction } from './messages/wire-transaction.ts';
export {
  type Explained,
  explainStates,
  type FindDifference,
  type RecordedState,
} from './reconciliation/explain-states.ts';
export {
  EMPTY_LOAN,
  findLoanDifference,
  type LoanBalance,
  type LoanBalanceEvent,
} from './reconciliation/loan-balance.ts';
export { findShareDifference, type ShareEvent } from './reconciliation/share-balance.ts';
export { findStakeDifference, type StakeEvent } from './reconciliation/stake-balance.ts';
export { type TransactionFailure, viewSimulatedFailure } from './transaction-failure.ts';
export {
  type SolBalanceChange,
  type TokenBalanceChange,
  type TransactionOutcome,
  viewTransactionOutcome,
} from './transaction-outcome.ts';
export { type TransactionView, viewTransaction } from './transaction-view.ts';
