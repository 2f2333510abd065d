import type { Logger } from '@tidegate/core/base';
import { NEWEST_RULES, ReleaseOverlay, type RulesAt } from '@tidegate/core/protocol/releases';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import type { History } from '../../history/open-history.ts';
import { readRunningReleases } from '../../history/releases/running-releases.ts';
import type { ClusterPrograms } from '../../programs/cluster-programs.ts';
import { type ProgramTiming, ProgramWatcher } from '../../programs/program-watcher.ts';

export type RulesConfig = {
  /** The rules of the programs, unless they run other releases; by default those of the newest ones. */
  readonly rulesAt?: RulesAt;
  /** Whether `rulesAt` counts whatever the programs run. */
  readonly hasFixedRules?: boolean;
};

/** The rules of a cluster, which follow the releases that its programs run. */
export function followReleases({ rulesAt = () => NEWEST_RULES, hasFixedRules }: RulesConfig) {
  const overlay = new ReleaseOverlay(rulesAt);
  return {
    rulesAt: overlay.rulesAt,
    /** Returns whether the rules are others than before. */
    update: ({ releases }: Pick<ClusterPrograms, 'releases'>): boolean =>
      hasFixedRules !== true && overlay.set(releases),
  };
}

type WatchOptions = {
  readonly source: ClusterSource;
  readonly onNewRules: () => void;
  readonly clock: () => number;
  readonly log: Logger;
  readonly timing?: { readonly programs?: Partial<ProgramTiming> };
};

/** Reads the programs of a cluster, whose rules follow the known releases that they run. */
export function watchPrograms(
  config: RulesConfig & { readonly env: string; readonly history?: History },
  { timing, onNewRules, ...options }: WatchOptions,
) {
  const rules = followReleases(config);
  const { history } = config;
  const watcher = new ProgramWatcher({
    ...options,
    readEarlier: history && (() => readRunningReleases(history.db)),
    cluster: config.env,
    timing: timing?.programs,
    onChange: (programs) => {
      if (rules.update(programs)) onNewRules();
    },
  });
  return { watcher, rulesAt: rules.rulesAt, runningPrograms: () => watcher.programs() };
}
