import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** Follows the slot that a server answers with. */
export class ServedSlot {
  readonly #url: string;
  #slot: bigint | undefined;
  #isStopped = false;

  constructor(url: string) {
    this.#url = url;
    void this.#follow();
  }

  /** Undefined while it has answered with none. */
  get slot(): bigint | undefined {
    return this.#slot;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      this.#slot = (await readServedSlot(this.#url)) ?? this.#slot;
      await sleep(POLL_MS);
    }
  }
}

/** Undefined if the server does not answer, or serves no slot yet. */
export async function readServedSlot(url: string): Promise<bigint | undefined> {
  try {
    const { headers } = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) });
    const slot = headers.get('x-slot');
    return slot === null ? undefined : BigInt(slot);
  } catch {
    return undefined;
  }
}

/** The value of a metric without labels, or of its only cluster. */
export async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (.+)$`, 'm').exec(text)?.[1]);
}
