import { formatError, type Logger } from '@tidegate/core/base';
import type { DocumentSource } from './document-source.ts';
import { readLastGoodCopy, writeLastGoodCopy } from './last-good-copy.ts';
import { parseRegistryDocument, type Registry, type RegistryDocument } from './registry.ts';

export type LoadRegistryOptions = {
  readonly source: DocumentSource;
  /** Completes entries of the document that leave out fields. */
  readonly known: Registry;
  /** Path of the last good copy. */
  readonly copyPath: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly log: Logger;
};

/** Loads a registry. If the source fails, uses the last good copy; throws if there is none. */
export async function loadRegistry(options: LoadRegistryOptions): Promise<RegistryDocument> {
  const { source, known, copyPath, now, log } = options;
  try {
    const reading = await source.read(undefined);
    if (reading.kind === 'unchanged') throw new Error('it returns no document');
    const registry = parseRegistryDocument(reading.document, source.label, { known });
    const copy = { source: source.identity, confirmedAt: now, document: reading.document };
    await writeLastGoodCopy(copyPath, copy).catch((error: unknown) => {
      log.warn({ reason: formatError(error) }, 'registry copy was not written');
    });
    return registry;
  } catch (error) {
    const copy = await readLastGoodCopy(copyPath, source.identity);
    if (copy === undefined) throw error;
    const reason = formatError(error);
    log.warn({ source: source.label, reason }, 'using the last good copy of the registry');
    return parseRegistryDocument(copy.document, source.label, { known });
  }
}
