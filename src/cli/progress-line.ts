import type { LoadProgress } from '../indexer/indexer.ts';

const WIDTH = 24;

/** A bar for the person in front of the terminal while a cluster is loaded; nothing where nobody looks. */
export function createProgressLine(
  name: string,
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): (progress: LoadProgress) => void {
  if (!out.isTTY) return () => undefined;
  let isOver = false;
  return (progress) => {
    if (isOver) return;
    isOver = isDone(progress);
    out.write(`\r${progressText(name, progress)}${isOver ? '\n' : ''}`);
  };
}

export function progressText(name: string, { done, total, accounts }: LoadProgress): string {
  const filled = total === 0 ? 0 : Math.round((WIDTH * done) / total);
  const bar = '█'.repeat(filled).padEnd(WIDTH, '░');
  return `Loading ${name} ${bar} ${done}/${total}, ${accounts} accounts`;
}

const isDone = ({ done, total }: LoadProgress): boolean => total > 0 && done === total;
