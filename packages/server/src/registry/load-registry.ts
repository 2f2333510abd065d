import { formatError, type Logger } from '@tidegate/core/base';
import type { DocumentSource } from './document-source.ts';
import { readLastGoodCopy, writeLastGoodCopy } from './last-good-copy.ts';
import { parseRegistry, type Registry } from './registry.ts';

export type LoadRegistryOptions = {
  readonly source: DocumentSource;
  /** Where the last good copy is kept. */
  readonly copyPath: string;
  /** Epoch ms. */
  readonly now: number;
  readonly log: Logger;
};

/** The registry of a source; the last good copy of it when the source fails, an error without one. */
export async function loadRegistry(place: LoadRegistryOptions): Promise<Registry> {
  const { source, copyPath, now, log } = place;
  try {
    const reading = await source.read(undefined);
    if (reading.kind === 'unchanged') throw new Error('it gives no document');
    const registry = parseRegistry(reading.document, source.label);
    const copy = { source: source.identity, confirmedAt: now, document: reading.document };
    await writeLastGoodCopy(copyPath, copy).catch((error: unknown) => {
      log.warn({ reason: formatError(error) }, 'registry copy not written');
    });
    return registry;
  } catch (error) {
    const copy = await readLastGoodCopy(copyPath, source.identity);
    if (copy === undefined) throw error;
    const reason = formatError(error);
    log.warn({ source: source.label, reason }, 'registry from kept copy');
    return parseRegistry(copy.document, source.label);
  }
}
