/** Limit of a transaction's log on nodes. */
const MAX_BYTES = 10_000;

/** The log of one transaction. */
export class LogCollector {
  readonly lines: string[] = [];
  #bytes = 0;

  add(line: string): void {
    if (this.#bytes >= MAX_BYTES) return;
    const isFull = this.#bytes + line.length >= MAX_BYTES;
    this.#bytes = isFull ? MAX_BYTES : this.#bytes + line.length;
    this.lines.push(isFull ? 'Log truncated' : line);
  }
}
