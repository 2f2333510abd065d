import type { Command, CommandFlag } from './command.ts';
import type { HelpTopic } from './command-line.ts';
import { flagName, settings } from './settings/settings.ts';

type Row = readonly [left: string, right: string];

/** Help of one command, of a group of commands, or an overview of all commands. */
export function formatHelp(topic: HelpTopic, commands: readonly Command[]): string {
  if (topic === undefined) return overview(commands);
  return 'group' in topic ? groupHelp(topic.group, topic.commands) : commandHelp(topic);
}

const overview = (commands: readonly Command[]): string => `Usage: tidegate COMMAND [flags]

Self-hosted HTTP/JSON API over Solana's lending and earn-vault programs.

Commands:
${formatRows([...commands.map(summaryRow), ['help [COMMAND]', 'Show help.']])}

Flags:
${formatRows([helpRow, ['-v, --version', 'Print the version.']])}

Run "tidegate COMMAND --help" for the arguments and flags of a command. Settings are
flags or environment variables; "tidegate serve --help" lists all of them.
`;

const groupHelp = (group: string, commands: readonly Command[]): string =>
  `Usage: tidegate ${group} COMMAND [flags]

Commands:
${formatRows(commands.map(summaryRow))}

Run "tidegate ${group} COMMAND --help" for the arguments and flags of a command.
`;

function commandHelp(command: Command): string {
  const { name, summary, details, args, flags } = command;
  const parts = [
    `Usage: ${['tidegate', name, ...usageParts(command), '[flags]'].join(' ')}`,
    [summary, ...(details === undefined ? [] : ['', ...wrapText(details)])].join('\n'),
    args.length > 0 &&
      `Arguments:\n${formatRows(args.map(({ name: label, description }) => [label, description]))}`,
    `Flags:\n${formatRows([...flags.map(flagRow), helpRow])}`,
    command.settings.length > 0 &&
      `Settings (a flag overrides the environment variable):\n${settingsList(command)}`,
  ];
  return `${parts.filter((part) => part !== false).join('\n\n')}\n`;
}

const usageParts = ({ args, flags }: Command): string[] => [
  ...args.map(({ name, isRepeatable }) => (isRepeatable ? `[${name} ...]` : name)),
  ...flags
    .filter(({ isRequired }) => isRequired)
    .map(({ name, value }) => `--${name} ${value ?? ''}`.trimEnd()),
];

const helpRow: Row = ['-h, --help', 'Show help.'];

const summaryRow = (command: Command): Row => [
  [command.name, ...usageParts(command)].join(' '),
  command.summary,
];

const flagRow = ({ name, value, isValueOptional, description }: CommandFlag): Row => {
  const shown = isValueOptional ? `[${value}]` : value;
  return [shown === undefined ? `--${name}` : `--${name} ${shown}`, description];
};

function settingsList(command: Command): string {
  const blocks = command.settings.map((name) => {
    const { env, default: fallback, description, accepts } = settings[name];
    const shown = fallback === '' ? 'none' : fallback;
    const text = `${description} Accepts ${accepts}.`.replaceAll('`', '');
    const lines = wrapText(text, 74).map((line) => `      ${line}`);
    return [`  --${flagName(env)}  (${env}, default ${shown})`, ...lines].join('\n');
  });
  return blocks.join('\n');
}

/** Two columns; a long right column continues below itself. */
function formatRows(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows
    .flatMap(([left, right]) =>
      wrapText(right, Math.max(40, 96 - width)).map(
        (line, i) => `  ${(i === 0 ? left : '').padEnd(width)}  ${line}`,
      ),
    )
    .join('\n');
}

const TERMINAL_WIDTH = 80;

/** Breaks a text into lines between words. */
function wrapText(text: string, width: number = TERMINAL_WIDTH): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
