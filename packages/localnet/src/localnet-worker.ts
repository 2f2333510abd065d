import { parentPort, workerData } from 'node:worker_threads';
import { CodedError, type Logger } from '@tidegate/core/base';
import type { WorkerCommand, WorkerData, WorkerMessage } from './localnet-settings.ts';
import { runLocalnet } from './run-localnet.ts';
import type { SimulationProgress } from './simulation/simulate-history.ts';
import { WorkerRecorder } from './worker-recorder.ts';

/** Writes warnings and errors to standard error: the thread cannot use the log of the process. */
const writeLine =
  (level: string): Logger['warn'] =>
  (context, message) => {
    process.stderr.write(`localnet ${level}: ${message} ${Object.values(context).join(' ')}\n`);
  };
const quiet = (): void => undefined;
const log: Logger = {
  debug: quiet,
  info: quiet,
  warn: writeLine('warn'),
  error: writeLine('error'),
};

const send = (message: WorkerMessage): void => parentPort?.postMessage(message);
const { settings, isRecorded }: WorkerData = workerData;
const recording = isRecorded ? { recorder: new WorkerRecorder(send) } : {};

/** Progress messages per simulation: enough for a progress bar. */
const PROGRESS_STEPS = 100;
let sentStep = 0;
const sendProgress = (progress: SimulationProgress): void => {
  const step = Math.floor((progress.minutes * PROGRESS_STEPS) / progress.totalMinutes);
  if (step === sentStep) return;
  sentStep = step;
  send({ kind: 'progress', progress });
};

try {
  let isStopped = false;
  let stopLocalnet = async (): Promise<void> => undefined;
  parentPort?.on('message', (command: WorkerCommand) => {
    if (command === 'recorded') {
      recording.recorder?.acknowledge();
    } else if (!isStopped) {
      isStopped = true;
      stopLocalnet()
        .catch((error: unknown) => log.error({ error }, 'localnet did not stop cleanly'))
        .finally(() => parentPort?.close());
    }
  });
  const options = { log, onProgress: sendProgress, ...recording };
  const { stop, ...localnet } = await runLocalnet(settings, options);
  stopLocalnet = stop;
  send({ kind: 'started', localnet });
} catch (error) {
  if (!(error instanceof CodedError)) throw error;
  const { code, context } = error;
  send({ kind: 'failed', code, context });
}
