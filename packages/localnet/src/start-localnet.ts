import { Worker } from 'node:worker_threads';
import { CodedError, type ErrorCode } from '@tidegate/core/base';
import type {
  LocalnetSettings,
  RunningLocalnet,
  StartOptions,
  WorkerCommand,
  WorkerData,
  WorkerMessage,
} from './localnet-settings.ts';
import type { SimulationRecorder } from './simulation/simulate-cluster.ts';

/**
 * Simulation allocates many short-lived objects: a larger young generation saves 5 % of the time.
 */
const YOUNG_GENERATION_MB = 96;

type RequiredSettings = Pick<LocalnetSettings, 'dataFolder'> & Partial<LocalnetSettings>;

const DEFAULT_SETTINGS: Omit<LocalnetSettings, 'dataFolder'> = {
  port: 0,
  programsFolder: '',
  isFresh: false,
  speed: 1,
  seed: undefined,
  days: undefined,
  untilMs: undefined,
};

const ignore = (): void => undefined;
const SILENT_LOG = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * Starts a cluster in a worker thread, on any free port unless one is set. When run from source, it runs in the
 * caller's thread.
 */
export async function startLocalnet(
  settings: RequiredSettings,
  options: Partial<StartOptions> = {},
): Promise<RunningLocalnet> {
  const allSettings: LocalnetSettings = { ...DEFAULT_SETTINGS, ...settings };
  const allOptions: StartOptions = { log: SILENT_LOG, onProgress: ignore, ...options };
  if (import.meta.url.endsWith('.js')) return startInThread(allSettings, allOptions);
  const { runLocalnet } = await import('./run-localnet.ts');
  return runLocalnet(allSettings, allOptions);
}

async function startInThread(
  settings: LocalnetSettings,
  { log, onProgress, signal, recorder }: StartOptions,
): Promise<RunningLocalnet> {
  const data: WorkerData = { settings, isRecorded: recorder !== undefined };
  const worker = new Worker(new URL('./localnet-worker.js', import.meta.url), {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    sendCommand(worker, 'stop');
    await ended;
  };
  signal?.addEventListener('abort', stop);
  try {
    const localnet = await waitUntilStarted(worker, { onProgress, recorder });
    worker.on('error', (error) => log.error({ error }, 'localnet failed'));
    return { ...localnet, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

type StartedLocalnet = Extract<WorkerMessage, { readonly kind: 'started' }>['localnet'];

const sendCommand = (worker: Worker, command: WorkerCommand): void => worker.postMessage(command);

/** Errors lose their class between threads, so a failure is sent as code and context. */
async function waitUntilStarted(
  worker: Worker,
  { onProgress, recorder }: Pick<StartOptions, 'onProgress' | 'recorder'>,
): Promise<StartedLocalnet> {
  return new Promise((resolve, reject) => {
    /** Records in order. A recording error fails the start. */
    let recorded = Promise.resolve();
    const record = (run: (target: SimulationRecorder) => Promise<void>) => {
      recorded = recorded.then(async () => {
        if (recorder !== undefined) await run(recorder);
        sendCommand(worker, 'recorded');
      });
      recorded.catch(reject);
    };
    worker.on('message', (message: WorkerMessage) => {
      switch (message.kind) {
        case 'progress':
          return onProgress(message.progress);
        case 'begun':
          return record((target) => target.begin(message.plan, message.metadata));
        case 'steps':
          return record((target) => target.write(message.steps));
        case 'ended':
          return record((target) => target.end());
        case 'started':
          return resolve(message.localnet);
        case 'failed':
          return reject(new CodedError<ErrorCode>(message.code, message.context));
      }
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new CodedError('INTERNAL', {})));
  });
}
