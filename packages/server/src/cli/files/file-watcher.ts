import { formatError, type Logger } from '@tidegate/core/base';
import { readFileStamp } from './update-file.ts';

const POLL_MS = 500;

export type FileWatcherOptions<Content> = {
  readonly path: string;
  /** Also called for a missing file. */
  readonly read: (path: string) => Promise<Content>;
  readonly log: Logger;
  /** Logged if a changed file cannot be read. */
  readonly failureMessage: string;
};

/** The parsed content of a file, which is read again within a second of a change. */
export class FileWatcher<Content> {
  readonly #options: FileWatcherOptions<Content>;
  #content: Content;
  #stamp: string | undefined;
  readonly #timer: NodeJS.Timeout;

  /** Rejects if the file is malformed. */
  static async open<Content>(options: FileWatcherOptions<Content>): Promise<FileWatcher<Content>> {
    const stamp = await readFileStamp(options.path);
    return new FileWatcher(options, await options.read(options.path), stamp);
  }

  private constructor(
    options: FileWatcherOptions<Content>,
    content: Content,
    stamp: string | undefined,
  ) {
    this.#options = options;
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

  /** An unreadable file leaves the content unchanged. */
  async #poll(): Promise<void> {
    const { path, read, log, failureMessage } = this.#options;
    try {
      const stamp = await readFileStamp(path);
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.#content = await read(path);
    } catch (error) {
      log.error({ error: formatError(error) }, failureMessage);
    }
  }
}
