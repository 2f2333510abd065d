import { parseArgs } from 'node:util';
import { CodedError, formatError } from '@tidegate/core/base';
import { apiKeyFilePath, createApiKey, listApiKeys, revokeApiKey } from './commands/keys.ts';
import { runRewards } from './commands/rewards.ts';
import { helpText } from './help.ts';
import { readPackageVersion } from './settings/package-version.ts';
import { type Config, flagName, readConfig, settings } from './settings/settings.ts';

type CommandLine = {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
  /** Play the embedded cluster anew. */
  readonly fresh: boolean;
  readonly wants: 'help' | 'version' | undefined;
};

/** Of single commands, beside the settings. */
const OWN_FLAGS = ['name', 'limit', 'rpc', 'out', 'address', 'from'];

/** Shorter names of settings of the embedded cluster. */
const SHORT_FLAGS = ['seed', 'days', 'until', 'speed', 'programs'];

/** Runs one command; what goes wrong is told in one line. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const { words, flags, fresh, wants } = readCommandLine(args);
    if (wants === 'version') return say(readPackageVersion());
    if (wants === 'help' || words.length === 0) return say(helpText());
    const [command, ...rest] = words;
    if (command === 'serve' && rest.length === 0) {
      await runServe(readConfig(flags), fresh);
      return 0;
    }
    if (command === 'localnet' && rest.length === 0) {
      const config = readConfig(flags);
      const { runLocalnetCommand } = await import('./commands/localnet.ts');
      await runLocalnetCommand(config, { fresh, ...(flags['port'] && { port: config.port }) });
      return 0;
    }
    if (command === 'backfill') return say(await backfill(rest, flags));
    if (command === 'import' && rest.length === 0) return say(await importSeries(flags));
    if (command === 'replay' && rest.length === 0) {
      const { runReplay } = await import('./commands/replay.ts');
      return say(await runReplay(readConfig(flags)));
    }
    if (command === 'keys') return say(await runKeys(rest, flags));
    if (command === 'rewards') return say(await runRewards(rest, readConfig(flags)));
    if (command === 'programs') return say(await runPrograms(rest, flags));
    throw new CodedError('INVALID_USAGE', { reason: `There is no command "${words.join(' ')}".` });
  } catch (error) {
    const known = error instanceof CodedError;
    process.stderr.write(`tidegate: ${known ? error.message : stackOf(error)}\n`);
    return known ? 1 : 70;
  }
}

/** The embedded cluster starts in its thread while the server is loaded. */
async function runServe(config: Config, fresh: boolean): Promise<void> {
  const [{ createServerLog }, { startEmbeddedLocalnet }] = await Promise.all([
    import('./logging/server-log.ts'),
    import('./commands/localnet.ts'),
  ]);
  const serverLog = createServerLog(config);
  process.once('exit', serverLog.close);
  const isEmbedded = config.rpcUrl.length === 0;
  const embedded = isEmbedded ? startEmbeddedLocalnet(config, { fresh }, serverLog.log) : undefined;
  const { serve } = await import('./commands/serve.ts');
  await serve(config, { serverLog, embedded });
}

/** Here the time and the days are those of the past that is wanted. */
async function backfill(
  words: readonly string[],
  flags: Readonly<Record<string, string>>,
): Promise<string> {
  const { 'localnet-until': until, 'localnet-days': days, address = '', ...rest } = flags;
  const addresses = [...address.split(','), ...words].filter((each) => each !== '');
  const { runBackfill } = await import('./commands/backfill.ts');
  return runBackfill(readConfig(rest), { until, days, addresses });
}

async function importSeries(flags: Readonly<Record<string, string>>): Promise<string> {
  const { 'localnet-until': until, 'localnet-days': days, from, ...rest } = flags;
  if (!from) {
    const reason = 'Use tidegate import --from URL [--until TIME | --days N].';
    throw new CodedError('INVALID_USAGE', { reason });
  }
  const { runImport } = await import('./commands/import.ts');
  return runImport(readConfig(rest), { from, until, days });
}

async function runKeys(
  words: readonly string[],
  flags: Readonly<Record<string, string>>,
): Promise<string> {
  const [verb = '', id, ...rest] = words;
  const path = apiKeyFilePath(readConfig(flags));
  if (verb === 'create' && id === undefined) {
    const { name = 'unnamed', limit } = flags;
    const key = await createApiKey(path, { name, limit, now: Date.now() });
    process.stderr.write('Keep this key: only its hash is stored, and it is not shown again.\n');
    return key;
  }
  if (verb === 'list' && id === undefined) return listApiKeys(path);
  if (verb === 'revoke' && id !== undefined && rest.length === 0) {
    await revokeApiKey(path, id, Date.now());
    return `Revoked ${id}.`;
  }
  const reason = 'Use tidegate keys create, keys list or keys revoke ID.';
  throw new CodedError('INVALID_USAGE', { reason });
}

async function runPrograms(
  words: readonly string[],
  { rpc, out }: Readonly<Record<string, string>>,
): Promise<string> {
  if (words.join(' ') !== 'pull' || !rpc || !out) {
    throw new CodedError('INVALID_USAGE', {
      reason: 'Use tidegate programs pull --rpc URL --out DIR.',
    });
  }
  const { pullPrograms } = await import('./commands/programs.ts');
  return pullPrograms(rpc, out);
}

function readCommandLine(args: readonly string[]): CommandLine {
  const names = Object.values(settings).map((setting) => flagName(setting.env));
  const text = { type: 'string' } as const;
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...Object.fromEntries([...names, ...OWN_FLAGS, ...SHORT_FLAGS].map((name) => [name, text])),
        fresh: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    });
    const { help, version, fresh = false, ...flags } = values;
    const wants = help ? 'help' : version ? 'version' : undefined;
    return { words: positionals, flags: longNames(flags as Record<string, string>), fresh, wants };
  } catch (error) {
    const [reason = ''] = formatError(error).split('. ');
    throw new CodedError('INVALID_USAGE', { reason: `${reason}.` }, undefined);
  }
}

const longNames = (flags: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [
      SHORT_FLAGS.includes(name) ? `localnet-${name}` : name,
      value,
    ]),
  );

function say(text: string): number {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return 0;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
