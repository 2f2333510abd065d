import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, toAddress } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import type { DocumentSource } from './document-source.ts';
import { loadRegistry } from './load-registry.ts';

const MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const good = { markets: [{ address: MARKET, programId: MARKET, name: 'Main' }] };
const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const sourceOf = (read: () => unknown, identity = 'one'): DocumentSource => ({
  kind: 'file',
  label: 'facts.json',
  identity,
  read: async () => ({ kind: 'document', document: read(), tag: undefined }),
});

const failing = () => {
  throw new Error('gone');
};

async function place(source: DocumentSource, folder?: string) {
  const copyPath = join(folder ?? (await mkdtemp(join(tmpdir(), 'registry-'))), 'registry.json');
  return { source, copyPath, now: 5, log: silent };
}

test('a good document is served and kept', async () => {
  const at = await place(sourceOf(() => good));
  const registry = await loadRegistry(at);
  expect(registry.market(toAddress(MARKET))?.name).toBe('Main');
  expect(JSON.parse(await readFile(at.copyPath, 'utf8'))).toEqual({
    source: 'one',
    confirmedAt: 5,
    document: good,
  });
});

test('when the source fails or turns bad its last good copy serves', async () => {
  const at = await place(sourceOf(() => good));
  await loadRegistry(at);
  for (const broken of [sourceOf(failing), sourceOf(() => ({ markets: 'none' }))]) {
    const registry = await loadRegistry({ ...at, source: broken });
    expect(registry.market(toAddress(MARKET))?.name).toBe('Main');
  }
});

test('without a copy of that very source a failure is one', async () => {
  await expect(loadRegistry(await place(sourceOf(failing)))).rejects.toThrow('gone');
  const at = await place(sourceOf(() => good));
  await loadRegistry(at);
  const other = sourceOf(failing, 'another');
  await expect(loadRegistry({ ...at, source: other })).rejects.toThrow('gone');
});
