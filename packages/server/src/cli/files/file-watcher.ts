import { formatError, type Logger } from '@tidegate/core/base';
import { readFileStamp } from './update-file.ts';

const POLL_MS = 500;

export type FileWatcherOptions<Content> = {
  readonly path: string;
  /** Of a file that is not there, too. */
  readonly read: (path: string) => Promise<Content>;
  readonly log: Logger;
  /** What is logged of a file that cannot be read any more. */
  readonly notRead: string;
};

/** A file that is followed while the server runs: what is written to it counts within a second. */
export class FileWatcher<Content> {
  readonly #watching: FileWatcherOptions<Content>;
  #content: Content;
  #stamp: string | undefined;
  readonly #timer: NodeJS.Timeout;

  /** Fails when the file is damaged. */
  static async open<Content>(watching: FileWatcherOptions<Content>): Promise<FileWatcher<Content>> {
    const stamp = await readFileStamp(watching.path);
    return new FileWatcher(watching, await watching.read(watching.path), stamp);
  }

  private constructor(
    watching: FileWatcherOptions<Content>,
    content: Content,
    stamp: string | undefined,
  ) {
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
      const stamp = await readFileStamp(path);
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.#content = await read(path);
    } catch (error) {
      log.error({ error: formatError(error) }, notRead);
    }
  }
}
