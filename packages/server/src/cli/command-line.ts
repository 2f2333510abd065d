import { parseArgs } from 'node:util';
import { CodedError } from '../errors.ts';
import type { Command } from './command.ts';
import { flagName, settings } from './settings/settings.ts';

export type CommandLine =
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly topic: HelpTopic }
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly args: readonly string[];
      readonly flags: Readonly<Record<string, string>>;
      /** Values of settings, by flag name. */
      readonly settingFlags: Readonly<Record<string, string>>;
    };

/** A command, a group of commands with its name, or undefined for all commands. */
export type HelpTopic =
  | Command
  | { readonly group: string; readonly commands: readonly Command[] }
  | undefined;

type Option = { readonly name: string; readonly raw: string; readonly value: string | undefined };

type Tokens = {
  readonly positionals: readonly string[];
  /** In the order of the command line. */
  readonly options: readonly (Option & { readonly isInline: boolean })[];
};

const settingFlagNames = new Set(Object.values(settings).map(({ env }) => flagName(env)));

/** Parses and checks the arguments of the program. Throws INVALID_USAGE. */
export function parseCommandLine(
  args: readonly string[],
  commands: readonly Command[],
): CommandLine {
  const { positionals, options } = tokenize(args, commands);
  const has = (flag: string) => options.some(({ name }) => name === flag);
  if (has('version')) return { kind: 'version' };
  if (positionals[0] === 'help')
    return { kind: 'help', topic: findTopic(positionals.slice(1), commands) };
  if (has('help')) return { kind: 'help', topic: findTopic(positionals, commands) };
  if (positionals.length === 0 && options.length === 0) return { kind: 'help', topic: undefined };
  const { command, args: values } = findCommand(positionals, commands);
  const { flags, settingFlags } = readFlags(options, command);
  checkArguments(values, command);
  return { kind: 'run', command, args: values, flags, settingFlags };
}

/** Separates positionals from flags. A flag takes a value in all commands or in none. */
function tokenize(args: readonly string[], commands: readonly Command[]): Tokens {
  const ownFlags = commands.flatMap(({ flags }) => flags);
  const { tokens } = parseArgs({
    args: args.map((arg, i) => withOptionalValue(arg, args[i + 1], ownFlags)),
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: {
      ...Object.fromEntries([...settingFlagNames].map((name) => [name, { type: 'string' }])),
      ...Object.fromEntries(
        ownFlags.map(({ name, value }) => [name, { type: value ? 'string' : 'boolean' }]),
      ),
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  });
  return {
    positionals: tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : [])),
    options: tokens.flatMap((token) =>
      token.kind === 'option'
        ? [
            {
              name: token.name,
              raw: token.rawName,
              value: token.value,
              isInline: token.inlineValue === true,
            },
          ]
        : [],
    ),
  };
}

/** `--http` without a value is `--http=`, so that it does not take the next flag for one. */
function withOptionalValue(arg: string, next: string | undefined, flags: Command['flags']): string {
  const isAlone = next === undefined || next.startsWith('-');
  const isOptional = flags.some(
    ({ name, isValueOptional }) => isValueOptional && arg === `--${name}`,
  );
  return isOptional && isAlone ? `${arg}=` : arg;
}

/** Finds the command that the positionals start with. The rest are its arguments. */
function findCommand(positionals: readonly string[], commands: readonly Command[]) {
  for (const length of [2, 1]) {
    const name = positionals.slice(0, length).join(' ');
    const command = commands.find((each) => each.name === name);
    if (command !== undefined) return { command, args: positionals.slice(length) };
  }
  const [group = ''] = positionals;
  const members = commandsOfGroup(group, commands);
  if (members.length > 0 && positionals.length === 1) {
    const names = members.map(({ name }) => name.slice(group.length + 1));
    throw usageError(`"${group}" needs a subcommand: ${names.join(', ')}.`, group);
  }
  if (positionals.length === 0) throw usageError('There is no command.');
  if (members.length > 0)
    throw usageError(`Unknown command "${positionals.slice(0, 2).join(' ')}".`, group);
  throw usageError(`Unknown command "${group}".`);
}

/** Help of a command ignores the command's arguments. */
function findTopic(positionals: readonly string[], commands: readonly Command[]): HelpTopic {
  if (positionals.length === 0) return undefined;
  const [group = ''] = positionals;
  const members = commandsOfGroup(group, commands);
  if (members.length > 0 && positionals.length === 1) return { group, commands: members };
  return findCommand(positionals, commands).command;
}

const commandsOfGroup = (group: string, commands: readonly Command[]): readonly Command[] =>
  commands.filter(({ name }) => name.startsWith(`${group} `));

function readFlags(options: Tokens['options'], command: Command) {
  const flags: Record<string, string> = {};
  const settingFlags: Record<string, string> = {};
  const aliases: Record<string, string> = {};
  for (const option of options) {
    const own = command.flags.find(({ name }) => name === option.name);
    if (own === undefined && !settingFlagNames.has(option.name)) {
      throw usageError(`Unknown flag ${option.raw}.`, command.name);
    }
    const value = readValue(option, own === undefined || own.value !== undefined, command);
    if (own === undefined) settingFlags[option.name] = value;
    else if (own.setting === undefined) flags[option.name] = value;
    else aliases[flagName(settings[own.setting].env)] = value;
  }
  for (const { name, isRequired } of command.flags) {
    if (isRequired && !flags[name]) throw usageError(`Missing flag --${name}.`, command.name);
  }
  return { flags, settingFlags: { ...settingFlags, ...aliases } };
}

function readValue(
  { raw, value, isInline }: Tokens['options'][number],
  takesValue: boolean,
  command: Command,
): string {
  if (!takesValue) {
    if (value === undefined) return 'true';
    throw usageError(`The flag ${raw} takes no value.`, command.name);
  }
  if (value !== undefined && (isInline || !value.startsWith('-'))) return value;
  throw usageError(`The flag ${raw} needs a value.`, command.name);
}

function checkArguments(values: readonly string[], { name, args }: Command): void {
  const required = args.filter(({ isRepeatable }) => !isRepeatable);
  const missing = required[values.length];
  if (missing !== undefined) throw usageError(`Missing argument ${missing.name}.`, name);
  const extra = args.length > required.length ? undefined : values[required.length];
  if (extra !== undefined) throw usageError(`Unexpected argument "${extra}".`, name);
}

const usageError = (reason: string, command?: string): CodedError =>
  new CodedError('INVALID_USAGE', { reason, ...(command !== undefined && { command }) });
