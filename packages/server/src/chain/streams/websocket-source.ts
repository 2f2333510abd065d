import {
  type Address,
  type ChainTime,
  CLOCK_SYSVAR,
  type ClusterAccount,
  type Commitment,
  decodeClockSysvar,
  type Slot,
  toAddress,
  toSlot,
} from '@tidegate/core/base';
import { CodedError, hasCode } from '../../errors.ts';
import { parseEndpointUrl } from '../endpoints/endpoint-url.ts';
import type { SlotWitness } from '../endpoints/slot-witnesses.ts';
import {
  parseAccountValue,
  parseNamedFields,
  type RpcAccountEncoding,
} from '../rpc/parse-account.ts';
import {
  malformedData,
  requireContextSlot,
  requireObject,
  requireString,
} from '../rpc/response-values.ts';
import { toRpcFilter } from '../rpc/rpc-filter.ts';
import type { AccountUpdate, ProgramScan, TransactionNotice } from '../source/chain-source.ts';
import { parseAccountOf } from '../source/malformed-accounts.ts';
import { matchesScan } from '../source/matches-scan.ts';
import type { SourceAlarms } from '../source/source-alarms.ts';
import type { AccountsTarget, Stream, StreamListener, StreamSource } from '../source/stream.ts';
import { ClockFallback, type ClockFallbackOptions } from './clock-fallback.ts';
import { ClockProgress } from './clock-progress.ts';
import { type OnNotification, RpcSocket } from './rpc-socket.ts';
import { SocketCluster, type SocketClusterOptions } from './socket-cluster.ts';

export type WebSocketSourceOptions = {
  readonly url: URL;
  readonly commitment: Commitment;
  readonly timeoutMs?: number;
  readonly pingMs?: number;
  /** Delay from the start of a slot until the previous one is announced as complete. */
  readonly settleMs?: number;
  /** For endpoints that do not send the clock. */
  readonly fallback?: Pick<ClockFallbackOptions, 'readClock' | 'log' | 'timing'>;
  /** What the endpoint says of the newest slot. */
  readonly witness?: SlotWitness;
  /** How to compare its cluster with that of other endpoints; not compared if omitted. */
  readonly cluster?: SocketClusterOptions;
  readonly alarms?: SourceAlarms;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
};

/** A cluster rolls back fewer slots. A clock that goes back further was wrong before, or is now. */
const MAX_ROLLBACK_SLOTS = 512n;

/** An update further ahead of the clock is invalid. It would make all later updates seem outdated. */
const MAX_LEAD_SLOTS = 150n;

/**
 * Streams updates over WebSocket. Nodes do not announce closed accounts of a subscribed program, because their owner has
 * changed, so subscribers must rescan the program periodically.
 */
export function createWebSocketSource(options: WebSocketSourceOptions): StreamSource {
  const url = parseEndpointUrl(options.url);
  const name = `ws ${url.host}`;
  const { commitment, timeoutMs = 10_000, pingMs = 5_000, settleMs = 50, fallback } = options;
  const { witness, alarms, now = () => performance.now() } = options;
  return {
    name,
    async open(listener) {
      const { onClosed } = listener;
      const socket = await RpcSocket.open({ url, name, timeoutMs, pingMs, onClosed, alarms });
      const cluster = options.cluster && new SocketCluster(socket, name, options.cluster);
      const clock =
        fallback && new ClockFallback({ ...fallback, socket, name, onSlot: listener.onSlot });
      const parts = { socket, listener, clock, cluster, progress: new ClockProgress(now) };
      const stream = new WebSocketStream({
        ...{ name, commitment, settleMs, witness, alarms },
        ...parts,
      });
      try {
        await cluster?.require();
        await stream.subscribeClock();
      } catch (error) {
        stream.close();
        throw error;
      }
      return stream;
    },
  };
}

type WebSocketStreamOptions = {
  readonly name: string;
  readonly socket: RpcSocket;
  readonly commitment: Commitment;
  readonly listener: StreamListener;
  readonly settleMs: number;
  readonly clock: ClockFallback | undefined;
  readonly cluster: SocketCluster | undefined;
  readonly progress: ClockProgress;
  readonly witness: SlotWitness | undefined;
  readonly alarms: SourceAlarms | undefined;
};

class WebSocketStream implements Stream {
  readonly #options: WebSocketStreamOptions;
  #newest: Slot | undefined;

  constructor(options: WebSocketStreamOptions) {
    this.#options = options;
  }

