import { CodedError } from '../../errors.ts';
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
    {
      name: 'fork',
      value: 'URL',
      description:
        'Start with the accounts of the cluster at this RPC URL instead of a generated one. Each is read when it is first needed. Nothing is stored.',
    },
    {
      name: 'fork-slot',
      value: 'N',
      description: 'With --fork: read accounts at this slot or later. The default is the newest.',
    },
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
    const { fork, 'fork-slot': slot } = flags;
    const { runForkUntilSignal, runLocalnetUntilSignal } = await import(
      '../../composition/tasks/run-localnet.ts'
    );
    if (fork !== undefined) {
      await runForkUntilSignal(config, { url: fork, slot: parseForkSlot(slot) });
      return undefined;
    }
    await runLocalnetUntilSignal(config, flags['fresh'] !== undefined);
    return undefined;
  },
};

function parseForkSlot(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return BigInt(text);
  const reason = `--fork-slot is "${text}". It accepts a slot, a whole number.`;
  throw new CodedError('INVALID_USAGE', { reason, command: 'localnet' });
}
