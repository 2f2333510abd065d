import { setTimeout as sleep } from 'node:timers/promises';
import type { Slot } from '@tidegate/core/base';
import type { PositionHistoryLoader } from '../../clusters/recording.ts';
import { EVENTS_CHECKPOINT } from '../../history/checkpoint-names.ts';
import { readCheckpoint } from '../../history/queries/checkpoints.ts';
import { areAllEventsRecorded, readAddressCoverage } from '../../history/queries/event-coverage.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';

const POLL_MS = 50;
const DEFAULT_WAIT_MS = 5_000;
/** A position whose events were just recorded is on the replica within this time. */
const POSITION_WAIT_MS = 1_000;

/** Waits until a replica has what was written to its primary. */
export class ReplicaReads {
  readonly #reader: HistoryReader;

  constructor(reader: HistoryReader) {
    this.#reader = reader;
  }

  /** Whether the replica has the checkpoint of events, and so all events that were written before it. */
  waitForCheckpoint(slot: Slot, timeoutMs = DEFAULT_WAIT_MS): Promise<boolean> {
    return waitUntil(timeoutMs, async () => {
      const checkpoint = await readCheckpoint(this.#reader.db, EVENTS_CHECKPOINT);
      return checkpoint !== undefined && checkpoint.slot >= slot;
    });
  }

  /** Completes positions on the primary by `loader`, and waits for the replica. */
  positionHistory(loader: Pick<PositionHistoryLoader, 'require'>): PositionHistoryLoader {
    const reader = this.#reader;
    const hasEverything = () => areAllEventsRecorded(reader);
    const isCovered = async ({ address, isListed }: Position): Promise<boolean> => {
      const coverage = await readAddressCoverage(reader, address);
      return coverage === 'created' || (coverage === 'listed' && isListed === true);
    };
    return {
      hasEverything,
      async require(positions) {
        if (positions.length === 0 || (await hasEverything())) return;
        for (const position of positions) {
          if (await isCovered(position)) continue;
          await loader.require([position]);
          // an account that never existed has no coverage anywhere, so its absence is no failure
          await waitUntil(POSITION_WAIT_MS, () => isCovered(position));
        }
      },
    };
  }
}

type Position = Parameters<PositionHistoryLoader['require']>[0][number];

async function waitUntil(timeoutMs: number, check: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    if (await check()) return true;
    if (performance.now() + POLL_MS > deadline) return false;
    await sleep(POLL_MS);
  }
}
