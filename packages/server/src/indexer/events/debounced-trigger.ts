/** Waits that a trigger cuts short. They do not keep the process alive. */
export class DebouncedTrigger {
  #isFired = false;
  #isStopped = false;
  #wake: () => void = () => undefined;
  #end: () => void = () => undefined;

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Ends the current `waitAtMost`, or the next one. */
  fire(): void {
    this.#isFired = true;
    this.#wake();
  }

  /** Ends the current wait; later waits return at once. */
  stop(): void {
    this.#isStopped = true;
    this.#end();
  }

  /** Waits until the trigger fires, at most `ms`. */
  async waitAtMost(ms: number): Promise<void> {
    const waited = this.waitFor(ms);
    this.#wake = this.#end;
    if (this.#isFired) this.#wake();
    await waited;
    this.#wake = () => undefined;
    this.#isFired = false;
  }

  /** Waits `ms`, whether the trigger fires or not. */
  waitFor(ms: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
