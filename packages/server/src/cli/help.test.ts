import { expect, test } from 'vitest';
import { commands } from './command-table.ts';
import { formatHelp } from './help.ts';
import { flagName, settings } from './settings/settings.ts';

function commandHelp(name: string): string {
  const command = commands.find((each) => each.name === name);
  return formatHelp(command, commands);
}

test('the overview lists every command with its summary', () => {
  const text = formatHelp(undefined, commands);
  for (const { name, summary } of commands) {
    expect(text).toMatch(new RegExp(`^  ${name}\\b.*`, 'm'));
    expect(text.replaceAll(/\s+/g, ' ')).toContain(summary);
  }
  expect(text).toContain('tidegate COMMAND --help');
});

test('help of serve lists every setting with its variable, default and description', () => {
  const text = commandHelp('serve');
  for (const { env, default: fallback } of Object.values(settings)) {
    expect(text).toContain(
      `  --${flagName(env)}  (${env}, default ${fallback === '' ? 'none' : fallback})\n`,
    );
  }
  expect(text).not.toContain('`');
});

test('help of a command shows its usage, arguments, flags and settings', () => {
  expect(commandHelp('keys revoke')).toBe(`Usage: tidegate keys revoke ID [flags]

Revoke an API key.

A running server rejects the key within a second; with REDIS_URL, all servers
with that Redis do.

Arguments:
  ID  ID of the key, as keys list shows it.

Flags:
  -h, --help  Show help.

Settings (a flag overrides the environment variable):
  --data-dir  (DATA_DIR, default .tidegate)
      Folder for API keys, the last good token list, the embedded cluster and
      the embedded database. Accepts a folder.
  --redis-url  (REDIS_URL, default none)
      Redis (version 6.2 or later), which tidegate index publishes state to and
      tidegate api reads it from. All servers with it share rate limits and API
      keys. Give each deployment a database number of its own. Accepts a
      redis:// or rediss:// URL.
`);
  expect(commandHelp('programs pull')).toContain(
    'Usage: tidegate programs pull --rpc URL --out DIR [flags]\n',
  );
  expect(commandHelp('backfill')).toContain('Usage: tidegate backfill [ADDRESS ...] [flags]\n');
});

test('help of a group lists its commands', () => {
  const members = commands.filter(({ name }) => name.startsWith('keys '));
  const text = formatHelp({ group: 'keys', commands: members }, commands);
  expect(text).toContain('Usage: tidegate keys COMMAND [flags]\n');
  expect(text.match(/^ {2}keys .*/gm)).toHaveLength(3);
});

test('no line of help is wider than 100 characters', () => {
  for (const topic of [undefined, ...commands]) {
    for (const line of formatHelp(topic, commands).split('\n')) {
      expect(line.length, line).toBeLessThanOrEqual(100);
    }
  }
});
