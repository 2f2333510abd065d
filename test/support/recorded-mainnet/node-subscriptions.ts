import type { WebSocket } from 'ws';
import type { Address } from '#core/base/encoding/address.ts';
import { toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { CLOCK_SYSVAR } from '#core/base/solana/clock-sysvar.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import {
  type AccountConfig,
  accountJson,
  isKnownEncoding,
  matchesFilters,
} from './account-json.ts';
import {
  type FaultSwitches,
  methodNotFound,
  type Reply,
  type RpcRequest,
  rpcError,
  toJson,
} from './node-faults.ts';
import type { NodeState } from './node-state.ts';
import { mentionedAddresses, type RecordedTransaction, signatureOf } from './recorded-set.ts';

type Subscription = {
  readonly socket: WebSocket;
  readonly kind: 'account' | 'program' | 'slot' | 'logs';
  /** An address; empty for slots. */
  readonly subject: string;
  readonly config: AccountConfig;
};

const KINDS: Readonly<Record<string, Subscription['kind']>> = {
  accountSubscribe: 'account',
  programSubscribe: 'program',
  slotSubscribe: 'slot',
  logsSubscribe: 'logs',
};

/** How nodes announce a closed account. */
const CLOSED: ClusterAccount = { owner: ZERO_ADDRESS, lamports: 0n, data: new Uint8Array() };

/** The subscriptions of all WebSockets of a node. */
export class NodeSubscriptions {
  readonly #state: NodeState;
  readonly #faults: FaultSwitches;
  readonly #subscriptions = new Map<number, Subscription>();
  #lastId = 0;

  constructor(state: NodeState, faults: FaultSwitches) {
    this.#state = state;
    this.#faults = faults;
    state.listen({
      onAccount: ({ address, account }) => this.#announceAccount(address, account),
      onSlot: () => this.#announceSlot(),
      onTransaction: (transaction) => this.#announceLogs(transaction),
    });
  }

  /** The reply to a subscribe or unsubscribe request. */
  replyTo(request: RpcRequest, socket: WebSocket): Reply {
    const { method, params } = request;
    const failure = this.#faults.replyTo(request);
    if (failure !== undefined) return failure;
    if (method.endsWith('Unsubscribe')) {
      return { result: this.#subscriptions.delete(Number(params[0])) };
    }
    const kind = KINDS[method];
    if (kind === undefined) return methodNotFound();
    const [subject, options] = params;
    const config = (options ?? {}) as AccountConfig;
    if (!isKnownEncoding(config)) {
      return rpcError(-32_602, `Invalid params: unknown variant \`${config.encoding}\``);
    }
    this.#lastId += 1;
    this.#subscriptions.set(this.#lastId, { socket, kind, subject: subjectOf(subject), config });
    return { result: this.#lastId };
  }

  removeSocket(socket: WebSocket): void {
    for (const [id, each] of this.#subscriptions) {
      if (each.socket === socket) this.#subscriptions.delete(id);
    }
  }

  #announceAccount(address: Address, account: ClusterAccount | undefined): void {
    for (const [id, { kind, subject, config }] of this.#subscriptions) {
      if (kind === 'account' && subject === address) {
        this.#notify(id, this.#withContext(accountJson(account ?? CLOSED, config)));
      }
      // the owner of a closed account is another program, so its former program announces nothing
      if (kind === 'program' && account?.owner === subject && matchesFilters(account, config)) {
        const value = { pubkey: address, account: accountJson(account, config) };
        this.#notify(id, this.#withContext(value));
      }
    }
  }

  #announceSlot(): void {
    const slot = Number(this.#state.slot);
    const clock = this.#state.account(CLOCK_SYSVAR);
    if (clock !== undefined && !this.#faults.current.withoutClockNotifications) {
      this.#announceAccount(toAddress(CLOCK_SYSVAR), clock);
    }
    for (const [id, { kind }] of this.#subscriptions) {
      if (kind === 'slot') this.#notify(id, { parent: slot - 1, root: slot - 32, slot });
    }
  }

  #announceLogs(transaction: RecordedTransaction): void {
    const mentioned = mentionedAddresses(transaction);
    const { err, logMessages: logs } = transaction.meta;
    for (const [id, { kind, subject }] of this.#subscriptions) {
      if (kind !== 'logs' || !mentioned.includes(subject)) continue;
      this.#notify(id, this.#withContext({ signature: signatureOf(transaction), err, logs }));
    }
  }

  #withContext(value: unknown): unknown {
    return { context: { slot: Number(this.#state.slot) }, value };
  }

  #notify(subscription: number, result: unknown): void {
    const entry = this.#subscriptions.get(subscription);
    if (entry === undefined || this.#faults.current.silentSubscriptions) return;
    const method = `${entry.kind}Notification`;
    const params = { result, subscription };
    entry.socket.send(toJson({ jsonrpc: '2.0', method, params }));
  }
}

/** Log subscriptions name the address in `mentions`. */
function subjectOf(param: unknown): string {
  if (typeof param === 'string') return param;
  const { mentions = [] } = (param ?? {}) as { mentions?: readonly string[] };
  return mentions[0] ?? '';
}
