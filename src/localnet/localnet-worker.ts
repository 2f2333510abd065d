import { parentPort, workerData } from 'node:worker_threads';
import { CodedError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { LocalnetSettings, WorkerNews } from './localnet-settings.ts';
import { runLocalnet } from './run-localnet.ts';
import type { Played } from './scenario/play-year.ts';

/** Lines that matter, on standard error; the thread has no part in the log of the process. */
const write =
  (level: string): Logger['warn'] =>
  (facts, message) => {
    process.stderr.write(`localnet ${level}: ${message} ${Object.values(facts).join(' ')}\n`);
  };
const quiet = (): void => undefined;
const log: Logger = { debug: quiet, info: quiet, warn: write('warn'), error: write('error') };

const tell = (news: WorkerNews): void => parentPort?.postMessage(news);
const settings: LocalnetSettings = workerData;

/** Often enough for a bar. */
const TOLD_EACH = 100;
let toldPart = 0;
const tellPlayed = (played: Played): void => {
  const part = Math.floor((played.minutes * TOLD_EACH) / played.allMinutes);
  if (part === toldPart) return;
  toldPart = part;
  tell({ kind: 'played', played });
};

try {
  const { stop, ...localnet } = await runLocalnet(settings, { log, onPlayed: tellPlayed });
  parentPort?.once('message', () => {
    stop().catch((error: unknown) => log.error({ error }, 'it did not stop cleanly'));
  });
  tell({ kind: 'started', localnet });
} catch (error) {
  if (!(error instanceof CodedError)) throw error;
  const { code, context } = error;
  tell({ kind: 'refused', code, context });
}
