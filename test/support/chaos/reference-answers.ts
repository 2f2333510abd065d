import type { Address } from '#core/base/encoding/address.ts';
import { type ChainTime, type Slot, toSlot } from '#core/base/time.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { slotMsAt } from '#localnet/runtime/slot-time.ts';
import { createApp } from '#server/app.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { staticCluster } from '../golden/golden-clusters.ts';
import { appDefaults } from '../http/test-api.ts';
import { type ChaosCluster, changesOf } from './chaos-cluster.ts';

const VAULTS_PATH = '/kvaults/vaults/';

/**
 * Whether the answer comes from one account and does not depend on the time. Prices do not: where an oracle's price is
 * too old, that of a reserve is served.
 */
export const isOfOneAccount = (path: string): boolean => path.startsWith(VAULTS_PATH);

/** Slots whose answers are stored, about four minutes. */
const RETAINED_SLOTS = 600n;

/**
 * What the present reads must answer at each slot, computed from the accounts of the cluster without any of the ways
 * that they take to a server: RPC, WebSocket, indexer and feed. A slot that was undone and repeated has several answers.
 */
export class ReferenceAnswers {
  readonly paths: readonly string[];
  readonly #cluster: ChaosCluster;
  readonly #answers = new Map<Slot, Map<string, Set<string>>>();
  readonly #app;
  #state: ClusterState;
  #appliedSlot: Slot;
  #rollBacks = 0;
  #computing: Promise<void> = Promise.resolve();

  constructor(cluster: ChaosCluster) {
    const { metadata } = cluster.simulated;
    this.#cluster = cluster;
    this.paths = listPaths(cluster);
    this.#state = this.#loadState();
    this.#appliedSlot = cluster.localnet.bank.slot;
    const served = staticCluster({
      reader: this.#state,
      registry: createLocalnetRegistry(metadata),
    });
    const current = () => this.#state;
    const clusters = createClusters([
      {
        ...served,
        get reader() {
          return current();
        },
      },
    ]);
    const log = { ...silentLog };
    this.#app = createApp({ ...appDefaults(), clusters, log, logRequest: () => undefined });
    cluster.localnet.bank.onSlot(() => this.#onSlot());
  }

  /** The answers that are right for the path at the slot; undefined if the slot is not one of the last minutes. */
  async at(slot: Slot, path: string): Promise<ReadonlySet<string> | undefined> {
    await this.#computing;
    return this.#answers.get(slot)?.get(path);
  }

  /** The slots whose answer it is. */
  async slotsOf(path: string, text: string): Promise<readonly Slot[]> {
    await this.#computing;
    return [...this.#answers].flatMap(([slot, byPath]) =>
      byPath.get(path)?.has(text) ? slot : [],
    );
  }

  async close(): Promise<void> {
    await this.#computing;
    await this.#app.close();
  }

  #loadState(): ClusterState {
    const { bank } = this.#cluster.localnet;
    const state = new ClusterState({ log: silentLog });
    for (const { address, account } of bank.accounts()) {
      state.apply({ address, account, slot: bank.slot });
    }
    for (const { fields } of state.vaults()) state.setSharesComplete(fields.sharesMint, true);
    const time = bank.timeOf(bank.slot);
    state.setSlotMs({ numerator: slotMsAt(time), denominator: 1n });
    state.setAt(time);
    return state;
  }

  #onSlot(): void {
    const { bank } = this.#cluster.localnet;
    const { slot } = bank;
    const isRolledBack = bank.rollBacks.length > this.#rollBacks;
    this.#rollBacks = bank.rollBacks.length;
    const changes = isRolledBack
      ? []
      : changesOf(this.#cluster.simulated.cluster, this.#appliedSlot);
    const fresh = isRolledBack ? this.#loadState() : undefined;
    // what is confirmed may be a slot in which nothing was closed
    const skipped = slot > this.#appliedSlot + 1n ? toSlot(slot - 1n) : undefined;
    this.#appliedSlot = slot;
    this.#computing = this.#computing.then(async () => {
      if (skipped !== undefined && !isRolledBack) await this.#compute(bank.timeOf(skipped));
      if (fresh !== undefined) this.#state = fresh;
      for (const [address, account] of changes) this.#state.apply({ address, account, slot });
      await this.#compute(bank.timeOf(slot));
    });
  }

  async #compute(at: ChainTime): Promise<void> {
    this.#state.setAt(at);
    const bySlot = this.#answers.get(at.slot) ?? new Map<string, Set<string>>();
    this.#answers.set(at.slot, bySlot);
    for (const path of this.paths) {
      const { statusCode, body } = await this.#app.inject({ url: path });
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${body}`);
      bySlot.set(path, (bySlot.get(path) ?? new Set()).add(body));
    }
    this.#answers.delete(toSlot(at.slot - RETAINED_SLOTS));
  }
}

/** Present reads of every kind of account that change often. */
function listPaths({ simulated, localnet }: ChaosCluster): readonly string[] {
  const { markets, vaults, demo } = simulated.metadata;
  const [market] = markets;
  const used = vaults.filter(({ address }) => hasShares(localnet, address)).slice(0, 4);
  return [
    '/v2/svc-market',
    '/oracles/prices',
    `/svc-market/${market?.address}/reserves/metrics`,
    `/svc-market/${market?.address}/users/${demo.wallet}/obligations`,
    `/klend/loans/${demo.obligation}`,
    ...used.map(({ address }) => `${VAULTS_PATH}${address}`),
  ];
}

function hasShares({ bank }: ChaosCluster['localnet'], vault: Address): boolean {
  const account = bank.account(vault);
  return account !== undefined && vaultState.decode(account).sharesIssued > 0n;
}
