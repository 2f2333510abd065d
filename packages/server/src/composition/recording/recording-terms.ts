import { formatError, type Logger } from '@tidegate/core/base';
import { sleepUnlessAborted } from '../../chain/retry.ts';
import { hasCode } from '../../errors.ts';
import {
  type ClusterIdentity,
  claimHistory,
  requireSameCluster,
} from '../../history/cluster-identity.ts';
import type { WriterEpoch } from '../../history/fencing/writer-fence.ts';
import { isTemporaryOutage } from '../../history/health/database-problem.ts';
import type { History } from '../../history/open-history.ts';
import type { RecordingWriter } from './recording-writer.ts';

type TermsOptions = {
  readonly history: History;
  /** What writes from now on. It has recorded nothing yet. */
  readonly open: () => RecordingWriter;
  /** Called when this process has begun to write. */
  readonly onBegin: () => void;
  /** Called when another epoch has begun: the database may have been restored. */
  readonly onNewEpoch: () => void;
  readonly log: Logger;
};

const RETRY_MS = 1_000;

/** Records while this process is the writer of the history, and never in the history of another cluster. */
export class RecordingTerms {
  readonly #options: TermsOptions;
  readonly #stopping = new AbortController();
  #identity: ClusterIdentity | undefined;
  /** Changes of the role, one after another. */
  #last: Promise<void> = Promise.resolve();
  #newest: WriterEpoch | undefined;
  #writer: { readonly epoch: WriterEpoch | undefined; readonly parts: RecordingWriter } | undefined;

  constructor(options: TermsOptions) {
    this.#options = options;
  }

  /** Undefined while another process writes, or the database does not respond. */
  get writer(): RecordingWriter | undefined {
    return this.#writer?.parts;
  }

  /**
   * Call it before state is loaded. Resolves as soon as it is known whether this process writes; if the database does
   * not respond, recording begins later. Throws HISTORY_OF_ANOTHER.
   */
  async start(identity: ClusterIdentity | undefined): Promise<void> {
    const { history } = this.#options;
    this.#identity = identity;
    await history.role?.known;
    try {
      if (identity !== undefined) await requireSameCluster(history.db, identity);
      await this.#update();
    } catch (error) {
      if (!hasCode(error, 'HISTORY_UNAVAILABLE')) throw error;
      this.#enqueue();
    }
    history.role?.subscribe(() => this.#enqueue());
    // it may have changed in the meantime
    this.#enqueue();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#last;
    await this.#end();
  }

  #enqueue(): void {
    this.#last = this.#last.then(() => this.#updateUntilDone());
  }

  async #updateUntilDone(): Promise<void> {
    const { history, log } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        return await this.#update();
      } catch (error) {
        if (hasCode(error, 'HISTORY_OF_ANOTHER')) return history.health.setOtherCluster(error);
        const isLogged = hasCode(error, 'HISTORY_UNAVAILABLE');
        if (isLogged && !isTemporaryOutage(error)) return;
        if (!isLogged) log.error({ reason: formatError(error) }, 'recording did not begin');
      }
      await sleepUnlessAborted(RETRY_MS, signal);
    }
  }

  /** Begins or ends to write, as the role says. Without an answer of the database everything stays as it is. */
  async #update(): Promise<void> {
    const { role, db } = this.#options.history;
    if (role?.state === 'unknown') return;
    if (role?.newest !== this.#newest) this.#options.onNewEpoch();
    this.#newest = role?.newest;
    if (role?.state === 'reader') {
      await this.#end();
      if (this.#identity !== undefined) await requireSameCluster(db, this.#identity);
      return;
    }
    if (this.#writer !== undefined && this.#writer.epoch === role?.epoch) return;
    await this.#end();
    await this.#begin(role?.epoch);
  }

  async #begin(epoch: WriterEpoch | undefined): Promise<void> {
    const { history, open, onBegin } = this.#options;
    if (this.#identity !== undefined) await claimHistory(history.db, this.#identity);
    const parts = open();
    this.#writer = { epoch, parts };
    try {
      await parts.start();
    } catch (error) {
      await this.#end();
      throw error;
    }
    onBegin();
  }

  async #end(): Promise<void> {
    const parts = this.#writer?.parts;
    this.#writer = undefined;
    await parts?.stop();
  }
}
