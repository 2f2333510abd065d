import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CodedError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { GenesisFacts } from './genesis/facts.ts';
import { createGenesis } from './genesis/genesis.ts';
import { Localnet } from './localnet.ts';
import type { NodeUrls } from './node-server.ts';
import { chainTimeAt } from './slot-clock.ts';

export type LocalnetSettings = {
  readonly seed: string;
  /** Of its RPC on loopback; 0 for any free one. */
  readonly port: number;
};

type StartedLocalnet = NodeUrls & { readonly facts: GenesisFacts };

export type RunningLocalnet = StartedLocalnet & { stop(): Promise<void> };

/** The first thing that the thread says. */
export type WorkerNews =
  | { readonly kind: 'started'; readonly localnet: StartedLocalnet }
  | { readonly kind: 'in use'; readonly host: string; readonly port: number };

/** A cluster in a thread of its own, so that it holds up nobody. Run from source it shares the caller's. */
export async function startLocalnet(
  settings: LocalnetSettings,
  log: Logger,
): Promise<RunningLocalnet> {
  const isBuilt = import.meta.url.endsWith('.js');
  return isBuilt ? startInThread(settings, log) : startInProcess(settings, log);
}

export async function startInProcess(
  { seed, port }: LocalnetSettings,
  log: Logger,
): Promise<RunningLocalnet> {
  const at = chainTimeAt(Date.now());
  const { accounts, facts } = createGenesis({ seed, at });
  const localnet = new Localnet({ accounts, at, seed, now: Date.now, log });
  const { rpcUrl, wsUrl } = await localnet.addNode(port);
  localnet.start();
  return { rpcUrl, wsUrl, facts, stop: () => localnet.stop() };
}

async function startInThread(settings: LocalnetSettings, log: Logger): Promise<RunningLocalnet> {
  const worker = new Worker(new URL('./localnet-worker.js', import.meta.url), {
    workerData: settings,
  });
  const [news] = await once(worker, 'message');
  const told: WorkerNews = news;
  if (told.kind === 'in use') {
    await worker.terminate();
    throw new CodedError('ADDRESS_IN_USE', { host: told.host, port: told.port });
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
