import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The last good document of a source, as it stands on disk. */
export type LastGoodCopy = {
  readonly source: string;
  /** Epoch ms. */
  readonly confirmedAt: number;
  readonly document: unknown;
};

/** The copy of this source, not yet checked; undefined when there is none, it is another source's, or it is damaged. */
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

/** Written beside and renamed, so that a crash leaves the old copy or the new one, never half of one. */
export async function writeLastGoodCopy(path: string, copy: LastGoodCopy): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, JSON.stringify(copy));
  await rename(`${path}.new`, path);
}
