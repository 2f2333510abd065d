import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CodedError, type ErrorCode } from '../base/errors.ts';
import type {
  LocalnetSettings,
  LocalnetStarter,
  OnPlayed,
  RunningLocalnet,
  WorkerNews,
} from './localnet-settings.ts';

/** Playing makes much that is gone at once: with more room for it a twentieth less time is spent on clearing away. */
const YOUNG_MB = 96;

/** A cluster in a thread of its own, so that it holds up nobody. Run from source it shares the caller's. */
export async function startLocalnet(
  settings: LocalnetSettings,
  starter: LocalnetStarter,
): Promise<RunningLocalnet> {
  if (import.meta.url.endsWith('.js')) return startInThread(settings, starter);
  const { runLocalnet } = await import('./run-localnet.ts');
  return runLocalnet(settings, starter);
}

async function startInThread(
  settings: LocalnetSettings,
  { log, onPlayed, signal }: LocalnetStarter,
): Promise<RunningLocalnet> {
  const worker = new Worker(new URL('./localnet-worker.js', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const end = () => worker.terminate();
  signal?.addEventListener('abort', end);
  const told = await outcomeOf(worker, onPlayed);
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
      if (ended === undefined) worker.postMessage('stop');
      ended ??= once(worker, 'exit');
      await ended;
    },
  };
}

type Outcome = Exclude<WorkerNews, { readonly kind: 'played' }>;

/** Errors do not cross threads as what they are: a refusal is told by its parts. */
async function outcomeOf(worker: Worker, onPlayed: OnPlayed): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    worker.on('message', (told: WorkerNews) => {
      if (told.kind === 'played') onPlayed(told.played);
      else resolve(told);
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new CodedError('INTERNAL', {})));
  });
}
