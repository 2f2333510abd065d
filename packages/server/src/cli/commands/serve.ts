import cluster from 'node:cluster';
import { resolveEnvAliases } from '../../composition/clusters/env-aliases.ts';
import { requireFullHistory } from '../../composition/tasks/require-role-settings.ts';
import type { ServeOptions } from '../../composition/tasks/serve-api.ts';
import { startTelemetry } from '../../composition/tasks/start-telemetry.ts';
import type { Command } from '../command.ts';
import { type Config, settingNames } from '../settings/settings.ts';
import { localnetFlags } from './localnet-flags.ts';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Run the API server.',
  details:
    'Serves the cluster of RPC_URL. Without RPC_URL, starts an embedded cluster and serves that. With WORKERS=N, N processes answer requests on the port. Runs until SIGINT or SIGTERM.',
  args: [],
  flags: localnetFlags,
  settings: settingNames,
  dataDir: 'write',
  run: async ({ flags, config }) => {
    await runServe(config, flags['fresh'] !== undefined);
    return undefined;
  },
};

/** Starts the embedded cluster in its thread before it loads the modules of the server. */
async function runServe(config: Config, isFresh: boolean): Promise<void> {
  if (config.workers > 1) requireFullHistory(config);
  if (config.workers > 1 && cluster.isWorker) {
    const { runWorker } = await import('../../composition/workers/run-worker.ts');
    return await runWorker(config);
  }
  const envAliases = resolveEnvAliases(config);
  const [{ createServerLog }, { startEmbeddedLocalnet }] = await Promise.all([
    import('../logging/server-log.ts'),
    import('../../composition/localnet/embedded-localnet.ts'),
  ]);
  const serverLog = createServerLog(config);
  process.once('exit', serverLog.close);
  const telemetry = await startTelemetry(config, serverLog.log);
  const observed = { ...config, onQuery: telemetry?.onQuery };
  const isEmbedded = config.rpcUrl.length === 0;
  const embedded = isEmbedded ? startEmbeddedLocalnet(observed, isFresh, serverLog.log) : undefined;
  const options = { serverLog, embedded, envAliases, telemetry };
  await serve(config, options).finally(() => telemetry?.close());
}

async function serve(config: Config, options: ServeOptions): Promise<void> {
  if (config.workers === 1) {
    const { serveApi } = await import('../../composition/tasks/serve-api.ts');
    return await serveApi(config, options);
  }
  const { serveWithWorkers } = await import('../../composition/workers/serve-workers.ts');
  return await serveWithWorkers(config, options);
}
