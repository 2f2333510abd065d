import type { SimulationProgress } from '@tidegate/localnet';
import type { LoadProgress } from '../../indexer/follow/indexer.ts';
import type { BackfillProgress } from '../../indexer/jobs/backfill-events.ts';

const WIDTH = 24;
const MINUTES_PER_DAY = 1_440;

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** A bar for the person in front of the terminal while a cluster is loaded; nothing where nobody looks. */
export const createLoadProgressBar = (
  name: string,
  out: Terminal = process.stderr,
): ((progress: LoadProgress) => void) =>
  createLine(out, (progress) => ({
    text: formatLoadProgress(name, progress),
    isDone: progress.total > 0 && progress.done === progress.total,
  }));

/** The same while the past of the embedded cluster is played. */
export const createSimulationProgressBar = (
  out: Terminal = process.stderr,
): ((played: Pick<SimulationProgress, 'minutes' | 'allMinutes'>) => void) =>
  createLine(out, (played) => ({
    text: formatSimulationProgress(played),
    isDone: played.minutes === played.allMinutes,
  }));

/** The same while events of the past are fetched. */
export const createBackfillProgressBar = (
  out: Terminal = process.stderr,
): ((progress: BackfillProgress) => void) =>
  createLine(out, (progress) => ({
    text: formatBackfillProgress(progress),
    isDone: progress.permille === 1_000 && progress.number === progress.addresses,
  }));

/** The same while series of another instance are copied. */
export const createImportProgressBar = (
  out: Terminal = process.stderr,
): ((done: number, total: number) => void) => {
  const show = createLine(out, ({ done, total }: { done: number; total: number }) => ({
    text: `Copying series ${bar(done, total)} ${done}/${total}`,
    isDone: done === total,
  }));
  return (done, total) => show({ done, total });
};

export function formatBackfillProgress({
  number,
  addresses,
  ...progress
}: BackfillProgress): string {
  const { permille, events } = progress;
  const done = (number - 1) * 1_000 + permille;
  const all = bar(done, addresses * 1_000);
  return `Fetching the past ${all} ${number}/${addresses}, ${events} events`;
}

export function formatLoadProgress(name: string, { done, total, accounts }: LoadProgress): string {
  return `Loading ${name} ${bar(done, total)} ${done}/${total}, ${accounts} accounts`;
}

export function formatSimulationProgress({
  minutes,
  allMinutes,
}: Pick<SimulationProgress, 'minutes' | 'allMinutes'>): string {
  const [day, days] = [minutes, allMinutes].map((each) => Math.floor(each / MINUTES_PER_DAY));
  return `Playing the past of localnet ${bar(minutes, allMinutes)} ${day}/${days} days`;
}

function createLine<Progress>(
  out: Terminal,
  describe: (progress: Progress) => { readonly text: string; readonly isDone: boolean },
): (progress: Progress) => void {
  if (!out.isTTY) return () => undefined;
  let isOver = false;
  let shown = '';
  return (progress) => {
    if (isOver) return;
    const { text, isDone } = describe(progress);
    if (text === shown && !isDone) return;
    shown = text;
    isOver = isDone;
    out.write(`\r${text}${isOver ? '\n' : ''}`);
  };
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? 0 : Math.round((WIDTH * done) / total);
  return '█'.repeat(filled).padEnd(WIDTH, '░');
}
