import type { Logger } from '@tidegate/core/base';
import type { SourceAlarms } from '../source/source-alarms.ts';
import type { SlotWitnesses } from './slot-witnesses.ts';

export type EndpointFailoverOptions = {
  readonly maxLagSlots: bigint;
  readonly clock: () => number;
  readonly random: () => number;
  readonly log: Logger;
  /** How often the slot of each endpoint is requested. */
  readonly probeMs?: number;
  readonly cooldownMs?: number;
  /** First pause after all endpoints failed; it doubles. */
  readonly retryMs?: number;
  /** Rounds over all endpoints before a request fails. */
  readonly attempts?: number;
  /** Genesis hash of the cluster. Without it, the first endpoint that returns one decides. */
  readonly genesisHash?: string | undefined;
  /** Shared with the streams of the cluster; by default the endpoints are the only witnesses, by `clock`. */
  readonly witnesses?: SlotWitnesses;
  readonly alarms?: SourceAlarms;
  /** Milliseconds that never go back; `clock` by default. */
  readonly now?: () => number;
};
