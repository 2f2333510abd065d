import type { Command } from '../command.ts';
import { localnetFlags } from './localnet-flags.ts';

export const localnetCommand: Command = {
  name: 'localnet',
  summary: 'Run the embedded cluster without the API server.',
  details:
    'Serves Solana JSON-RPC and WebSocket subscriptions on loopback. Runs until SIGINT or SIGTERM.',
  args: [],
  flags: [
    {
      name: 'port',
      value: 'N',
      description: 'Same as --localnet-rpc-port.',
      setting: 'localnetRpcPort',
    },
    ...localnetFlags,
  ],
  settings: [
    'dataDir',
    'logLevel',
    'logFormat',
    'localnetRpcPort',
    'localnetRpcHosts',
    'localnetRpcOrigins',
    'localnetSeed',
    'localnetDays',
    'localnetUntil',
    'localnetSpeed',
    'localnetPrograms',
  ],
  dataDir: 'write',
  run: async ({ flags, config }) => {
    const { runLocalnetUntilSignal } = await import('../tasks/run-localnet.ts');
    await runLocalnetUntilSignal(config, flags['fresh'] !== undefined);
    return undefined;
  },
};
