export { type Call, descendantsOf, findFailedProgram } from './call-tree.ts';
export { listCreatedAccounts } from './created-accounts.ts';
export { parseSignedMessage } from './json-message.ts';
export {
  type AddressLookup,
  accountsOfMessage,
  countAccounts,
  type LoadedAddresses,
  type Message,
  type MessageAccount,
  type MessageInstruction,
} from './message.ts';
export type { TokenBalance } from './token-balances.ts';
export { parseTransaction, type Transaction } from './transaction.ts';
export type { TransactionError } from './transaction-error.ts';
export { transactionFee } from './transaction-fee.ts';
export { listUsedLookupTables } from './used-lookup-tables.ts';
export {
  decodeWireMessage,
  decodeWireTransaction,
  EMPTY_SIGNATURE,
  encodeWireMessage,
  encodeWireTransaction,
  SIGNATURE_BYTES,
  type SignedMessage,
} from './wire.ts';
