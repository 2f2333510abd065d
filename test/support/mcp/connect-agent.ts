import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createApiClient } from '#server/mcp/api/api-client.ts';
import { createMcpServer } from '#server/mcp/mcp-server.ts';
import { PendingCalls } from '#server/mcp/pending-calls.ts';
import { serveMcpHttp } from '#server/mcp/transports/serve-http.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { FAST_START, programPath } from '../processes/program-path.ts';
import type { OnEnd } from '../processes/test-scope.ts';

/** `legacy` opens with the handshake of the revisions up to 2025-11-25, `modern` is 2026-07-28. */
type Era = 'legacy' | 'modern';

export type ToolResult = {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
};

export type Agent = {
  readonly client: Client;
  readonly call: (name: string, input: Record<string, unknown>) => Promise<ToolResult>;
};

function createClient(era: Era): Client {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  return new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
}

const agentOf = (client: Client): Agent => ({
  client,
  call: async (name, input) => {
    const { isError, content, structuredContent } = await client.callTool({
      name,
      arguments: input,
    });
    const [block] = content;
    if (block?.type !== 'text') throw new Error('the first block is no text');
    return {
      isError: isError === true,
      text: block.text,
      structured: Object(structuredContent),
    };
  },
});

/** The tools in this process, over HTTP. */
export async function startTools(apiUrl: string, onEnd: OnEnd, rpcUrl?: string) {
  const api = createApiClient({ url: new URL(apiUrl), apiKey: '' });
  const context = { api, rpcUrl: rpcUrl === undefined ? undefined : new URL(rpcUrl) };
  const options = { version: '0.0.0-test', context, pending: new PendingCalls(), log: silentLog };
  const createServer = () => createMcpServer(options);
  const server = await serveMcpHttp({ createServer, log: silentLog, port: 0 });
  onEnd(() => void server.close());
  return server;
}

export async function connectOverHttp(url: string, onEnd: OnEnd, era: Era = 'modern') {
  const client = createClient(era);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onEnd(() => void client.close());
  return agentOf(client);
}

/** Starts `tidegate mcp` as a host does. */
export async function connectOverStdio(
  args: readonly string[],
  onEnd: OnEnd,
  env: Readonly<Record<string, string>> = {},
): Promise<Agent> {
  const client = createClient('legacy');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [FAST_START, programPath, 'mcp', ...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'ignore',
  });
  await client.connect(transport);
  onEnd(() => void client.close());
  return agentOf(client);
}
