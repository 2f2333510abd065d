export {
  type AccountKind,
  identifyAccount,
  type ProgramAccountKind,
  programAccountKinds,
  type StatePart,
  unknownValuesIn,
} from './account-kinds.ts';
export type { AccountSelection, StoredAccountBytes } from './account-store.ts';
export type { ClusterReader, StoredAccountWithData } from './cluster-reader.ts';
export { ClusterState } from './cluster-state.ts';
export { listGlobalConfigs, listPriceFeeds, unknownConfigValues } from './config-accounts.ts';
export { PackedRecords } from './packed-records.ts';
export type { PackedWalk, WalkVisitor } from './packed-walk.ts';
export type { StateRows } from './row-copies.ts';
export { sampleOf } from './sample-of.ts';
export { SeenAddresses } from './seen-addresses.ts';
export type { AccountChange } from './state-options.ts';
export { unknownEffects } from './unknown-effects.ts';
export type { FoundUnknownValue, UnknownValueReader } from './unknown-values.ts';
export type { UnreadableAccount, UnreadableAccountReader } from './unreadable-accounts.ts';
