import { once } from 'node:events';
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

/** Playing makes much that is gone at once: with more room for it a twentieth less time is spent on clearing away. */
const YOUNG_MB = 96;

/** A cluster in a thread of its own, so that it holds up nobody. Run from source it shares the caller's. */
export async function startLocalnet(
  settings: LocalnetSettings,
  starter: StartOptions,
): Promise<RunningLocalnet> {
  if (import.meta.url.endsWith('.js')) return startInThread(settings, starter);
  const { runLocalnet } = await import('./run-localnet.ts');
  return runLocalnet(settings, starter);
}

async function startInThread(
  settings: LocalnetSettings,
  { log, onPlayed, signal, diarist }: StartOptions,
): Promise<RunningLocalnet> {
  const data: WorkerData = { settings, isWritten: diarist !== undefined };
  const worker = new Worker(new URL('./localnet-worker.js', import.meta.url), {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const end = () => worker.terminate();
  signal?.addEventListener('abort', end);
  const told = await outcomeOf(worker, { onPlayed, diarist });
  signal?.removeEventListener('abort', end);
  if (told.kind === 'refused') {
    await worker.terminate();
    throw new CodedError<ErrorCode>(told.code, told.context);
  }
  worker.on('error', (error) => log.error({ error }, 'the embedded cluster has failed'));
  let ended: Promise<unknown> | undefined;
  return {
    ...told.localnet,
    stop: async () => {
      if (ended === undefined) tell(worker, 'stop');
      ended ??= once(worker, 'exit');
      await ended;
    },
  };
}

type Outcome = Extract<WorkerMessage, { readonly kind: 'started' | 'refused' }>;

const tell = (worker: Worker, order: WorkerCommand): void => worker.postMessage(order);

/** Errors do not cross threads as what they are: a refusal is told by its parts. */
async function outcomeOf(
  worker: Worker,
  { onPlayed, diarist }: Pick<StartOptions, 'onPlayed' | 'diarist'>,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    /** In the order in which it comes; who fails to write it down fails the start. */
    let written = Promise.resolve();
    const write = (make: (diarist: SimulationRecorder) => Promise<void>) => {
      written = written.then(async () => {
        if (diarist !== undefined) await make(diarist);
        tell(worker, 'written');
      });
      written.catch(async (error: unknown) => {
        await worker.terminate();
        reject(error);
      });
    };
    worker.on('message', (told: WorkerMessage) => {
      switch (told.kind) {
        case 'played':
          return onPlayed(told.played);
        case 'begun':
          return write((to) => to.begin(told.plan, told.facts));
        case 'steps':
          return write((to) => to.write(told.steps));
        case 'ended':
          return write((to) => to.end());
        default:
          return resolve(told);
      }
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new CodedError('INTERNAL', {})));
  });
}
