import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CodedError, formatError, type Logger } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { parseSeasons } from '../../registry/parse-seasons.ts';
import type { Config } from '../settings/settings.ts';
import { FileWatcher } from './file-watcher.ts';
import { readIfPresent, updateFile } from './update-file.ts';

/** Seasons that were imported, as they were written. */
export const seasonFilePath = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, 'seasons.json');

/** None where there is no file; a file that is damaged is an error. */
export async function readSeasons(path: string): Promise<readonly Season[]> {
  return parseSeasons(documentsOf(await readIfPresent(path), path), { source: path, at: '' });
}

/** Followed while the server runs. */
export const watchSeasons = (path: string, log: Logger): Promise<FileWatcher<readonly Season[]>> =>
  FileWatcher.open({ path, read: readSeasons, log, notRead: 'season file not re-read' });

/** Adds the seasons of a document, one or a list, in the place of those of the same source; returns them. */
export async function importSeasons(path: string, from: string): Promise<readonly Season[]> {
  const given = documentsOf(await readGiven(from), from);
  const seasons = parseSeasons(given, { source: basename(from), at: '' });
  const renewed = new Set<unknown>(seasons.map(({ source }) => source));
  await changeDocuments(path, (documents) => [
    ...documents.filter((document) => !renewed.has(sourceOf(document))),
    ...given,
  ]);
  return seasons;
}

export async function removeSeason(path: string, source: string): Promise<void> {
  await changeDocuments(path, (documents) => {
    const rest = documents.filter((document) => sourceOf(document) !== source);
    if (rest.length < documents.length) return rest;
    const reason = `No season ${source} was imported. tidegate rewards list shows those that were.`;
    throw new CodedError('INVALID_USAGE', { reason });
  });
}

function changeDocuments(
  path: string,
  change: (documents: readonly unknown[]) => readonly unknown[],
): Promise<void> {
  return updateFile(path, {
    change: (old) => `${JSON.stringify(change(documentsOf(old, path)), null, 2)}\n`,
    refused: (reason) => unusable(path, reason),
  });
}

/** A document of one season is a list of one. */
function documentsOf(text: string | undefined, path: string): readonly unknown[] {
  if (text === undefined) return [];
  try {
    return [JSON.parse(text)].flat();
  } catch (error) {
    throw unusable(path, 'it is not JSON', error);
  }
}

async function readGiven(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unusable(path, formatError(error), error);
  }
}

const sourceOf = (document: unknown): unknown =>
  typeof document === 'object' && document !== null && 'source' in document
    ? document.source
    : undefined;

const unusable = (source: string, reason: string, cause?: unknown): CodedError =>
  new CodedError('INVALID_REGISTRY', { source, reason }, cause);
