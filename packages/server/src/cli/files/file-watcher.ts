import { describeFailure, type Logger } from '@tidegate/core/base';
import { stampOf } from './update-file.ts';

const POLL_MS = 500;

export type Watching<Content> = {
  readonly path: string;
  /** Of a file that is not there, too. */
  readonly read: (path: string) => Promise<Content>;
  readonly log: Logger;
  /** What is logged of a file that cannot be read any more. */
  readonly notRead: string;
};

/** A file that is followed while the server runs: what is written to it counts within a second. */
export class WatchedFile<Content> {
  readonly #watching: Watching<Content>;
  #content: Content;
  #stamp: string | undefined;
  readonly #timer: NodeJS.Timeout;

  /** Fails when the file is damaged. */
  static async open<Content>(watching: Watching<Content>): Promise<WatchedFile<Content>> {
    const stamp = await stampOf(watching.path);
    return new WatchedFile(watching, await watching.read(watching.path), stamp);
  }

  private constructor(watching: Watching<Content>, content: Content, stamp: string | undefined) {
    this.#watching = watching;
    this.#content = content;
    this.#stamp = stamp;
    this.#timer = setInterval(() => void this.#poll(), POLL_MS).unref();
  }

  get content(): Content {
    return this.#content;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A file that cannot be read any more leaves everything as it was. */
  async #poll(): Promise<void> {
    const { path, read, log, notRead } = this.#watching;
    try {
      const stamp = await stampOf(path);
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.#content = await read(path);
    } catch (error) {
      log.error({ error: describeFailure(error) }, notRead);
    }
  }
}
