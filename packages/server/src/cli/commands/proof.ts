import type { Command, CommandFlag } from '../command.ts';

const ENV: CommandFlag = {
  name: 'env',
  value: 'NAME',
  description: 'Cluster, such as mainnet-beta. The default is the primary one.',
};

const EXAMPLE = {
  name: 'ID',
  description: 'ID of a counterexample, as proof show lists it, or its file.',
};

const shared = {
  settings: ['dataDir', 'cluster'],
  dataDir: 'read',
} as const satisfies Partial<Command>;

const showCommand: Command = {
  ...shared,
  name: 'proof show',
  summary: 'List the stored counterexamples, or the differences of one.',
  details: 'It reads the files of DATA_DIR; GET /proof of a server has counts and coverage.',
  args: [{ ...EXAMPLE, isRepeatable: true }],
  flags: [ENV],
  run: async (input) => (await import('../../composition/tasks/proof.ts')).showProof(input),
};

const exportCommand: Command = {
  ...shared,
  name: 'proof export',
  summary:
    'Print a counterexample: the accounts before and after a slot, its transactions, and ours.',
  args: [EXAMPLE],
  flags: [ENV],
  run: async (input) => (await import('../../composition/tasks/proof.ts')).exportProof(input),
};

const replayCommand: Command = {
  ...shared,
  name: 'proof replay',
  summary: 'Execute the slot of a counterexample again, offline.',
  details: 'The exit code is 1 while it differs.',
  args: [EXAMPLE],
  flags: [
    ENV,
    {
      name: 'releases',
      value: 'LIST',
      description: 'Releases such as klend@1.25. The default is those of the counterexample.',
    },
  ],
  run: async (input) => (await import('../../composition/tasks/proof.ts')).replayProof(input),
};

const explainCommand: Command = {
  ...shared,
  dataDir: 'write',
  name: 'proof explain',
  summary: 'Store why a counterexample does not count, so that it marks no figures.',
  details: 'A running server reads it within seconds.',
  args: [EXAMPLE, { name: 'REASON', description: 'One sentence.' }],
  flags: [ENV],
  run: async (input) => (await import('../../composition/tasks/proof.ts')).explainProof(input),
};

export const proofCommands: readonly Command[] = [
  showCommand,
  exportCommand,
  replayCommand,
  explainCommand,
];
