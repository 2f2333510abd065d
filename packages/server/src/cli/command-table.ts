import type { Command } from './command.ts';
import { apiCommand } from './commands/api.ts';
import { backfillCommand } from './commands/backfill.ts';
import { doctorCommand } from './commands/doctor.ts';
import { hookCommands } from './commands/hooks.ts';
import { importCommand } from './commands/import.ts';
import { indexCommand } from './commands/index-role.ts';
import { keyCommands } from './commands/keys.ts';
import { localnetCommand } from './commands/localnet.ts';
import { mcpCommand } from './commands/mcp.ts';
import { programCommands } from './commands/programs.ts';
import { proofCommands } from './commands/proof.ts';
import { registryCommands } from './commands/registry.ts';
import { replayCommand } from './commands/replay.ts';
import { rewardCommands } from './commands/rewards.ts';
import { serveCommand } from './commands/serve.ts';
import { snapshotCommands } from './commands/snapshot.ts';

/** All commands, in the order in which help lists them. */
export const commands: readonly Command[] = [
  serveCommand,
  indexCommand,
  apiCommand,
  localnetCommand,
  backfillCommand,
  importCommand,
  replayCommand,
  ...snapshotCommands,
  doctorCommand,
  mcpCommand,
  ...proofCommands,
  ...programCommands,
  ...keyCommands,
  ...hookCommands,
  ...rewardCommands,
  ...registryCommands,
];
