import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, toAddress } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import type { DocumentSource } from './document-source.ts';
import { loadRegistry } from './load-registry.ts';
import { emptyRegistry } from './registry.ts';

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
  label: 'registry.json',
  identity,
  read: async () => ({ kind: 'document', document: read(), tag: undefined }),
});

const failing = () => {
  throw new Error('gone');
};

async function optionsFor(source: DocumentSource, folder?: string) {
  const copyPath = join(folder ?? (await mkdtemp(join(tmpdir(), 'registry-'))), 'registry.json');
  return { source, known: emptyRegistry, copyPath, now: 5, log: silent };
}

test('a valid document is loaded and copied', async () => {
  const options = await optionsFor(sourceOf(() => good));
  const { registry } = await loadRegistry(options);
  expect(registry.market(toAddress(MARKET))?.name).toBe('Main');
  expect(JSON.parse(await readFile(options.copyPath, 'utf8'))).toEqual({
    source: 'one',
    confirmedAt: 5,
    document: good,
  });
});

test('the last good copy is used if the source fails or is invalid', async () => {
  const options = await optionsFor(sourceOf(() => good));
  await loadRegistry(options);
  for (const broken of [sourceOf(failing), sourceOf(() => ({ markets: 'none' }))]) {
    const { registry } = await loadRegistry({ ...options, source: broken });
    expect(registry.market(toAddress(MARKET))?.name).toBe('Main');
  }
});

test('loading fails if the source fails and has no copy', async () => {
  await expect(loadRegistry(await optionsFor(sourceOf(failing)))).rejects.toThrow('gone');
  const options = await optionsFor(sourceOf(() => good));
  await loadRegistry(options);
  const other = sourceOf(failing, 'another');
  await expect(loadRegistry({ ...options, source: other })).rejects.toThrow('gone');
});
