import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CodedError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { GenesisFacts } from './genesis/facts.ts';
import { createGenesis } from './genesis/genesis.ts';
import { Localnet } from './localnet.ts';
import type { NodeUrls } from './node-server.ts';
import { chainTimeAt } from './slot-clock.ts';
import { createSvmExecutor } from './transactions/svm-executor.ts';
import { writeWalletKeys } from './wallet-keys.ts';

export type LocalnetSettings = {
  readonly seed: string;
  /** Of its RPC on loopback; 0 for any free one. */
  readonly port: number;
  /** Folder with binaries of the programs; empty for our own model of them. */
  readonly programs: string;
  /** Folder where the keys of its wallets are put. */
  readonly keys: string;
};

type StartedLocalnet = NodeUrls & { readonly facts: GenesisFacts; readonly keys: string };

export type RunningLocalnet = StartedLocalnet & { stop(): Promise<void> };

/** The first thing that the thread says. */
export type WorkerNews =
  | { readonly kind: 'started'; readonly localnet: StartedLocalnet }
  | { readonly kind: 'in use'; readonly host: string; readonly port: number }
  | { readonly kind: 'lacks'; readonly package: string; readonly use: string };

/** A cluster in a thread of its own, so that it holds up nobody. Run from source it shares the caller's. */
export async function startLocalnet(
  settings: LocalnetSettings,
  log: Logger,
): Promise<RunningLocalnet> {
  const isBuilt = import.meta.url.endsWith('.js');
  return isBuilt ? startInThread(settings, log) : startInProcess(settings, log);
}

export async function startInProcess(
  { seed, port, programs, keys }: LocalnetSettings,
  log: Logger,
): Promise<RunningLocalnet> {
  const at = chainTimeAt(Date.now());
  const { accounts, facts } = createGenesis({ seed, at });
  const executor = programs === '' ? {} : { executor: await createSvmExecutor(programs) };
  const localnet = new Localnet({ accounts, at, seed, ...executor, now: Date.now, log });
  const { rpcUrl, wsUrl } = await localnet.addNode(port);
  writeWalletKeys(keys, seed);
  localnet.start();
  return { rpcUrl, wsUrl, facts, keys, stop: () => localnet.stop() };
}

async function startInThread(settings: LocalnetSettings, log: Logger): Promise<RunningLocalnet> {
  const worker = new Worker(new URL('./localnet-worker.js', import.meta.url), {
    workerData: settings,
  });
  const [news] = await once(worker, 'message');
  const told: WorkerNews = news;
  if (told.kind !== 'started') {
    await worker.terminate();
    throw refusal(told);
  }
  worker.on('error', (error) => log.error({ error }, 'the embedded cluster has failed'));
  return {
    ...told.localnet,
    stop: async () => {
      const exited = once(worker, 'exit');
      worker.postMessage('stop');
      await exited;
    },
  };
}

/** Errors do not cross threads as what they are. */
function refusal(told: Exclude<WorkerNews, { readonly kind: 'started' }>): CodedError {
  if (told.kind === 'in use') {
    return new CodedError('ADDRESS_IN_USE', { host: told.host, port: told.port });
  }
  return new CodedError('PACKAGE_MISSING', { package: told.package, use: told.use });
}
