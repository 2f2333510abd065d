export { farmsError, farmsRejection } from './errors.ts';
export { type FarmsEvent, readFarmsEvents } from './events.ts';
export * from './farm-config.ts';
export { farmsInstructions } from './instruction-set.ts';
export * as instructions from './instructions/index.ts';
export * as accounts from './layout/index.ts';
export type { FarmManagementInstruction } from './management.ts';
export * as math from './math/index.ts';
export * as operations from './operations/index.ts';
export * as addresses from './pda.ts';
export {
  farmVault,
  farmVaultsAuthority,
  rewardVault,
  treasuryVault,
  treasuryVaultsAuthority,
  userStateAddress,
} from './pda.ts';
export * from './program.ts';
export * from './releases.ts';
