import { once } from 'node:events';
import { Transform } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { formatError, type Logger } from '@tidegate/core/base';
import type { PendingCalls } from '../pending-calls.ts';

type StdioOptions = {
  readonly createServer: () => Server;
  readonly pending: PendingCalls;
  readonly log: Logger;
  /** Resolves when the process is to stop. */
  readonly stopped: Promise<unknown>;
};

/** Serves the host that started this process. Returns when its input ends and all calls are answered. */
export async function serveMcpStdio(options: StdioOptions): Promise<void> {
  const { createServer, pending, log, stopped } = options;
  const onerror = (error: Error) => log.warn({ error: formatError(error) }, 'protocol error');
  // the transport closes with its input, so the input does not end before all calls are answered
  const input = new Transform({
    transform: (chunk: Buffer, _encoding, callback) => callback(null, chunk),
    flush: (callback) => {
      pending.settled().then(() => callback(), callback);
    },
  });
  process.stdin.pipe(input);
  const transport = new StdioServerTransport(input, process.stdout);
  const handle = serveStdio(createServer, { transport, onerror });
  await Promise.race([once(input, 'close'), stopped]);
  await handle.close();
  // after a signal it is still open, and would keep the process running
  process.stdin.destroy();
}
