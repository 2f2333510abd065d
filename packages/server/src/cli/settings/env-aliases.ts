import { CLUSTER_NAMES, type ClusterName } from '../../clusters/served-clusters.ts';
import { parseList, parseOneOf } from './setting-parsers.ts';

/** `env` is undefined for the primary cluster. */
type EnvAlias = { readonly alias: ClusterName; readonly env: ClusterName | undefined };

export const ENV_ALIAS_FORM = `a comma-separated list of cluster names (${CLUSTER_NAMES.join(', ')}) that are not served, each alone or with the served cluster, such as mainnet-beta=localnet`;

/** The parameter `env` accepts no other names than those of clusters. */
export function parseEnvAliases(text: string): readonly EnvAlias[] | undefined {
  const aliases: EnvAlias[] = [];
  for (const item of parseList(text)) {
    const [name = '', target, ...rest] = item.split('=');
    const alias = parseOneOf(name, CLUSTER_NAMES);
    const env = target === undefined ? undefined : parseOneOf(target, CLUSTER_NAMES);
    const isRepeated = aliases.some((other) => other.alias === alias);
    if (alias === undefined || isRepeated || rest.length > 0) return undefined;
    if (target !== undefined && env === undefined) return undefined;
    aliases.push({ alias, env });
  }
  return aliases;
}
