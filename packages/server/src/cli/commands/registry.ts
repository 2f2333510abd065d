import type { Command } from '../command.ts';
import { escapeControls } from '../terminal/escape-controls.ts';

const printRegistryCommand: Command = {
  name: 'registry print',
  summary: 'Print the effective registry of CLUSTER as JSON.',
  details: 'The built-in registry of mainnet-beta, extended by REGISTRY if it is set.',
  args: [],
  flags: [],
  settings: ['cluster', 'registry'],
  run: async ({ config }) => {
    const { printRegistry } = await import('../../composition/tasks/registry-documents.ts');
    return printRegistry(config);
  },
};

const checkRegistryCommand: Command = {
  name: 'registry check',
  summary: 'List all problems of a registry file.',
  details: 'Prints one line for each problem and exits with 1 if there are any.',
  args: [{ name: 'FILE', description: 'JSON file for REGISTRY.' }],
  flags: [],
  settings: [],
  run: async ({ args }) => {
    const [file = ''] = args;
    const { checkRegistryFile } = await import('../../composition/tasks/registry-documents.ts');
    return checkRegistryFile(file, (line) => process.stdout.write(`${escapeControls(line)}\n`));
  },
};

export const registryCommands: readonly Command[] = [printRegistryCommand, checkRegistryCommand];
