import {
  mainnetRulesAt,
  NEWEST_RULES,
  type RulesAt,
  rulesOfReleases,
} from '@tidegate/core/protocol/releases';
import type { ClusterName } from './served-clusters.ts';

/**
 * The rules of a cluster's programs by slot: those of the named releases, those of the releases that mainnet ran in the
 * slot, and elsewhere those of the newest releases. Throws for releases that are not known.
 */
export function rulesOfCluster(env: ClusterName, releases = ''): RulesAt {
  if (releases === '') return env === 'mainnet-beta' ? mainnetRulesAt : () => NEWEST_RULES;
  return rulesOfReleases(releases);
}
