import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../../test/support/fakes/silent-log.ts';
import { importSeasons, removeSeason, watchSeasons } from './season-file.ts';

test('the watcher applies imported and removed seasons, and ignores a malformed file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seasons-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'data', 'seasons.json');
  const importPath = join(folder, 'import.json');
  const season = (source: string) => ({ source, start: '2026-01-01', end: '2026-02-01' });
  writeFileSync(importPath, JSON.stringify([season('Season1'), season('Season2')]));
  const errors: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) };
  const watcher = await watchSeasons(path, log);
  onTestFinished(() => watcher.stop());
  const sources = () => watcher.content.map(({ source }) => source);
  expect(sources()).toEqual([]);
  await importSeasons(path, importPath);
  await expect.poll(sources).toEqual(['Season1', 'Season2']);
  await removeSeason(path, 'Season1');
  await expect.poll(sources).toEqual(['Season2']);
  writeFileSync(path, '[{"source":');
  await expect.poll(() => errors).toEqual(['season file not re-read']);
  expect(sources()).toEqual(['Season2']);
});
