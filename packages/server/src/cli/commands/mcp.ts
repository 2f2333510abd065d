import type { Command } from '../command.ts';

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve tools for agents (Model Context Protocol).',
  details:
    'Calls the API of a running Tidegate. The tools discover, inspect, explain, preview, prepare and verify only read: nothing is signed or sent. Speaks the protocol on standard input and output, or over HTTP on loopback with --http. RPC_URL, if set, is where verify reads lookup tables and accounts. Runs until its input ends, SIGINT or SIGTERM.',
  args: [],
  flags: [
    { name: 'url', value: 'URL', description: 'Same as --tidegate-url.', setting: 'tidegateUrl' },
    {
      name: 'api-key',
      value: 'KEY',
      description: 'Same as --tidegate-api-key. Other users of this machine can see flags.',
      setting: 'tidegateApiKey',
    },
    {
      name: 'http',
      value: 'PORT',
      isValueOptional: true,
      description: 'Serve over HTTP on this port of 127.0.0.1; 8090 by default, 0 for a free one.',
    },
  ],
  settings: ['tidegateUrl', 'tidegateApiKey', 'rpcUrl', 'logLevel'],
  run: async ({ flags, config }) => {
    const { runMcp } = await import('../../composition/tasks/run-mcp.ts');
    await runMcp(config, flags['http']);
    return undefined;
  },
};
