import { once } from 'node:events';
import { createErrorLog } from '../../cli/logging/error-log.ts';
import { readPackageVersion } from '../../cli/settings/package-version.ts';
import { parseInteger } from '../../cli/settings/setting-parsers.ts';
import type { Config } from '../../cli/settings/settings.ts';
import { CodedError } from '../../errors.ts';
import { createApiClient } from '../../mcp/api/api-client.ts';
import { createMcpServer } from '../../mcp/mcp-server.ts';
import { PendingCalls } from '../../mcp/pending-calls.ts';
import { serveMcpHttp } from '../../mcp/transports/serve-http.ts';
import { serveMcpStdio } from '../../mcp/transports/serve-stdio.ts';

const DEFAULT_PORT = '8090';

/** Serves the tools for agents until the input ends or a signal. `http` is the port, or empty for the default one. */
export async function runMcp(config: Config, http: string | undefined): Promise<void> {
  const log = createErrorLog(config.logLevel);
  const context = {
    api: createApiClient({ url: config.tidegateUrl, apiKey: config.tidegateApiKey }),
    rpcUrl: config.rpcUrl[0],
  };
  const version = readPackageVersion();
  const pending = new PendingCalls();
  const createServer = () => createMcpServer({ version, context, pending, log });
  if (http === undefined) {
    await serveMcpStdio({ createServer, pending, log, stopped: signal() });
    return;
  }
  const server = await serveMcpHttp({ createServer, log, port: readPort(http || DEFAULT_PORT) });
  process.stderr.write(`Tidegate is at ${server.url} (Model Context Protocol)\n`);
  await signal();
  await server.close();
}

const signal = (): Promise<unknown> =>
  Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);

function readPort(text: string): number {
  const port = parseInteger(text, 0, 65_535);
  if (port !== undefined) return port;
  const reason = 'The flag --http needs a port from 0 to 65535.';
  throw new CodedError('INVALID_USAGE', { reason, command: 'mcp' });
}
