import type { Command } from './command.ts';
import { backfillCommand } from './commands/backfill.ts';
import { importCommand } from './commands/import.ts';
import { keyCommands } from './commands/keys.ts';
import { localnetCommand } from './commands/localnet.ts';
import { programCommands } from './commands/programs.ts';
import { registryCommands } from './commands/registry.ts';
import { replayCommand } from './commands/replay.ts';
import { rewardCommands } from './commands/rewards.ts';
import { serveCommand } from './commands/serve.ts';

/** All commands, in the order in which help lists them. */
export const commands: readonly Command[] = [
  serveCommand,
  localnetCommand,
  backfillCommand,
  importCommand,
  replayCommand,
  ...programCommands,
  ...keyCommands,
  ...rewardCommands,
  ...registryCommands,
];
