export { kvaultError, kvaultRejection } from './errors.ts';
export {
  depositResult,
  depositUserAtaBalance,
  redeemInKindResult,
  sharesToWithdraw,
  withdrawResult,
} from './events/emitted-events.ts';
export { type KvaultEvent, readKvaultEvents } from './events.ts';
export { kvaultInstructions } from './instruction-set.ts';
export * as instructions from './instructions/index.ts';
export * as accounts from './layout/index.ts';
export * as math from './math/index.ts';
export * as operations from './operations/index.ts';
export * as addresses from './pda.ts';
export {
  baseVaultAuthority,
  ctokenVault,
  eventAuthority,
  globalConfigAddress,
  reserveWhitelistEntryAddress,
  sharesMint,
  tokenVault,
} from './pda.ts';
export * from './program.ts';
export * from './releases.ts';
export * from './vault-config.ts';