  /**
   * `slotSubscribe` announces slots before they reach the commitment, so this subscribes to the clock sysvar, which
   * changes in every slot. A node sends the updates of one slot in any order, so a slot is complete when the next one has
   * started. A short delay covers bursts of several slots.
   */
  async subscribeClock(): Promise<void> {
    let last: ChainTime | undefined;
    await this.#subscribe('account', [CLOCK_SYSVAR, {}], (result, text) => {
      const account = parseAccountValue(requireObject(result, 'notification')['value'], text);
      if (account === undefined) throw malformedData('clock account', 'it does not exist');
      this.#options.clock?.stop();
      const time = decodeClockSysvar(account);
      if (last !== undefined && time.slot < last.slot) {
        this.#rollBack(time.slot, last.slot);
        return;
      }
      if (time.slot === last?.slot || this.#leaps(time.slot)) return;
      if (last !== undefined) this.#noteProgress(last.slot, time.slot);
      if (last !== undefined) this.#announceLater(last);
      last = time;
      this.#newest = time.slot;
    });
  }

  #rollBack(slot: Slot, last: Slot): void {
    const { witness, listener, socket } = this.#options;
    witness?.report(slot);
    for (let dead = slot; dead <= last && last - slot <= MAX_ROLLBACK_SLOTS; ) {
      listener.onSlotDead?.(dead);
      dead = toSlot(dead + 1n);
    }
    // what was sent of the undone slots would count as newer; a new connection begins with reads of everything
    socket.fail(
      `its clock went back from slot ${last} to ${slot}: slots were rolled back, or a notification arrived again`,
    );
  }

  /** Updates of a slot that other sources have not reached would make all later ones seem outdated. */
  #leaps(slot: Slot): boolean {
    const { witness, alarms, name, socket } = this.#options;
    const leap = witness?.report(slot);
    if (leap === undefined) return false;
    alarms?.raise('leap', name, leap);
    socket.fail(leap);
    return true;
  }

  /** After a pause many slots may arrive at once. If no time has passed for them, their updates are missing. */
  #noteProgress(from: Slot, to: Slot): void {
    const { progress, alarms, name, listener } = this.#options;
    const ms = progress.advance(to - from);
    if (ms === undefined) return;
    const reason = `its clock went from slot ${from} to ${to} within ${ms} ms, so updates may be missing`;
    alarms?.raise('skipped-slots', name, reason);
    listener.onGap?.(reason);
  }

  subscribe(
    target: AccountsTarget,
    onUpdate: (update: AccountUpdate) => void,
  ): Promise<() => void> {
    if (target.kind === 'accounts') return this.#subscribeEach(target.addresses, onUpdate);
    const { program, filters } = target.scan;
    const params = [program, { filters: filters.map(toRpcFilter) }] as const;
    return this.#subscribe('program', params, (result, text) => {
      const { pubkey, account } = parseNamedFields(requireObject(result, 'notification')['value']);
      const address = toAddress(requireString(pubkey, 'address of an account'));
      const parsed = this.#parse(account, text, target.scan);
      onUpdate({ address, account: parsed, slot: this.#slotOf(result) });
    });
  }

  subscribeLogs(
    mentions: Address,
    onLogs: (notice: TransactionNotice) => void,
  ): Promise<() => void> {
    const { socket, commitment } = this.#options;
    const params = [{ mentions: [mentions] }, { commitment }];
    return socket.subscribe('logs', params, (result) => {
      const { signature, err } = requireObject(
        requireObject(result, 'notification')['value'],
        'logs',
      );
      const failed = err !== null && err !== undefined;
      const slot = this.#slotOf(result);
      onLogs({ slot, signature: requireString(signature, 'signature'), failed });
    });
  }

  async subscribeTransactions(): Promise<never> {
    const reason = 'WebSocket does not send whole transactions';
    throw new CodedError('SOURCE_REFUSES', { source: this.#options.name, reason });
  }

  close(): void {
    this.#options.clock?.stop();
    this.#options.cluster?.stop();
    this.#options.socket.close();
  }

  #announceLater({ slot, unix }: ChainTime): void {
    const { socket, listener, settleMs } = this.#options;
    setTimeout(() => {
      if (socket.isOpen) listener.onSlot(slot, unix);
    }, settleMs).unref();
  }

  /** Each address needs its own subscription. If one fails, all are cancelled. */
  async #subscribeEach(
    addresses: readonly Address[],
    onUpdate: (update: AccountUpdate) => void,
  ): Promise<() => void> {
    const requests = addresses.map((address) =>
      this.#subscribe('account', [address, {}], (result, text) => {
        const account = this.#parse(requireObject(result, 'notification')['value'], text);
        onUpdate({ address, account, slot: this.#slotOf(result) });
      }),
    );
    const results = await Promise.allSettled(requests);
    const unsubscribe = () => {
      for (const result of results) if (result.status === 'fulfilled') result.value();
    };
    const failed = results.find((result) => result.status === 'rejected');
    if (failed === undefined) return unsubscribe;
    unsubscribe();
    throw failed.reason;
  }

  /** Uses compression if the endpoint supports it. */
  async #subscribe(
    kind: 'account' | 'program',
    [subject, config]: readonly [string, Readonly<Record<string, unknown>>],
    onNotification: OnNotification,
  ): Promise<() => void> {
    const { socket, commitment } = this.#options;
    const send = (encoding: RpcAccountEncoding) => {
      const params = [subject, { ...config, encoding, commitment }];
      return socket.subscribe(kind, params, onNotification);
    };
    try {
      return await send('base64+zstd');
    } catch (error) {
      if (!hasCode(error, 'SOURCE_REFUSES')) throw error;
      return send('base64');
    }
  }

  /** `scan`: what the account must pass. */
  #parse(value: unknown, text: string, scan?: ProgramScan): ClusterAccount | undefined {
    const { name, alarms } = this.#options;
    return parseAccountOf({ name, alarms }, () => {
      const account = parseAccountValue(value, text);
      if (scan === undefined || account === undefined || matchesScan(scan, account)) return account;
      throw malformedData('notification', 'it contains an account of another subscription');
    });
  }

  #slotOf(result: unknown): Slot {
    const slot = requireContextSlot(result);
    if (this.#newest !== undefined && slot > this.#newest + MAX_LEAD_SLOTS) {
      throw malformedData(
        'notification',
        `it is for slot ${slot}, but the last slot was ${this.#newest}`,
      );
    }
    this.#options.clock?.noteUpdate(slot);
    return slot;
  }
}
