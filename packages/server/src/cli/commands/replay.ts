import { factsOfPlan } from '@tidegate/localnet/genesis';
import type { History } from '../../history/open-history.ts';
import { replay } from '../../indexer/jobs/replay-history.ts';
import { emptyRegistry, type Registry, withSeasons } from '../../registry/registry.ts';
import { ownRegistry } from '../clusters/localnet-registry.ts';
import { openHistoryOf } from '../clusters/open-cluster-history.ts';
import { openRegistry } from '../clusters/open-clusters.ts';
import { readPlan } from '../clusters/simulation-recorder.ts';
import { readSeasons, seasonFilePath } from '../files/season-file.ts';
import { createServerLog } from '../logging/server-log.ts';
import type { Config } from '../settings/settings.ts';

/** Makes all rows of a cluster's history again from what was kept of it; says how much that was. */
export async function runReplay(config: Config): Promise<string> {
  const { log, close } = createServerLog(config);
  const env = config.rpcUrl.length === 0 ? 'localnet' : config.cluster;
  const history = await openHistoryOf(config, env, log);
  try {
    const seasons = await readSeasons(seasonFilePath(config));
    const known = (await openRegistry(config, log)) ?? (await registryOf(history));
    const registry = withSeasons(known, () => seasons);
    const { steps, transactions } = await replay({ history, registry, log });
    return `All rows were made again from ${steps} steps and ${transactions} transactions.`;
  } finally {
    await history.close();
    close();
  }
}

async function registryOf(history: History): Promise<Registry> {
  const plan = await readPlan(history);
  return plan === undefined ? emptyRegistry : ownRegistry(factsOfPlan(plan));
}
