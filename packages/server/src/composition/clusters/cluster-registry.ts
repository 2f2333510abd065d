import { join } from 'node:path';
import type { Logger } from '@tidegate/core/base';
import type { Config } from '../../cli/settings/settings.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import {
  createFileSource,
  createUrlSource,
  type DocumentSource,
} from '../../registry/document-source.ts';
import { loadRegistry } from '../../registry/load-registry.ts';
import { mainnetRegistry } from '../../registry/mainnet/mainnet-registry.ts';
import {
  emptyRegistry,
  mergeRegistries,
  type Registry,
  type RegistryDocument,
} from '../../registry/registry.ts';

/** The registry of `REGISTRY`; undefined if it is not set. */
export async function loadConfiguredRegistry(
  config: Config,
  log: Logger,
): Promise<RegistryDocument | undefined> {
  const source = configuredRegistrySource(config);
  if (source === undefined) return undefined;
  const copyPath = join(config.dataDir, 'registry.json');
  return loadRegistry({ source, known: mainnetRegistry, copyPath, now: Date.now(), log });
}

export function configuredRegistrySource({ registry }: Config): DocumentSource | undefined {
  const { location } = registry;
  if (location === undefined) return undefined;
  return location.kind === 'file' ? createFileSource(location.path) : createUrlSource(location.url);
}

/** The effective registry of a cluster. Only mainnet-beta has a built-in one, which the document extends or replaces. */
export function selectRegistry(env: ClusterName, document: RegistryDocument | undefined): Registry {
  if (env !== 'mainnet-beta') return document?.registry ?? emptyRegistry;
  if (document === undefined) return mainnetRegistry;
  const { registry, replacesBuiltIn } = document;
  return replacesBuiltIn ? registry : mergeRegistries(mainnetRegistry, registry);
}
