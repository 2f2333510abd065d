import { basename } from 'node:path';
import { formatError } from '@tidegate/core/base';
import type { Config } from '../../cli/settings/settings.ts';
import { CodedError } from '../../errors.ts';
import { listRegistryProblems } from '../../registry/check-registry.ts';
import { createFileSource, type DocumentSource } from '../../registry/document-source.ts';
import { mainnetRegistry } from '../../registry/mainnet/mainnet-registry.ts';
import { parseRegistryDocument } from '../../registry/registry.ts';
import { registryJson } from '../../registry/registry-json.ts';
import { configuredRegistrySource, selectRegistry } from '../clusters/cluster-registry.ts';

/** The effective registry of `CLUSTER` as JSON. Reads `REGISTRY` itself, never its last good copy. */
export async function printRegistry(config: Config): Promise<string> {
  const source = configuredRegistrySource(config);
  const document =
    source &&
    parseRegistryDocument(await readDocument(source), source.label, { known: mainnetRegistry });
  return JSON.stringify(registryJson(selectRegistry(config.cluster, document)), null, 2);
}

/** Writes a line for each problem, then throws INVALID_REGISTRY if there are any. */
export async function checkRegistryFile(
  file: string,
  writeLine: (line: string) => void,
): Promise<string> {
  const document = await readDocument(createFileSource(file));
  const problems = listRegistryProblems(document, { known: mainnetRegistry });
  for (const { at, reason } of problems) writeLine(`${at || 'the document'} ${reason}`);
  const source = basename(file);
  if (problems.length === 0) return `${source} is valid.`;
  const reason = problems.length === 1 ? 'it has 1 problem' : `it has ${problems.length} problems`;
  throw new CodedError('INVALID_REGISTRY', { source, reason });
}

async function readDocument({ label, read }: DocumentSource): Promise<unknown> {
  try {
    const reading = await read(undefined);
    return reading.kind === 'document' ? reading.document : undefined;
  } catch (error) {
    const reason = `it cannot be read as JSON (${formatError(error)})`;
    throw new CodedError('INVALID_REGISTRY', { source: label, reason }, error);
  }
}
