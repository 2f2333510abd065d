import { resolveEnvAliases } from '../../composition/clusters/env-aliases.ts';
import type { ServeOptions } from '../../composition/tasks/serve-api.ts';
import { startTelemetry } from '../../composition/tasks/start-telemetry.ts';
import type { Config } from '../settings/settings.ts';

/** Serves the API as one of several processes, until a signal. */
export async function runRole(
  config: Config,
  role: Pick<ServeOptions, 'openRole' | 'idle'>,
): Promise<void> {
  const envAliases = resolveEnvAliases(config);
  const [{ createServerLog }, { serveApi }] = await Promise.all([
    import('../logging/server-log.ts'),
    import('../../composition/tasks/serve-api.ts'),
  ]);
  const serverLog = createServerLog(config);
  process.once('exit', serverLog.close);
  const telemetry = await startTelemetry(config, serverLog.log);
  const options = { serverLog, embedded: undefined, envAliases, telemetry, ...role };
  await serveApi(config, options).finally(() => telemetry?.close());
}
