/**
 * How far the end of a server is. First it drains: `/ready` returns 503 and each response closes its connection, so that
 * proxies use other processes, but everything is answered. Then it closes: streams end and nothing is accepted any more.
 */
export class Shutdown {
  #isDraining = false;
  #isClosing = false;
  readonly #onClosing: (() => void)[] = [];

  get isDraining(): boolean {
    return this.#isDraining;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  onClosing(listener: () => void): void {
    this.#onClosing.push(listener);
  }

  drain(): void {
    this.#isDraining = true;
  }

  close(): void {
    if (this.#isClosing) return;
    this.#isDraining = true;
    this.#isClosing = true;
    for (const listener of this.#onClosing) listener();
  }
}
