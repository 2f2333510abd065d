import { resolveEnvAliases } from '../clusters/env-aliases.ts';
import type { Config } from '../settings/settings.ts';
import { startTelemetry } from '../start-telemetry.ts';
import type { ServeOptions } from '../tasks/serve-api.ts';

/** Serves the API as one of several processes, until a signal. */
export async function runRole(
  config: Config,
  role: Pick<ServeOptions, 'openRole' | 'idle'>,
): Promise<void> {
  const envAliases = resolveEnvAliases(config);
  const [{ createServerLog }, { serveApi }] = await Promise.all([
    import('../logging/server-log.ts'),
    import('../tasks/serve-api.ts'),
  ]);
  const serverLog = createServerLog(config);
  process.once('exit', serverLog.close);
  const telemetry = await startTelemetry(config, serverLog.log);
  const options = { serverLog, embedded: undefined, envAliases, telemetry, ...role };
  await serveApi(config, options).finally(() => telemetry?.close());
}
