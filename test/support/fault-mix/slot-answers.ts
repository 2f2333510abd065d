import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { type Slot, toSlot } from '#core/base/time.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { slotMsAt } from '#localnet/runtime/slot-time.ts';
import { createApp } from '#server/app.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { staticCluster } from '../golden/golden-clusters.ts';
import { appDefaults } from '../http/test-api.ts';
import type { ActiveCluster } from '../proof/active-cluster.ts';

type Accounts = ReadonlyMap<Address, ClusterAccount>;
export type Answer = { readonly status: number; readonly text: string };

/**
 * What reads must answer at each slot, computed from the accounts of the cluster, without RPC, WebSocket and indexer. A slot
 * that was rolled back has several answers.
 */
export class SlotAnswers {
  readonly #cluster: ActiveCluster;
  /** Accounts at the end of slots, in the order in which they were closed. */
  readonly #closed: { readonly slot: Slot; readonly accounts: Accounts }[] = [];
  readonly #answers = new Map<Accounts, Map<string, Answer>>();
  readonly #app;
  #state: ClusterState = new ClusterState({ log: silentLog });
  #current: string | undefined;
  #version = 0;
  #computing: Promise<unknown> = Promise.resolve();

  constructor(cluster: ActiveCluster) {
    this.#cluster = cluster;
    const current = () => this.#state;
    const served = staticCluster({
      reader: this.#state,
      registry: createLocalnetRegistry(cluster.metadata),
    });
    const clusters = createClusters([
      {
        ...served,
        get reader() {
          return current();
        },
      },
    ]);
    const options = { ...appDefaults(), clusters, log: { ...silentLog } };
    this.#app = createApp({ ...options, logRequest: () => undefined });
    this.#store();
    cluster.localnet.bank.onSlot(() => this.#store());
  }

  /** The answers that are right for a path at a slot: one, unless the slot was rolled back. */
  async at(slot: bigint, path: string): Promise<readonly Answer[]> {
    const forks = this.#forksAt(slot);
    return Promise.all(forks.map((accounts) => this.#answer(toSlot(slot), accounts, path)));
  }

  /** Whether the answer is right at this slot or a later one. */
  async isRightSince(slot: bigint, path: string, text: string): Promise<boolean> {
    const { bank } = this.#cluster.localnet;
    for (let each = slot; each <= bank.slot; each++) {
      if ((await this.at(each, path)).some((answer) => answer.text === text)) return true;
    }
    return false;
  }

  async close(): Promise<void> {
    await this.#computing;
    await this.#app.close();
  }

  #store(): void {
    const { bank } = this.#cluster.localnet;
    const accounts = new Map(
      [...bank.accounts()].map(({ address, account }) => [address, account] as const),
    );
    this.#closed.push({ slot: bank.slot, accounts });
  }

  /** The accounts at the end of the slot, of each fork. */
  #forksAt(slot: bigint): readonly Accounts[] {
    const forks: Accounts[] = [];
    let newest: Accounts | undefined;
    let last = -1n;
    for (const { slot: closed, accounts } of this.#closed) {
      // a rollback ends a fork that reached the slot
      if (closed <= last && last >= slot && newest !== undefined) forks.push(newest);
      if (closed <= slot) newest = accounts;
      last = closed;
    }
    if (newest !== undefined && last >= slot) forks.push(newest);
    return [...new Set(forks)];
  }

  #answer(slot: Slot, accounts: Accounts, path: string): Promise<Answer> {
    const answers = this.#answers.get(accounts) ?? new Map<string, Answer>();
    this.#answers.set(accounts, answers);
    const key = `${slot} ${path}`;
    const known = answers.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const answer = this.#computing.then(async () => {
      this.#load(slot, accounts);
      const { statusCode, body } = await this.#app.inject({ url: path });
      const computed = { status: statusCode, text: body };
      answers.set(key, computed);
      return computed;
    });
    this.#computing = answer.catch(() => undefined);
    return answer;
  }

  #load(slot: Slot, accounts: Accounts): void {
    const index = this.#closed.findIndex((each) => each.accounts === accounts);
    const key = `${slot} ${index}`;
    if (key === this.#current) return;
    this.#current = key;
    const state = new ClusterState({ log: silentLog });
    for (const [address, account] of accounts) state.apply({ address, account, slot });
    for (const { fields } of state.vaults()) state.setSharesComplete(fields.sharesMint, true);
    const time = this.#cluster.localnet.bank.timeOf(slot);
    state.setSlotMs({ numerator: slotMsAt(time), denominator: 1n });
    state.setAt(time);
    this.#state = withVersion(state, ++this.#version);
  }
}

/** Responses are cached by version, and each state counts from the start. */
const withVersion = (state: ClusterState, version: number): ClusterState =>
  new Proxy(state, {
    get(target, name) {
      if (name === 'version' || name === 'versionOf') return () => version;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
