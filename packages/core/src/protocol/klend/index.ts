export { klendError, klendRejection } from './errors.ts';
export type { KlendEvent } from './events/klend-event.ts';
export { emittedOrderEvent } from './events/read-orders.ts';
export { readKlendEvents } from './events.ts';
export { klendInstructions } from './instruction-set.ts';
export * as instructions from './instructions/index.ts';
export * as accounts from './layout/index.ts';
export * from './lending-rules.ts';
export * as math from './math/index.ts';
export * as operations from './operations/index.ts';
export {
  newestCandidate,
  type OracleResult,
  readPythPrice,
  readSwitchboardPrice,
  ZERO_READING,
} from './oracles.ts';
export * as addresses from './pda.ts';
export {
  globalConfigAddress,
  lendingMarketAuthority,
  OBLIGATION_TAGS,
  type ObligationKind,
  obligationAddress,
  obligationSeeds,
  ownerQueuedCollateralVault,
  referrerTokenStateAddress,
  reserveAddresses,
  userMetadataAddress,
  withdrawTicketAddress,
} from './pda.ts';
export * from './permissions.ts';
export * from './program.ts';
export * from './releases.ts';
