import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTidegate, temporaryFolder } from '../support/processes/run-tidegate.ts';

const VAULT = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const TOKEN = 'KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS';

const season = (source: string, start: string) => ({
  source,
  start,
  end: '2027-01-01',
  rewards: [{ vault: VAULT, rewardToken: TOKEN, tokensPerSecond: '0.5' }],
});

function writeJson(folder: string, name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test('seasons of several files are imported, replaced, listed and removed', async () => {
  const folder = temporaryFolder();
  const env = { DATA_DIR: join(folder, 'data') };
  const rewards = (...args: readonly string[]) => runTidegate(['rewards', ...args], env);
  expect((await rewards('list')).out).toBe(
    'No seasons. Import some with: tidegate rewards import FILE\n',
  );
  const one = writeJson(folder, 'one.json', season('Season2', '2026-06-01'));
  const list = writeJson(folder, 'list.json', [
    season('Season1', '2026-01-01'),
    season('Season2', '2026-07-01'),
  ]);
  expect((await rewards('import', one)).out).toBe('Imported Season2.\n');
  expect((await rewards('import', list)).out).toBe('Imported Season1, Season2.\n');
  expect((await rewards('list')).out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['SOURCE', 'START', 'END', 'REWARDS', 'BOOSTS', 'MAX BOOST'],
    ['Season1', '2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', '1', '0', '0'],
    ['Season2', '2026-07-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', '1', '0', '0'],
    [''],
  ]);
  expect((await rewards('remove', 'Season1')).out).toBe('Removed Season1.\n');
  const stored: unknown = JSON.parse(readFileSync(join(env.DATA_DIR, 'seasons.json'), 'utf8'));
  expect(stored).toEqual([season('Season2', '2026-07-01')]);
});

test('every error of a rewards command is one line and changes nothing', async () => {
  const folder = temporaryFolder();
  const env = { DATA_DIR: join(folder, 'data') };
  const good = writeJson(folder, 'good.json', season('Season1', '2026-01-01'));
  await runTidegate(['rewards', 'import', good], env);
  const before = readFileSync(join(env.DATA_DIR, 'seasons.json'), 'utf8');
  const bad = writeJson(folder, 'bad.json', { ...season('Season1', 'soon') });
  const truncated = writeJson(folder, 'truncated.json', '{"source":');
  for (const [args, message] of [
    [[], '"rewards" needs a subcommand: import, list, remove. Run tidegate rewards --help'],
    [['import'], 'Missing argument FILE. Run tidegate rewards import --help for usage.'],
    [['import', bad], 'The registry bad.json is invalid: [0].start must be a date like'],
    [['import', truncated], 'is invalid: it is not JSON. Fix the file.'],
    [['import', join(folder, 'none.json')], 'is invalid: ENOENT'],
    [['remove', 'Season9'], 'There is no season Season9. "tidegate rewards list" lists them.'],
  ] as const) {
    const { code, err } = await runTidegate(['rewards', ...args], env);
    expect([code, err.split('\n').length]).toEqual([1, 2]);
    expect(err).toContain(message);
  }
  expect(readFileSync(join(env.DATA_DIR, 'seasons.json'), 'utf8')).toBe(before);
});
