import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { Logger } from '@tidegate/core/base';
import { CodedError } from './errors/index.ts';
import type { WorkerCommand, WorkerData, WorkerMessage } from './localnet-settings.ts';
import { runLocalnet, storeSimulatedCluster } from './run-localnet.ts';
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
const { settings, isRecorded, isSimulationOnly }: WorkerData = workerData;
const abort = new AbortController();
const { signal } = abort;
const recorder = isRecorded ? new WorkerRecorder(send, signal) : undefined;

/** Progress messages per simulation: enough for a progress bar. */
const PROGRESS_STEPS = 100;
let sentStep = 0;
const sendProgress = (progress: SimulationProgress): void => {
  const step = Math.floor((progress.minutes * PROGRESS_STEPS) / progress.totalMinutes);
  if (step === sentStep) return;
  sentStep = step;
  send({ kind: 'progress', progress });
};

parentPort?.on('message', (command: WorkerCommand) => {
  if (command === 'recorded') recorder?.acknowledge();
  else abort.abort();
});

const options = { log, onProgress: sendProgress, recorder, signal };

async function simulateOnly(): Promise<void> {
  await storeSimulatedCluster(settings, options);
  send({ kind: 'stored' });
}

/** Runs the cluster until the main thread sends `stop`, which also ends the start. */
async function runUntilStopped(): Promise<void> {
  const stopped = once(signal, 'abort');
  const { stop, ...localnet } = await runLocalnet(settings, options);
  send({ kind: 'started', localnet });
  await stopped;
  await stop().catch((error: unknown) => log.error({ error }, 'localnet did not stop cleanly'));
}

// The thread always ends by itself: terminating it in the middle of a decompression aborts the process.
try {
  await (isSimulationOnly ? simulateOnly() : runUntilStopped());
} catch (error) {
  if (!(error instanceof CodedError || signal.aborted)) throw error;
  if (error instanceof CodedError)
    send({ kind: 'failed', code: error.code, context: error.context });
} finally {
  parentPort?.close();
}
