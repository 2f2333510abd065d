export { type Call, descendantsOf } from './call-tree.ts';
export type { Message, MessageAccount, MessageInstruction } from './message.ts';
export type { TokenBalance } from './token-balances.ts';
export { parseTransaction, type Transaction } from './transaction.ts';
export type { TransactionError } from './transaction-error.ts';
export {
  decodeWireMessage,
  decodeWireTransaction,
  encodeWireMessage,
  encodeWireTransaction,
  type SignedMessage,
  UNSIGNED,
} from './wire.ts';
