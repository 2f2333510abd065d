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
export type FollowedRules = {
  readonly rulesAt: RulesAt;
  /** Returns whether the rules are others than before. */
  update(programs: Pick<ClusterPrograms, 'releases'>): boolean;
};

export function followReleases({
  rulesAt = () => NEWEST_RULES,
  hasFixedRules,
}: RulesConfig): FollowedRules {
  const overlay = new ReleaseOverlay(rulesAt);
  return {
    rulesAt: overlay.rulesAt,
    update: ({ releases }) => hasFixedRules !== true && overlay.set(releases),
  };
}

type WatchOptions = {
  readonly source: ClusterSource;
  readonly rules: FollowedRules;
  readonly onNewRules: () => void;
  readonly clock: () => number;
  readonly log: Logger;
  readonly timing?: { readonly programs?: Partial<ProgramTiming> };
};

/** Reads the programs of a cluster, whose rules follow the known releases that they run. */
export function watchPrograms(
  { env, history }: { readonly env: string; readonly history?: History },
  { timing, rules, onNewRules, ...options }: WatchOptions,
): ProgramWatcher {
  return new ProgramWatcher({
    ...options,
    readEarlier: history && (() => readRunningReleases(history.db)),
    cluster: env,
    timing: timing?.programs,
    onChange: (programs) => {
      if (rules.update(programs)) onNewRules();
    },
  });
}
