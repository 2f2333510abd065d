import type { Commitment } from '@tidegate/core/base';
import type { SlotWitness } from '../endpoints/slot-witnesses.ts';
import type { SourceAlarms } from '../source/source-alarms.ts';
import type { StreamSource } from '../source/stream.ts';
import { type GeyserCallOptions, geyserName, openGeyserCall } from './geyser-call.ts';
import { GeyserStream } from './geyser-stream.ts';

export type GeyserSourceOptions = Pick<GeyserCallOptions, 'url' | 'token'> & {
  readonly commitment: Commitment;
  readonly timeoutMs?: number;
  readonly pingMs?: number;
  readonly maxMessageBytes?: number;
  /** Updates that wait for their slot take at most this much memory. */
  readonly maxBufferedBytes?: number;
  /** What the endpoint says of the newest slot. */
  readonly witness?: SlotWitness;
  readonly alarms?: SourceAlarms;
};

/** An account has at most 10 MB. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Several slots at mainnet's busiest. */
const MAX_BUFFERED_BYTES = 256 * 1024 * 1024;

/**
 * Streams updates over Yellowstone gRPC: accounts, slots and transactions in one stream. Closed accounts of a subscribed
 * program are announced if a subscribed transaction closes them.
 */
export function createGeyserSource(options: GeyserSourceOptions): StreamSource {
  const { url, token, commitment, timeoutMs = 10_000, pingMs = 10_000 } = options;
  const { maxMessageBytes = MAX_MESSAGE_BYTES, maxBufferedBytes = MAX_BUFFERED_BYTES } = options;
  const { witness, alarms } = options;
  const name = geyserName(url);
  return {
    name,
    async open(listener, resume) {
      const call = await openGeyserCall({ url, token, timeoutMs, maxMessageBytes });
      return new GeyserStream({
        name,
        call,
        listener,
        commitment,
        pingMs,
        maxBufferedBytes,
        resume,
        witness,
        alarms,
      });
    },
  };
}
