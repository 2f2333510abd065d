import type { Config } from '../../cli/settings/settings.ts';
import type { ClusterAliases, ClusterName } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';

type ServedSettings = Pick<
  Config,
  'envAliases' | 'rpcUrl' | 'cluster' | 'rpcUrlMainnet' | 'rpcUrlDevnet'
>;

/** Throws INVALID_SETTING if an alias is the name of a served cluster, or its cluster is not served. */
export function resolveEnvAliases(config: ServedSettings): ClusterAliases {
  const primary = config.rpcUrl.length === 0 ? 'localnet' : config.cluster;
  const served: readonly ClusterName[] = [
    primary,
    ...(config.rpcUrlMainnet.length === 0 ? [] : (['mainnet-beta'] as const)),
    ...(config.rpcUrlDevnet.length === 0 ? [] : (['devnet'] as const)),
  ];
  const resolved = config.envAliases.map(({ alias, env = primary }) => {
    if (served.includes(alias)) {
      throw invalidAlias(config, `no name of a served cluster, and ${alias} is served`);
    }
    if (!served.includes(env)) {
      throw invalidAlias(config, `aliases of served clusters only, and ${env} is not served`);
    }
    return [alias, env] as const;
  });
  return new Map(resolved);
}

function invalidAlias({ envAliases }: ServedSettings, accepts: string): CodedError {
  const items = envAliases.map(({ alias, env }) => (env === undefined ? alias : `${alias}=${env}`));
  return new CodedError('INVALID_SETTING', {
    name: 'ENV_ALIASES',
    value: items.join(','),
    accepts,
  });
}
