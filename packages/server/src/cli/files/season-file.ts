import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { formatError, type Logger } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { CodedError } from '../../errors.ts';
import { parseSeasons } from '../../registry/parse-seasons.ts';
import type { Config } from '../settings/settings.ts';
import { FileWatcher } from './file-watcher.ts';
import { readIfPresent, updateFile } from './update-file.ts';

/** Contains the imported season documents unchanged. */
export const seasonFilePath = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, 'seasons.json');

/** A missing file has no seasons. A malformed file is an error. */
export async function readSeasons(path: string): Promise<readonly Season[]> {
  return parseSeasons(parseDocuments(await readIfPresent(path), path), { source: path, at: '' });
}

/** The seasons of a file. Changes take effect within a second. */
export const watchSeasons = (path: string, log: Logger): Promise<FileWatcher<readonly Season[]>> =>
  FileWatcher.open({ path, read: readSeasons, log, failureMessage: 'season file not re-read' });

/** Imports one season or a list. Replaces seasons of the same source. Returns the imported seasons. */
export async function importSeasons(path: string, from: string): Promise<readonly Season[]> {
  const imported = parseDocuments(await readImport(from), from);
  const seasons = parseSeasons(imported, { source: basename(from), at: '' });
  const sources = new Set<unknown>(seasons.map(({ source }) => source));
  await updateDocuments(path, (documents) => [
    ...documents.filter((document) => !sources.has(sourceOf(document))),
    ...imported,
  ]);
  return seasons;
}

export async function removeSeason(path: string, source: string): Promise<void> {
  await updateDocuments(path, (documents) => {
    const rest = documents.filter((document) => sourceOf(document) !== source);
    if (rest.length < documents.length) return rest;
    const reason = `There is no season ${source}. "tidegate rewards list" lists them.`;
    throw new CodedError('INVALID_USAGE', { reason, command: 'rewards remove' });
  });
}

function updateDocuments(
  path: string,
  change: (documents: readonly unknown[]) => readonly unknown[],
): Promise<void> {
  return updateFile(path, {
    change: (old) => `${JSON.stringify(change(parseDocuments(old, path)), null, 2)}\n`,
    toError: (reason) => invalidSeasons(path, reason),
  });
}

/** A single season is a list of one. */
function parseDocuments(text: string | undefined, path: string): readonly unknown[] {
  if (text === undefined) return [];
  try {
    return [JSON.parse(text)].flat();
  } catch (error) {
    throw invalidSeasons(path, 'it is not JSON', error);
  }
}

async function readImport(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw invalidSeasons(path, formatError(error), error);
  }
}

const sourceOf = (document: unknown): unknown =>
  typeof document === 'object' && document !== null && 'source' in document
    ? document.source
    : undefined;

const invalidSeasons = (source: string, reason: string, cause?: unknown): CodedError =>
  new CodedError('INVALID_REGISTRY', { source, reason }, cause);
