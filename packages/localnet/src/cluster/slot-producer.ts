import {
  type Address,
  type ChainTime,
  CLOCK_SYSVAR,
  type ClusterAccount,
  type Logger,
  type Slot,
} from '@tidegate/core/base';
import { clockAccount } from '../runtime/clock-account.ts';
import type { LocalCluster } from './cluster.ts';
import { Keepers } from './keepers.ts';
import { ProgramUpgrades } from './program-upgrades.ts';
import { stakePoolRewards } from './stake-pool-rewards.ts';

/** Old transactions compressed per slot. */
const PACKED_PER_SLOT = 20;

export type ClosingSlot = {
  readonly slot: Slot;
  /** Accounts written through the controls, not by transactions or keepers. */
  readonly writtenAddresses: readonly Address[];
  /** Whether a caller requested the slot and waits for it. */
  readonly isRequested: boolean;
};

/** Acts in the open slot, which closes at the given time. */
type SlotActivity = { run(time: ChainTime): void };

export type SlotProducerOptions = {
  readonly cluster: LocalCluster;
  readonly log: Logger;
  /** Simulated wallets that act while the cluster runs. */
  readonly backgroundActivity?: SlotActivity;
  /** Liquidates unhealthy loans while it is on. */
  readonly liquidationBot?: SlotActivity;
  /** Whether the bot is on at first; on by default. */
  readonly isLiquidationBotOn?: boolean;
  /** Called before a slot closes, and before subscribers are notified. */
  readonly onSlotClosing?: (closing: ClosingSlot) => void;
  readonly onSlotClosed?: () => void;
};

const NO_ACCOUNTS: ReadonlyMap<Address, ClusterAccount> = new Map();

/** Closes slots: the clock, stake pools, keepers and bots first, then the transactions that were sent. */
export class SlotProducer {
  readonly keepers: Keepers;
  readonly upgrades: ProgramUpgrades;
  isLiquidationBotOn: boolean;
  readonly #options: SlotProducerOptions;
  readonly #isForked: boolean;

  /** In a fork nothing but transactions and prices changes. */
  constructor(options: SlotProducerOptions, isForked: boolean) {
    const { cluster, log, isLiquidationBotOn = true } = options;
    const { bank, seed, rulesAt } = cluster;
    this.#options = options;
    this.#isForked = isForked;
    this.isLiquidationBotOn = isLiquidationBotOn;
    this.upgrades = new ProgramUpgrades({ ...cluster, isForked });
    const deployments = cluster.deploymentsAt?.(bank.slot) ?? [];
    const hasBinaries = deployments.some(({ version }) => version === undefined);
    this.keepers = new Keepers({ bank, seed, rulesAt, log, isForked, hasBinaries });
  }

  /** Keeper and strategy errors are logged; the slot closes regardless. */
  close(slot: Slot, isRequested = false): void {
    const { cluster, backgroundActivity, liquidationBot } = this.#options;
    const { bank, transactions } = cluster;
    const time = bank.timeOf(slot);
    const writtenAddresses = bank.pendingAddresses();
    bank.setAccount(CLOCK_SYSVAR, clockAccount(time));
    const rewards = this.#isForked ? NO_ACCOUNTS : stakePoolRewards(bank, time);
    for (const [address, account] of rewards) bank.setAccount(address, account);
    this.#tryStep(slot, 'keepers failed', () => this.keepers.run(time));
    if (slot === bank.slot + 1n) {
      this.#tryStep(slot, 'background activity failed', () => backgroundActivity?.run(time));
      if (this.isLiquidationBotOn)
        this.#tryStep(slot, 'liquidation bot failed', () => liquidationBot?.run(time));
    }
    transactions.executePending(time);
    const upgraded = this.upgrades.run(slot);
    transactions.ledger.packOld(PACKED_PER_SLOT);
    this.#options.onSlotClosing?.({
      slot,
      writtenAddresses: [...writtenAddresses, ...rewards.keys(), ...upgraded],
      isRequested,
    });
    bank.close(slot);
    this.#options.onSlotClosed?.();
  }

  #tryStep(slot: Slot, errorMessage: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.log.error({ slot, error }, errorMessage);
    }
  }
}
