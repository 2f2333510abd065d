import type { SimulationProgress } from '@tidegate/localnet';
import type { LoadProgress } from '../../indexer/follow/indexer-status.ts';
import type { BackfillProgress } from '../../indexer/jobs/backfill-events.ts';

const BAR_WIDTH = 24;
const LINE_INTERVAL_MS = 3_000;
const MINUTES_PER_DAY = 1_440;

type ReporterOptions = {
  readonly out?: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
};

/** One step of progress as text. */
type ProgressText = {
  readonly title: string;
  readonly done: number;
  readonly total: number;
  /** Follows the bar on a terminal. */
  readonly count: string;
  /** Follows the percentage in a plain line. */
  readonly details: string;
  readonly isComplete: boolean;
};

/** Reports the initial load of a cluster. */
export const createLoadReporter = (
  cluster: string,
  options: ReporterOptions = {},
): ((progress: LoadProgress) => void) =>
  createReporter(({ done, total, accounts }) => {
    return {
      title: `Loading ${cluster}`,
      done,
      total,
      count: `${done}/${total}, ${accounts} accounts`,
      details: `${done} of ${total} account sets, ${accounts} accounts`,
      isComplete: total > 0 && done === total,
    };
  }, options);

/** Reports the simulation of the embedded cluster's history. */
export const createSimulationReporter = (
  options: ReporterOptions = {},
): ((progress: Pick<SimulationProgress, 'minutes' | 'totalMinutes'>) => void) =>
  createReporter(({ minutes, totalMinutes }) => {
    const day = Math.floor(minutes / MINUTES_PER_DAY);
    const days = Math.floor(totalMinutes / MINUTES_PER_DAY);
    return {
      title: 'Simulating history',
      done: minutes,
      total: totalMinutes,
      count: `${day}/${days} days`,
      details: `${day} of ${days} days`,
      isComplete: minutes === totalMinutes,
    };
  }, options);

/** Reports a backfill, which fetches one address after the other. */
export const createBackfillReporter = (
  options: ReporterOptions = {},
): ((progress: BackfillProgress) => void) =>
  createReporter(({ addressNumber, addressCount, permille, events }) => {
    return {
      title: 'Fetching history',
      done: (addressNumber - 1) * 1_000 + permille,
      total: addressCount * 1_000,
      count: `${addressNumber}/${addressCount}, ${events} events`,
      details: `address ${addressNumber} of ${addressCount}, ${events} events`,
      isComplete: permille === 1_000 && addressNumber === addressCount,
    };
  }, options);

/** Reports the import of series from another instance. */
export const createImportReporter = (
  options: ReporterOptions = {},
): ((done: number, total: number) => void) => {
  const report = createReporter(
    ({ done, total }: { readonly done: number; readonly total: number }) => ({
      title: 'Copying series',
      done,
      total,
      count: `${done}/${total}`,
      details: `${done} of ${total}`,
      isComplete: done === total,
    }),
    options,
  );
  return (done, total) => report({ done, total });
};

/** Draws a bar on a terminal; elsewhere writes a line every few seconds. */
function createReporter<Progress>(
  describe: (progress: Progress) => ProgressText,
  { out = process.stderr, clock = Date.now }: ReporterOptions,
): (progress: Progress) => void {
  const write = out.isTTY ? createBarWriter(out) : createLineWriter(out, clock);
  let isComplete = false;
  return (progress) => {
    if (isComplete) return;
    const text = describe(progress);
    isComplete = text.isComplete;
    write(text);
  };
}

function createBarWriter(out: Pick<NodeJS.WriteStream, 'write'>): (text: ProgressText) => void {
  let written = '';
  return (text) => {
    const line = `${text.title} ${drawBar(text)} ${text.count}`;
    if (line === written && !text.isComplete) return;
    written = line;
    out.write(`\r${line}${text.isComplete ? '\n' : ''}`);
  };
}

/** Writes nothing about work that completes within the first interval. */
function createLineWriter(
  out: Pick<NodeJS.WriteStream, 'write'>,
  clock: () => number,
): (text: ProgressText) => void {
  let writtenAt = clock();
  let hasWritten = false;
  return ({ title, done, total, details, isComplete }) => {
    const isDue = clock() - writtenAt >= LINE_INTERVAL_MS;
    if (isComplete ? !hasWritten : !isDue) return;
    writtenAt = clock();
    hasWritten = true;
    const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
    out.write(`${title}: ${percent} % (${details})\n`);
  };
}

function drawBar({ done, total }: Pick<ProgressText, 'done' | 'total'>): string {
  const filled = total === 0 ? 0 : Math.round((BAR_WIDTH * done) / total);
  return '█'.repeat(filled).padEnd(BAR_WIDTH, '░');
}
