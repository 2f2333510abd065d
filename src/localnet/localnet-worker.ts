import { parentPort, workerData } from 'node:worker_threads';
import { hasCode } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { type LocalnetSettings, startInProcess, type WorkerNews } from './start-localnet.ts';

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

try {
  const { stop, ...localnet } = await startInProcess(settings, log);
  parentPort?.once('message', () => {
    stop().catch((error: unknown) => log.error({ error }, 'it did not stop cleanly'));
  });
  tell({ kind: 'started', localnet });
} catch (error) {
  if (hasCode(error, 'ADDRESS_IN_USE')) tell({ kind: 'in use', ...error.context });
  else if (hasCode(error, 'PACKAGE_MISSING')) tell({ kind: 'lacks', ...error.context });
  else throw error;
}
