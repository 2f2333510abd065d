import { expect, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
import { parseCommandLine } from './command-line.ts';
import { commands } from './command-table.ts';

const parse = (...args: string[]) => parseCommandLine(args, commands);

function parseRun(...args: string[]) {
  const line = parse(...args);
  if (line.kind !== 'run') throw new Error(`not a run: ${line.kind}`);
  const { command, ...rest } = line;
  return { ...rest, command: command.name };
}

test('a command has arguments, flags of its own and settings', () => {
  expect(parseRun('keys', 'revoke', 'abc', '--data-dir', '/x')).toEqual({
    kind: 'run',
    command: 'keys revoke',
    args: ['abc'],
    flags: {},
    settingFlags: { 'data-dir': '/x' },
  });
  expect(parseRun('keys', 'create', '--name=my app', '--limit', '5/1m').flags).toEqual({
    name: 'my app',
    limit: '5/1m',
  });
  expect(parseRun('backfill', '--days', '3', 'a', 'b')).toMatchObject({
    args: ['a', 'b'],
    flags: { days: '3' },
  });
});

test('short flags of the embedded cluster set settings, and win over the long ones', () => {
  expect(parseRun('serve', '--days', '3', '--localnet-days', '4', '--fresh')).toMatchObject({
    flags: { fresh: 'true' },
    settingFlags: { 'localnet-days': '3' },
  });
  expect(parseRun('localnet', '--port', '0').settingFlags).toEqual({ 'localnet-rpc-port': '0' });
  expect(parseRun('serve', '--port', '0').settingFlags).toEqual({ port: '0' });
});

test('the value of a flag can be optional', () => {
  expect(parseRun('mcp', '--http').flags).toEqual({ http: '' });
  expect(parseRun('mcp', '--http', '9000').flags).toEqual({ http: '9000' });
  expect(parseRun('mcp', '--http=9000').flags).toEqual({ http: '9000' });
  expect(parseRun('mcp', '--http', '--url', 'http://x')).toMatchObject({
    flags: { http: '' },
    settingFlags: { 'tidegate-url': 'http://x' },
  });
});

test.each([[[]], [['--help']], [['-h']], [['help']]])('%j shows the overview', (args) => {
  expect(parse(...args)).toEqual({ kind: 'help', topic: undefined });
});

test.each([
  [['serve', '--help'], 'serve'],
  [['help', 'serve'], 'serve'],
  [['serve', '-h', '--unknown'], 'serve'],
  [['keys', 'create', '--help'], 'keys create'],
  [['keys', 'revoke', '--help'], 'keys revoke'],
  [['help', 'keys', 'create'], 'keys create'],
  [['--help', 'programs', 'pull'], 'programs pull'],
])('%j shows the help of "%s"', (args, name) => {
  expect(parse(...args)).toMatchObject({ kind: 'help', topic: { name } });
});

test('help of a group lists its commands', () => {
  for (const args of [
    ['help', 'keys'],
    ['keys', '--help'],
  ]) {
    const topic = { group: 'keys', commands: commands.filter(({ name }) => /^keys /.test(name)) };
    expect(parse(...args)).toEqual({ kind: 'help', topic });
  }
});

test('a command that lists DATA_DIR in its help checks the folder first', () => {
  for (const { name, settings, dataDir, acceptsInvalidSettings = false } of commands) {
    expect(dataDir !== undefined || acceptsInvalidSettings, name).toBe(
      settings.includes('dataDir'),
    );
  }
});

test('--version is read anywhere', () => {
  for (const args of [['--version'], ['-v'], ['serve', '--version']]) {
    expect(parse(...args)).toEqual({ kind: 'version' });
  }
});

test.each([
  [['nope'], 'Unknown command "nope". Run tidegate --help for usage.'],
  [['help', 'nope'], 'Unknown command "nope". Run tidegate --help for usage.'],
  [['nope', '--help'], 'Unknown command "nope". Run tidegate --help for usage.'],
  [['--port', '1'], 'There is no command. Run tidegate --help for usage.'],
  [['keys', 'nope'], 'Unknown command "keys nope". Run tidegate keys --help for usage.'],
  [
    ['keys'],
    '"keys" needs a subcommand: create, list, revoke. Run tidegate keys --help for usage.',
  ],
  [['serve', '--nope', '5'], 'Unknown flag --nope. Run tidegate serve --help for usage.'],
  [['serve', '-x'], 'Unknown flag -x. Run tidegate serve --help for usage.'],
  [['serve', '--name', 'x'], 'Unknown flag --name. Run tidegate serve --help for usage.'],
  [['serve', '--port'], 'The flag --port needs a value. Run tidegate serve --help for usage.'],
  [
    ['serve', '--port', '--fresh'],
    'The flag --port needs a value. Run tidegate serve --help for usage.',
  ],
  [
    ['serve', '--fresh=yes'],
    'The flag --fresh takes no value. Run tidegate serve --help for usage.',
  ],
  [['serve', 'now'], 'Unexpected argument "now". Run tidegate serve --help for usage.'],
  [['keys', 'revoke'], 'Missing argument ID. Run tidegate keys revoke --help for usage.'],
  [
    ['keys', 'revoke', 'a', 'b'],
    'Unexpected argument "b". Run tidegate keys revoke --help for usage.',
  ],
  [['import'], 'Missing flag --from. Run tidegate import --help for usage.'],
  [
    ['programs', 'pull', '--rpc', 'http://x'],
    'Missing flag --out. Run tidegate programs pull --help for usage.',
  ],
])('%j is rejected with the help to read', (args, message) => {
  expect(catchError(() => parse(...args))).toMatchObject({ code: 'INVALID_USAGE', message });
});
