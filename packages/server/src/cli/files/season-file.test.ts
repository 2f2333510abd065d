import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../../test/support/fakes/silent-log.ts';
import { importSeasons, removeSeason, watchSeasons } from './season-file.ts';

test('seasons that are imported and removed are noticed, and a damaged file changes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seasons-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'data', 'seasons.json');
  const given = join(folder, 'given.json');
  const of = (source: string) => ({ source, start: '2026-01-01', end: '2026-02-01' });
  writeFileSync(given, JSON.stringify([of('Season1'), of('Season2')]));
  const errors: string[] = [];
  const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) };
  const watched = await watchSeasons(path, log);
  onTestFinished(() => watched.stop());
  const sources = () => watched.content.map(({ source }) => source);
  expect(sources()).toEqual([]);
  await importSeasons(path, given);
  await expect.poll(sources, { timeout: 10_000 }).toEqual(['Season1', 'Season2']);
  await removeSeason(path, 'Season1');
  await expect.poll(sources, { timeout: 10_000 }).toEqual(['Season2']);
  writeFileSync(path, '[{"source":');
  await expect.poll(() => errors, { timeout: 10_000 }).toEqual(['season file not re-read']);
  expect(sources()).toEqual(['Season2']);
}, 40_000);
