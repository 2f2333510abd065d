export {
  type Client,
  type ClientOptions,
  createClient,
  type OpenCall,
  type OpenedCall,
} from './client.ts';
export {
  addDecimals,
  compareDecimals,
  divideDecimals,
  type ExactDecimal,
  formatDecimal,
  formatExactDecimal,
  fromBaseUnits,
  isDecimal,
  multiplyDecimals,
  parseDecimal,
  type Rounding,
  subtractDecimals,
  toBaseUnits,
} from './decimals/decimal.ts';
export type * from './generated/operations.ts';
export { type PagedOperation, type PageItemOf, readAllPages, readPages } from './pages.ts';
export {
  type Freshness,
  type HeaderItem,
  readFreshness,
  readLifetime,
  type TimeInterval,
  type TransactionLifetime,
} from './requests/freshness.ts';
export type {
  CallArguments,
  CallOptions,
  OperationName,
  OperationOf,
  ParametersOf,
  PathOf,
  ResponseOf,
  RevalidateOptions,
  SlotNumber,
} from './requests/operation-types.ts';
export {
  type ApiError,
  type Failure,
  type HttpError,
  type LocalError,
  type RequestIssue,
  type Result,
  type Revalidated,
  type ServerCode,
  type Success,
  unwrap,
} from './requests/result.ts';
export type {
  ClosedError,
  StreamFault,
  StreamNotice,
  StreamOptions,
} from './streams/event-stream.ts';
export {
  type StateUpdate,
  streamTransactions,
  streamUpdates,
  type TransactionEvent,
  type TransactionFilter,
  type TransactionUpdate,
} from './streams/read-streams.ts';
