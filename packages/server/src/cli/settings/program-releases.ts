import { namesReleases, type RulesAt } from '@tidegate/core/protocol/releases';
import { rulesOfCluster } from '../../clusters/cluster-rules.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import type { Config } from './settings.ts';

/** The rules of the programs of the primary cluster, as the settings say. */
export function configuredRules(config: Config, env: ClusterName): RulesAt {
  const { programReleases, localnetPrograms } = config;
  const isEmbedded = config.rpcUrl.length === 0;
  const ofModels = isEmbedded && namesReleases(localnetPrograms) ? localnetPrograms : '';
  return rulesOfCluster(env, programReleases === '' ? ofModels : programReleases);
}
