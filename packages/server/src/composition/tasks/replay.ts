import type { RulesAt } from '@tidegate/core/protocol/releases';
import { metadataOfPlan } from '@tidegate/localnet/genesis';
import { readSeasons, seasonFilePath } from '../../cli/files/season-file.ts';
import { createServerLog } from '../../cli/logging/server-log.ts';
import { configuredRules } from '../../cli/settings/program-releases.ts';
import type { Config } from '../../cli/settings/settings.ts';
import type { ClusterName } from '../../clusters/served-clusters.ts';
import type { History } from '../../history/open-history.ts';
import { readRunningReleases } from '../../history/releases/running-releases.ts';
import { replayHistory } from '../../indexer/jobs/replay-history.ts';
import { type Registry, withSeasons } from '../../registry/registry.ts';
import { loadConfiguredRegistry, selectRegistry } from '../clusters/cluster-registry.ts';
import { followReleases } from '../clusters/watch-programs.ts';
import { createLocalnetRegistry } from '../localnet/localnet-registry.ts';
import { readSimulationPlan } from '../localnet/simulation-recorder.ts';
import { openHistoryOfOnlyWriter } from '../recording/open-cluster-history.ts';

/** Rebuilds all rows of a cluster's history from raw data. Returns a summary. */
export async function runReplay(config: Config): Promise<string> {
  const { log, close } = createServerLog(config);
  const env = config.rpcUrl.length === 0 ? 'localnet' : config.cluster;
  const history = await openHistoryOfOnlyWriter(config, env, log);
  try {
    const seasons = await readSeasons(seasonFilePath(config));
    const configured = await loadConfiguredRegistry(config, log);
    const recorded = configured === undefined ? await readPlanRegistry(history) : undefined;
    const registry = withSeasons(recorded ?? selectRegistry(env, configured), () => seasons);
    const rulesAt = await recordedRules(config, env, history);
    const { steps, transactions } = await replayHistory({ history, registry, rulesAt, log });
    return `Rebuilt all rows from ${steps} steps and ${transactions} transactions.`;
  } finally {
    await history.close();
    close();
  }
}

/** The rules of each slot: those of the releases that were seen to run, unless the settings name releases. */
async function recordedRules(config: Config, env: ClusterName, { db }: History): Promise<RulesAt> {
  const rules = followReleases({
    rulesAt: configuredRules(config, env),
    hasFixedRules: config.programReleases !== '',
  });
  rules.update({ releases: await readRunningReleases(db) });
  return rules.rulesAt;
}

/** The registry of the embedded cluster, if the history was simulated from a plan. */
async function readPlanRegistry(history: History): Promise<Registry | undefined> {
  const plan = await readSimulationPlan(history);
  return plan && createLocalnetRegistry(metadataOfPlan(plan));
}
