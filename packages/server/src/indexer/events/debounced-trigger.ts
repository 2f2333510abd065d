/** Waits that somebody else may cut short; they do not keep the process alive. */
export class DebouncedTrigger {
  #isWanted = false;
  #isStopped = false;
  #wake: () => void = () => undefined;
  #end: () => void = () => undefined;

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Ends the wait, or the next one if nobody waits. */
  now(): void {
    this.#isWanted = true;
    this.#wake();
  }

  /** There is no more waiting. */
  stop(): void {
    this.#isStopped = true;
    this.#end();
  }

  /** Until it is woken, at most that long. */
  async within(ms: number): Promise<void> {
    const waited = this.after(ms);
    this.#wake = this.#end;
    if (this.#isWanted) this.#wake();
    await waited;
    this.#wake = () => undefined;
    this.#isWanted = false;
  }

  /** That long, whoever wants to wake it. */
  after(ms: number): Promise<void> {
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
