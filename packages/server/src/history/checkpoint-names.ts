import type { Address } from '@tidegate/core/base';

/*
 * Names of checkpoints, and of the gaps that their writers record. Existing databases contain them: do not change one.
 */

/** The newest sample. */
export const SAMPLER_CHECKPOINT = 'sampler';

/** The oldest sample; slot 0 if none is missing. */
export const SAMPLES_SINCE_CHECKPOINT = 'sampler-since';

/** The newest slot whose events are recorded. */
export const EVENTS_CHECKPOINT = 'events';

/** The newest slot up to which the transactions of all programs were listed. It may be before `events`. */
export const EVENTS_LISTED_CHECKPOINT = 'events-listed';

/** The oldest slot since which the events of all programs are recorded; 0 if none is missing. */
export const EVENTS_SINCE_CHECKPOINT = 'events-since';

/**
 * The last slot before tickets of queued withdrawals and fills of orders are recorded. Only in a database of an earlier
 * release.
 */
export const QUEUE_EVENTS_SINCE_CHECKPOINT = 'queue-events-since';

/** The last slot before instructions of farm administrators are recorded. Only in a database of an earlier release. */
export const FARM_MANAGEMENT_SINCE_CHECKPOINT = 'farm-management-since';

/** Written when all events of an address since its creation are recorded. */
export const completeAddressCheckpoint = (address: Address): string => `complete:${address}`;

/** Written when all transactions of an address in the ledger are recorded, and none of them created it. */
export const listedAddressCheckpoint = (address: Address): string => `listed:${address}`;

/** The newest slot up to which states of positions were compared with their events. */
export const POSITIONS_CHECKED_CHECKPOINT = 'positions-checked';

/** The slot at which all positions were known, so that a later one began empty. */
export const POSITIONS_KNOWN_CHECKPOINT = 'positions-known';

/** The slot up to which raw steps were pruned. */
export const RAW_BASE_CHECKPOINT = 'raw';

/** The oldest slot that the backfill of an address has reached. */
export const oldestBackfillCheckpoint = (address: Address): string => `backfill:${address}`;

/** The newest slot that the backfill of an address has covered. */
export const newestBackfillCheckpoint = (address: Address): string => `backfill-newest:${address}`;

/** Before the releases that programs were seen to run, with the slots from which they run. */
export const RUNNING_RELEASE_PREFIX = 'release:';
