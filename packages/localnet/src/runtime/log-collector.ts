/** Nodes keep no more of a transaction's log. */
const MAX_BYTES = 10_000;

/** The lines of one transaction. */
export class LogCollector {
  readonly lines: string[] = [];
  #bytes = 0;

  add(line: string): void {
    if (this.#bytes >= MAX_BYTES) return;
    const isTooMuch = this.#bytes + line.length >= MAX_BYTES;
    this.#bytes = isTooMuch ? MAX_BYTES : this.#bytes + line.length;
    this.lines.push(isTooMuch ? 'Log truncated' : line);
  }
}
