import { type ChainTime, type Slot, toSlot } from '#core/base/time.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { Faucet } from '#localnet/rpc/faucet.ts';
import { slotMsAt } from '#localnet/runtime/slot-time.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { receiveTransaction } from '#localnet/runtime/transactions/received-transaction.ts';
import { type SimulatedCluster, simulateCluster } from '#localnet/simulation/simulate-cluster.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { GeneratedAccounts } from './generated-accounts.ts';
import { MainnetNode } from './mainnet-node.ts';
import { MainnetRpcServer } from './mainnet-rpc-server.ts';
import type { NotificationFaultSettings } from './notification-faults.ts';
import { Traffic } from './traffic.ts';
import { WalletActivity } from './wallet-activity.ts';

const DAYS = 1;

export type MainnetOptions = {
  readonly seed: string;
  /** End of the simulated day. */
  readonly until: ChainTime;
  readonly loans: number;
  readonly farmUsers: number;
  /** The number of writes of a loan from one change of its position to the next. The others only refresh it. */
  readonly writesPerChange: number;
  /** Whether the node offers `getProgramAccountsV2`. */
  readonly hasPages: boolean;
};

/** Per second of the cluster's time. */
export type MainnetRates = {
  /** Writes of generated accounts. */
  readonly updates: number;
  /** Program transactions of simulated wallets. */
  readonly transactions: number;
};

/**
 * A simulated cluster of a day with one node, real transactions of simulated wallets, and generated loans and farm users
 * in any number. Slots close when `advance` is called, or by the clock after `startClock`.
 */
export class SimulatedMainnet {
  readonly simulated: SimulatedCluster;
  readonly localnet: Localnet;
  readonly generated: GeneratedAccounts;
  readonly activity: WalletActivity;
  readonly traffic = new Traffic();
  readonly #server: MainnetRpcServer;
  #port = 0;

  private constructor(options: MainnetOptions) {
    const { seed, until, hasPages } = options;
    const plan = { seed, days: DAYS, until };
    const executor = createModelExecutor(modelPrograms());
    this.simulated = simulateCluster(plan, { executor, log: silentLog });
    const { cluster } = this.simulated;
    this.activity = new WalletActivity(this.simulated, silentLog);
    this.localnet = new Localnet({
      cluster,
      plan,
      now: Date.now,
      log: silentLog,
      backgroundActivity: this.activity,
    });
    this.generated = new GeneratedAccounts({ ...options, bank: cluster.bank });
    const node = new MainnetNode({
      ...cluster,
      faucet: new Faucet(cluster),
      generated: this.generated,
    });
    this.#server = new MainnetRpcServer({
      node,
      controls: this.localnet,
      traffic: this.traffic,
      hasPages,
    });
  }

  static async start(options: MainnetOptions): Promise<SimulatedMainnet> {
    const mainnet = new SimulatedMainnet(options);
    mainnet.#port = await mainnet.#server.listen();
    return mainnet;
  }

  get rpcUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  /** The newest closed slot. */
  get slot(): Slot {
    return this.localnet.bank.slot;
  }

  startClock(): void {
    this.localnet.tick();
    this.localnet.start();
  }

  /** Closes the next slot, or skips some. */
  async advance(slots = 1): Promise<void> {
    await this.localnet.warp(BigInt(slots));
  }

  setRates({ updates, transactions }: MainnetRates): void {
    const { bank } = this.localnet;
    const slotSeconds = Number(slotMsAt(bank.timeOf(bank.slot))) / 1_000;
    this.generated.schedule.setRate(toSlot(this.slot + 1n), Math.round(updates * slotSeconds));
    this.activity.perSlot = transactions * slotSeconds;
  }

  setNotificationFaults(faults: NotificationFaultSettings): void {
    this.#server.sockets.faults = faults;
  }

  /** Closes all WebSockets and rejects new ones until `acceptSockets`. Returns how many there were. */
  dropSockets(): number {
    const { sockets } = this.#server;
    const { count } = sockets;
    sockets.isRejecting = true;
    sockets.dropAll();
    return count;
  }

  acceptSockets(): void {
    this.#server.sockets.isRejecting = false;
  }

  /** Undoes the last slots. Every other of their transactions is sent again; generated accounts are as they were. */
  async rollBack(slots: number): Promise<void> {
    const { slot } = this;
    const after = toSlot(slot - BigInt(slots));
    const dropped = [...this.simulated.cluster.transactions.ledger.between(after, slot)];
    this.#server.sockets.flush();
    await this.localnet.rollBack(BigInt(slots));
    this.generated.rollBack(after, slot);
    for (const { wire } of dropped.filter((_, i) => i % 2 === 0)) {
      this.localnet.transactions.submit(receiveTransaction(wire));
    }
  }

  /** The newest slot dies: it is never confirmed, and its successor follows its predecessor. */
  async loseSlot(): Promise<void> {
    const { slot } = this;
    await this.rollBack(1);
    this.generated.schedule.skip(slot);
    await this.advance(2);
  }

  async stop(): Promise<void> {
    await this.localnet.stop();
    await this.#server.close();
  }
}
