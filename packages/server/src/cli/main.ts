import { keepNextTickFast } from '../composition/tasks/next-tick.ts';
import { CodedError } from '../errors.ts';
import type { CommandOutput } from './command.ts';
import { type CommandLine, parseCommandLine } from './command-line.ts';
import { commands } from './command-table.ts';
import { requireDataDir, toDataDirError } from './files/data-dir.ts';
import { formatHelp } from './help.ts';
import { readPackageVersion } from './settings/package-version.ts';
import { readConfig, readSettings } from './settings/settings.ts';
import { completeInterruptedRestore } from './snapshot/restore-marker.ts';
import { escapeControls, escapeLines } from './terminal/escape-controls.ts';

const EXIT_FAILURE = 1;
/** `EX_SOFTWARE` of sysexits.h: a defect of the program. */
const EXIT_DEFECT = 70;

/** Runs one command and returns the exit code. Prints expected errors as one line. */
export async function main(args: readonly string[]): Promise<number> {
  keepNextTickFast();
  // a server goes on if nobody reads its messages: a parent may close the pipe after the line with the URL
  process.stderr.on('error', () => undefined);
  try {
    const result = await run(parseCommandLine(args, commands));
    const { output, exitCode } =
      typeof result === 'object' ? result : { output: result, exitCode: 0 };
    if (output !== undefined) {
      process.stdout.write(escapeLines(output.endsWith('\n') ? output : `${output}\n`));
    }
    return exitCode;
  } catch (error) {
    const isExpected = error instanceof CodedError;
    const text = isExpected ? escapeControls(error.message) : escapeLines(formatStack(error));
    process.stderr.write(`tidegate: ${text}\n`);
    return isExpected ? EXIT_FAILURE : EXIT_DEFECT;
  }
}

async function run(line: CommandLine): Promise<string | CommandOutput | undefined> {
  if (line.kind === 'version') return readPackageVersion();
  if (line.kind === 'help') return formatHelp(line.topic, commands);
  const { command, args, flags } = line;
  const { config, invalid } = command.acceptsInvalidSettings
    ? readSettings(line.settingFlags)
    : { config: readConfig(line.settingFlags), invalid: [] };
  const dataDir =
    command.dataDir === undefined ? undefined : await requireDataDir(config, command.dataDir);
  const isDataDirCreated = dataDir?.isCreated === true;
  try {
    if (dataDir !== undefined) await completeInterruptedRestore(config.dataDir);
    return await command.run({ args, flags, config, invalidSettings: invalid, isDataDirCreated });
  } catch (error) {
    throw toDataDirError(error, config);
  }
}

function formatStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
