import { createKeyRing, type KeyRing, type KnownKey } from '../api/keys.ts';
import { describeFailure } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { readKeys, stampOf } from './key-file.ts';

const POLL_MS = 500;

/** The keys of a file, followed while the server runs: created and revoked ones count within a second. */
export class WatchedKeys implements KeyRing {
  readonly #path: string;
  readonly #log: Logger;
  #ring: KeyRing = createKeyRing([]);
  #stamp: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  find(key: string): KnownKey | undefined {
    return this.#ring.find(key);
  }

  /** Fails when the file is damaged. */
  async start(): Promise<void> {
    this.#stamp = await stampOf(this.#path);
    this.#ring = createKeyRing(await readKeys(this.#path));
    this.#timer = setInterval(() => void this.#poll(), POLL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A file that cannot be read any more leaves the keys as they were. */
  async #poll(): Promise<void> {
    try {
      const stamp = await stampOf(this.#path);
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.#ring = createKeyRing(await readKeys(this.#path));
    } catch (error) {
      this.#log.error({ error: describeFailure(error) }, 'key file not re-read');
    }
  }
}
