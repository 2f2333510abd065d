import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The last valid document of a source, as stored on disk. */
export type LastGoodCopy = {
  readonly source: string;
  /** Epoch milliseconds. */
  readonly confirmedAt: number;
  readonly document: unknown;
};

/** The document is not validated. Undefined if there is no copy, it is of another source, or it is damaged. */
export async function readLastGoodCopy(
  path: string,
  source: string,
): Promise<{ readonly confirmedAt: number; readonly document: unknown } | undefined> {
  try {
    const copy: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof copy !== 'object' || copy === null) return undefined;
    if (!('source' in copy && 'confirmedAt' in copy && 'document' in copy)) return undefined;
    if (copy.source !== source || typeof copy.confirmedAt !== 'number') return undefined;
    return { confirmedAt: copy.confirmedAt, document: copy.document };
  } catch {
    return undefined;
  }
}

/** Writes a temporary file and renames it, so that a crash leaves a complete copy. */
export async function writeLastGoodCopy(path: string, copy: LastGoodCopy): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // workers of one server have the same folder
  const unfinished = `${path}.${process.pid}.new`;
  await writeFile(unfinished, JSON.stringify(copy));
  await rename(unfinished, path);
}
