import { batch } from '@preact/signals';

/** A hidden page has no frames. */
const MAX_WAIT_MS = 50;

let waiting: (() => void)[] = [];

/** Applies updates that arrive within one frame together, so that each block is rendered once. */
export function updateInFrame(update: () => void): void {
  waiting.push(update);
  if (waiting.length > 1) return;
  const timer = setTimeout(apply, MAX_WAIT_MS);
  const frame = requestAnimationFrame(apply);
  function apply(): void {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    const updates = waiting;
    waiting = [];
    batch(() => {
      for (const each of updates) each();
    });
  }
}
