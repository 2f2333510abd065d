import { parentPort, workerData } from 'node:worker_threads';
import { CodedError, type Logger } from '@tidegate/core/base';
import type { WorkerCommand, WorkerData, WorkerMessage } from './localnet-settings.ts';
import { runLocalnet } from './run-localnet.ts';
import type { SimulationProgress } from './simulation/simulate-history.ts';
import { WorkerRecorder } from './worker-recorder.ts';

/** Lines that matter, on standard error; the thread has no part in the log of the process. */
const write =
  (level: string): Logger['warn'] =>
  (facts, message) => {
    process.stderr.write(`localnet ${level}: ${message} ${Object.values(facts).join(' ')}\n`);
  };
const quiet = (): void => undefined;
const log: Logger = { debug: quiet, info: quiet, warn: write('warn'), error: write('error') };

const tell = (news: WorkerMessage): void => parentPort?.postMessage(news);
const { settings, isWritten }: WorkerData = workerData;
const handedOver = isWritten ? { diarist: new WorkerRecorder(tell) } : {};

/** Often enough for a bar. */
const TOLD_EACH = 100;
let toldPart = 0;
const tellPlayed = (played: SimulationProgress): void => {
  const part = Math.floor((played.minutes * TOLD_EACH) / played.allMinutes);
  if (part === toldPart) return;
  toldPart = part;
  tell({ kind: 'played', played });
};

try {
  let isStopped = false;
  let stopLocalnet = async (): Promise<void> => undefined;
  parentPort?.on('message', (order: WorkerCommand) => {
    if (order === 'written') {
      handedOver.diarist?.written();
    } else if (!isStopped) {
      isStopped = true;
      stopLocalnet()
        .catch((error: unknown) => log.error({ error }, 'it did not stop cleanly'))
        .finally(() => parentPort?.close());
    }
  });
  const starter = { log, onPlayed: tellPlayed, ...handedOver };
  const { stop, ...localnet } = await runLocalnet(settings, starter);
  stopLocalnet = stop;
  tell({ kind: 'started', localnet });
} catch (error) {
  if (!(error instanceof CodedError)) throw error;
  const { code, context } = error;
  tell({ kind: 'refused', code, context });
}
