import { Worker } from 'node:worker_threads';
import { CodedError, type ErrorCode } from './errors/index.ts';
import type {
  LocalnetSettings,
  RunningLocalnet,
  StartOptions,
  WorkerCommand,
  WorkerData,
  WorkerMessage,
} from './localnet-settings.ts';
import { LOOPBACK_ONLY } from './rpc/server/access-check.ts';
import type { SimulationRecorder } from './simulation/simulate-cluster.ts';
import { hasStoredCluster } from './storage/cluster-store.ts';

/**
 * Simulation allocates many short-lived objects: a larger young generation saves 5 % of the time. A running cluster
 * would only hold the memory.
 */
const SIMULATING_LIMITS = { maxYoungGenerationSizeMb: 96 };
const RUNNING_LIMITS = { maxYoungGenerationSizeMb: 12 };

type RequiredSettings = Pick<LocalnetSettings, 'dataFolder'> & Partial<LocalnetSettings>;

const DEFAULT_SETTINGS: Omit<LocalnetSettings, 'dataFolder'> = {
  port: 0,
  allowedCallers: LOOPBACK_ONLY,
  programs: '',
  isFresh: false,
  speed: 1,
  seed: undefined,
  days: undefined,
  untilMs: undefined,
};

const ignore = (): void => undefined;
const SILENT_LOG = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * Starts a stored cluster in a worker thread, on any free port unless one is set. When run from source, it runs in the
 * caller's thread. `startLocalnet` starts one for tests, with controls, in the caller's thread.
 */
export async function startLocalnetThread(
  settings: RequiredSettings,
  options: Partial<StartOptions> = {},
): Promise<RunningLocalnet> {
  const allSettings: LocalnetSettings = { ...DEFAULT_SETTINGS, ...settings };
  const allOptions: StartOptions = { log: SILENT_LOG, onProgress: ignore, ...options };
  if (import.meta.url.endsWith('.js')) return startInThread(allSettings, allOptions);
  const { runLocalnet } = await import('./run-localnet.ts');
  return runLocalnet(allSettings, allOptions);
}

/**
 * Simulates a cluster and stores it in its folder, without running it. A start with the same settings resumes it. Does
 * nothing if one is stored, unless `isFresh`.
 */
export async function simulateLocalnet(
  settings: RequiredSettings,
  options: Partial<StartOptions> = {},
): Promise<void> {
  const allSettings: LocalnetSettings = { ...DEFAULT_SETTINGS, ...settings };
  const allOptions: StartOptions = { log: SILENT_LOG, onProgress: ignore, ...options };
  if (import.meta.url.endsWith('.js')) return simulateInThread(allSettings, allOptions);
  const { storeSimulatedCluster } = await import('./run-localnet.ts');
  return storeSimulatedCluster(allSettings, allOptions);
}

const willSimulate = ({ isFresh, dataFolder }: LocalnetSettings): boolean =>
  isFresh || !hasStoredCluster(dataFolder);

function createThread(data: WorkerData) {
  const worker = new Worker(new URL('./localnet-worker.js', import.meta.url), {
    workerData: data,
    resourceLimits: willSimulate(data.settings) ? SIMULATING_LIMITS : RUNNING_LIMITS,
  });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    sendCommand(worker, 'stop');
    await ended;
  };
  return { worker, stop };
}

async function simulateInThread(
  settings: LocalnetSettings,
  { onProgress, signal, recorder }: StartOptions,
): Promise<void> {
  const isRecorded = recorder !== undefined;
  const { worker, stop } = createThread({ settings, isRecorded, isSimulationOnly: true });
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) void stop();
  try {
    await waitForOutcome(worker, { onProgress, recorder });
  } finally {
    await stop();
    signal?.removeEventListener('abort', stop);
  }
}

async function startInThread(
  settings: LocalnetSettings,
  { log, onProgress, signal, recorder }: StartOptions,
): Promise<RunningLocalnet> {
  const isRecorded = recorder !== undefined;
  const { worker, stop } = createThread({ settings, isRecorded, isSimulationOnly: false });
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) void stop();
  try {
    const localnet = await waitForOutcome(worker, { onProgress, recorder });
    if (localnet === undefined) throw new CodedError('INTERNAL', {});
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

/**
 * The running cluster; undefined if the thread only stored it. Errors lose their class between threads, so a failure is
 * sent as code and context.
 */
async function waitForOutcome(
  worker: Worker,
  { onProgress, recorder }: Pick<StartOptions, 'onProgress' | 'recorder'>,
): Promise<StartedLocalnet | undefined> {
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
        case 'stored':
          return resolve(undefined);
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
