import type { Address } from '@tidegate/core/base';

/*
 * Names of checkpoints, and of the gaps that their writers record. Existing databases contain them: do not change one.
 */

/** The newest sample. */
export const SAMPLER_CHECKPOINT = 'sampler';

/** The newest slot whose events are recorded. */
export const EVENTS_CHECKPOINT = 'events';

/** The oldest slot since which the events of all programs are recorded; 0 if none is missing. */
export const EVENTS_SINCE_CHECKPOINT = 'events-since';

/** Written when all events of an address since its creation are recorded. */
export const completeAddressCheckpoint = (address: Address): string => `complete:${address}`;

/** The slot up to which raw steps were pruned. */
export const RAW_BASE_CHECKPOINT = 'raw';

/** The oldest slot that the backfill of an address has reached. */
export const oldestBackfillCheckpoint = (address: Address): string => `backfill:${address}`;

/** The newest slot that the backfill of an address has covered. */
export const newestBackfillCheckpoint = (address: Address): string => `backfill-newest:${address}`;
