import type { Logger } from '@tidegate/core/base';
import type { ForkOptions } from '../fork/origin-accounts.ts';

/** How a cluster for tests starts. Everything is optional. */
export type SandboxOptions = {
  /** All addresses, keys and prices derive from it. Default: `tidegate`. */
  readonly seed?: string;
  /**
   * Days of simulated history. 0, the default: markets, vaults, farms, prices and funded wallets, but no positions yet; it
   * starts in about half a second, after loading. One day takes a second or two and has loans, vault holders and rewards.
   */
  readonly days?: number;
  /**
   * The time at which the chain starts, in milliseconds since 1970. Default: now. With it, seed and days give the same
   * bytes on any machine.
   */
  readonly untilMs?: number;
  /**
   * `wall`, the default: a slot closes every 300 ms. `on-demand`: a slot closes at once when a transaction arrives or a
   * method of the sandbox changes something, and only then; every commitment sees the newest slot.
   */
  readonly clock?: 'wall' | 'on-demand';
  /** Speed of the wall clock. Default: 1. */
  readonly speed?: number;
  /** Whether a bot liquidates unhealthy loans. Default: false. */
  readonly liquidationBot?: boolean;
  /** Whether the simulated wallets stay active. Default: false. */
  readonly backgroundActivity?: boolean;
  /** RPC port on loopback; WebSockets are also served on the next one. Default: any free port, for both. */
  readonly port?: number;
  /**
   * Releases of the programs that the built-in model follows, such as `klend@1.16,kvault@2.1.1`; by default the newest.
   * With a slot, a release replaces the one before it in that slot: `klend@1.24,klend@1.25:440486775`. `mainnet` stands for
   * the releases that mainnet ran in each slot.
   * Or a folder with binaries, which run instead of the model and need the package `litesvm`.
   */
  readonly programs?: string;
  /** Stores the cluster in a folder, from which the next start continues. Default: nothing is stored. */
  readonly dataFolder?: string;
  /** Starts with the accounts of another cluster instead of generated ones; each is read when it is first needed. */
  readonly fork?: ForkOptions;
  readonly log?: Logger;
};
