export { pastEvents } from './events/extract-history-events.ts';
export {
  collateralPriceThen,
  type FarmToken,
  farmAmount,
  farmInstructions,
  farmTokenOf,
} from './events/farm-transaction.ts';
export {
  type EventFacts,
  farmKinds,
  lendingKinds,
  type PastEvent,
  type PastFarmEvent,
  type PastLendingEvent,
  type PastVaultEvent,
  type VaultKind,
  vaultKinds,
} from './events/history-event.ts';
export { coverSales, shareMoves } from './events/share-events.ts';
export { vaultInstructions, viewVaultTransaction } from './events/vault-transaction.ts';
export { knownProgram } from './known-programs.ts';
export {
  type LoadedMessage,
  loadMessage,
  readTable,
  TABLE_BYTES,
  tablesOf,
} from './messages/loaded-message.ts';
export { SIZE_LIMIT } from './messages/message-alerts.ts';
export { NAMED_BYTES, type NamedMessage, nameMessage } from './messages/message-labels.ts';
export {
  type MessageInstructionView,
  type MessageView,
  type NamedAccount,
  viewMessage,
} from './messages/message-view.ts';
export type { ListedToken, NameSource } from './messages/state-labels.ts';
export { parseWireTransaction, type WireTransaction } from './messages/wire-transaction.ts';
export { type TransactionFailure, viewSimulatedFailure } from './transaction-failure.ts';
export { type TransactionView, viewTransaction } from './transaction-view.ts';
