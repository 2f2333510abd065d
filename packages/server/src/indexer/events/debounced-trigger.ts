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

  /** Waits until the trigger fires, at most `ms`. Returns whether it fired. */
  async waitAtMost(ms: number): Promise<boolean> {
    const waited = this.waitFor(ms);
    this.#wake = this.#end;
    if (this.#isFired) this.#wake();
    await waited;
    this.#wake = () => undefined;
    const isFired = this.#isFired;
    this.#isFired = false;
    return isFired;
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
