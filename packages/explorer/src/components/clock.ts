import { type ReadonlySignal, signal } from '@preact/signals';

const TICK_MS = 1_000;
const current = signal(Date.now());

/** Milliseconds since 1970, each second while the page is visible. */
export const now: ReadonlySignal<number> = current;

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) current.value = Date.now();
  }, TICK_MS);
}
