import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, Logger, Slot } from '@tidegate/core/base';
import type { AccountKind, ClusterState } from '@tidegate/core/state';
import type { AccountUpdate, ChainSource } from '../../../chain/source/chain-source.ts';
import type { EndpointWitness } from '../../../chain/source/endpoint-witness.ts';
import { CodedError, hasCode } from '../../../errors.ts';
import type { SlotQueue } from '../slot-queue.ts';
import { type AgreementStatus, DisputedAccounts } from './disputed-accounts.ts';
import {
  type AccountReading,
  type EndpointReadings,
  isSameAccount,
  newestSlot,
  readFromEach,
} from './endpoint-readings.ts';
import { type JudgedAccount, judgeAccount, STREAM, type StreamedContent } from './judge-account.ts';
import { isTooShort } from './known-sizes.ts';
import type { SourceDoubt } from './source-doubt.ts';
import { StreamedAccounts } from './streamed-accounts.ts';

type AccountAgreementOptions = {
  readonly source: Pick<ChainSource, 'name' | 'getAccounts' | 'getAccountsAgain' | 'witnesses'>;
  readonly state: ClusterState;
  readonly queue: Pick<SlotQueue, 'completeSlot' | 'waitForSlot'>;
  readonly log: Logger;
};

type CompareOptions = {
  /** Also reads from endpoints that were set aside, to use them again if they are right. */
  readonly withSetAside?: boolean;
  /** State does not advance before the comparison ends, so that it waits for the cluster alone. */
  readonly isStateHeld?: boolean;
};

/** A cluster that halts delays a comparison by at most this multiple of the usual time. */
const WAIT_FACTOR = 2;
/** Accounts of one request. */
const BATCH = 100;
/** Accounts of a wrong endpoint that decide when it is right again. */
const MAX_WRONG = 50;

/**
 * Compares accounts of the endpoints with each other and with what the stream has sent. An endpoint that a majority
 * contradicts is set aside until it returns the same accounts as the others.
 */
export class AccountAgreement {
  readonly streamed = new StreamedAccounts();
  readonly #options: AccountAgreementOptions;
  readonly #findings = new DisputedAccounts();
  /** Accounts that an endpoint returned wrong, by its name. */
  readonly #wrong = new Map<string, Set<Address>>();
  #onSetAside: ((endpoint: string) => readonly AccountKind[]) | undefined;

  constructor(options: AccountAgreementOptions) {
    this.#options = options;
  }

  status(): AgreementStatus {
    return this.#findings.status();
  }

  /** The same array until one of them changes. */
  doubts(): readonly SourceDoubt[] {
    return this.#findings.doubts();
  }

  /** Accounts that the next comparison should include. */
  open(): readonly Address[] {
    const wrong = [...this.#wrong.values()].flatMap((addresses) => [...addresses]);
    return [...new Set([...this.#findings.addresses(), ...wrong])].slice(0, BATCH);
  }

  /** Whether there are endpoints to compare. */
  get hasSecond(): boolean {
    return this.#endpoints().length > 1;
  }

  /** Called when state may have accounts of a wrong endpoint; returns the kinds that are in doubt until `noteRechecked`. */
  recheckWith(onSetAside: (endpoint: string) => readonly AccountKind[]): void {
    this.#onSetAside = onSetAside;
  }

  /** All accounts of the kind were compared with the endpoints that are used. */
  noteRechecked(kind: AccountKind): void {
    this.#findings.noteRechecked(kind);
  }

  /**
   * Whether an account is shorter than all accounts of its kind, while state has it: programs enlarge accounts and never
   * shorten them. State keeps what it has, in doubt, until endpoints agree.
   */
  refuses({ address, account, slot }: AccountUpdate, kind: AccountKind): boolean {
    const { source, state } = this.#options;
    if (account === undefined || !isTooShort(kind, account)) return false;
    if (state.stored(address) === undefined) return false;
    const detail = `${address} was returned with ${account.data.length} bytes, which is too short`;
    if (this.#findings.add(address, { kind, since: slot, detail })) {
      source.witnesses?.noteMalformed(source.name, detail);
    }
    return true;
  }

  /** State has an account of which nothing is in doubt. */
  noteApplied(address: Address): void {
    this.#findings.resolve(address);
  }

  /** Compares accounts at a slot that is not before `minSlot`. */
  async compare(
    addresses: readonly Address[],
    minSlot: Slot,
    { withSetAside = false, isStateHeld = false }: CompareOptions = {},
  ): Promise<readonly JudgedAccount[]> {
    const readings = await readFromEach({
      endpoints: this.#endpoints().filter(({ isSetAside }) => withSetAside || !isSetAside),
      addresses,
      minSlot,
      isStrange: (address, last) => this.#isStrange(address, last),
      waitForSlot: (slot, newest) =>
        isStateHeld ? this.#pause(slot - newest) : this.#waitForSlot(slot),
    });
    // what the stream has sent says something of these slots, too
    if (!isStateHeld && isRepeated(readings)) await this.#waitForSlot(newestSlot(readings));
    const judged = addresses.map((address) =>
      judgeAccount(address, readings, this.#streamedContent(address)),
    );
    this.#findings.count(judged.length, judged.filter(({ wrong }) => wrong.size > 0).length);
    for (const each of judged) this.#noteVerdict(each);
    this.#setAside(judged, readings);
    this.#restore(judged, readings);
    return judged;
  }

  /**
   * Requires of a read that follows a gap that another endpoint confirms some of what contradicts the stream; of a single
   * endpoint, that it returns the same again. `readSlot`: no account was read later. Throws SOURCE_UNAVAILABLE.
   */
  async confirm(updates: readonly AccountUpdate[], readSlot: Slot): Promise<void> {
    const { source, state } = this.#options;
    const contradicting = updates
      .filter(({ address, account }) => {
        return this.streamed.isNewest(address, state) && !this.#holds(address, account);
      })
      .slice(0, BATCH);
    if (contradicting.length === 0) return;
    const again = source.getAccountsAgain ?? source.getAccounts;
    const addresses = contradicting.map(({ address }) => address);
    const { accounts } = await again.call(source, addresses, readSlot);
    const refuted = addresses.filter((address, i) => this.#holds(address, accounts[i]));
    if (refuted.length === 0) return;
    // sets an endpoint aside if that is certain, so that the read is repeated at another one
    await this.compare(refuted, readSlot, { isStateHeld: true });
    const reason = `its accounts after a gap contradict the stream and a second read, such as ${refuted[0]}`;
    source.witnesses?.noteWrong(source.name, reason);
    throw new CodedError('SOURCE_UNAVAILABLE', { source: source.name, reason });
  }

  #endpoints(): readonly EndpointWitness[] {
    const { source } = this.#options;
    const all = source.witnesses?.all() ?? [];
    if (all.length > 0) return all;
    const nothing = () => undefined;
    return [
      {
        name: source.name,
        isSetAside: false,
        getAccounts: (...request) => source.getAccounts(...request),
        setAside: nothing,
        restore: nothing,
      },
    ];
  }

  /** Endpoints differ, or the only one differs from state. */
  #isStrange(address: Address, last: readonly AccountReading[]): boolean {
    const [first, ...others] = last;
    if (first === undefined) return false;
    if (others.length === 0) return !this.#holds(address, first.account);
    return others.some(({ account }) => !isSameAccount(account, first.account));
  }

  #holds(address: Address, account: AccountReading['account']): boolean {
    const { state } = this.#options;
    if (account === undefined) return state.stored(address) === undefined;
    return state.holds(address, account);
  }

  /** Undefined unless what state has of the account came from a stream. */
  #streamedContent(address: Address): StreamedContent | undefined {
    const { state, queue } = this.#options;
    const from = this.streamed.slotOf(address);
    if (from === undefined || !this.streamed.isNewest(address, state)) return undefined;
    const { completeSlot } = queue;
    const to = completeSlot > from ? completeSlot : from;
    return { holds: (account) => this.#holds(address, account), from, to };
  }

  async #pause(slots: bigint): Promise<void> {
    await sleep(this.#msOf(Number(slots)), undefined, { ref: false });
  }

  #msOf(slots: number): number {
    const { numerator, denominator } = this.#options.state.slotMs();
    return (slots * Number(numerator)) / Number(denominator);
  }

  async #waitForSlot(slot: Slot): Promise<void> {
    const { queue } = this.#options;
    const slots = Math.max(1, Number(slot - queue.completeSlot));
    try {
      await queue.waitForSlot(slot, WAIT_FACTOR * this.#msOf(slots));
    } catch (error) {
      if (!hasCode(error, 'STALE_READ')) throw error;
    }
  }

  #noteVerdict({ address, account, verdict, slot }: JudgedAccount): void {
    const { source, state, log } = this.#options;
    const kind = state.kindOf(address);
    if (verdict !== 'disputed') {
      if (verdict === 'confirmed' || this.#holds(address, account)) this.#findings.resolve(address);
      return;
    }
    if (kind === undefined) return;
    const detail = `the endpoints return different accounts of ${address}`;
    if (!this.#findings.add(address, { kind, since: slot, detail })) return;
    source.witnesses?.noteWrong(source.name, `${detail}, and no other source decides`);
    log.error({ address, kind, slot }, 'endpoints contradict each other');
  }

  #setAside(judged: readonly JudgedAccount[], readings: EndpointReadings): void {
    const { source, log } = this.#options;
    const isOnly = [...readings.keys()].filter(({ isSetAside }) => !isSetAside).length === 1;
    for (const endpoint of readings.keys()) {
      const { name } = endpoint;
      const wrong = judged.filter((each) => each.wrong.has(name)).map(({ address }) => address);
      const [first] = wrong;
      if (first === undefined) continue;
      const known = this.#wrong.get(name) ?? new Set();
      this.#wrong.set(name, new Set([...known, ...wrong].slice(-MAX_WRONG)));
      if (endpoint.isSetAside) continue;
      const reason = `its account ${first} differs from that of ${othersOf(name, readings)}`;
      if (isOnly) {
        this.#wrong.delete(name);
        source.witnesses?.noteWrong(name, reason);
        log.warn({ source: name, reason }, 'endpoint contradicts itself');
        continue;
      }
      endpoint.setAside(reason);
      const kinds = this.#onSetAside?.(name) ?? [];
      const detail = `${name} returned wrong accounts; all are compared with other endpoints`;
      this.#findings.recheck(kinds, { since: newestSlot(readings), detail });
    }
  }

  /** An endpoint is used again when it agrees on everything, also on what it returned wrong before. */
  #restore(judged: readonly JudgedAccount[], readings: EndpointReadings): void {
    const compared = new Set(judged.map(({ address }) => address));
    for (const endpoint of readings.keys()) {
      const { name, isSetAside } = endpoint;
      const wrong = this.#wrong.get(name) ?? new Set();
      const isRight = judged.every((each) => !each.wrong.has(name));
      if (!isSetAside || !isRight || [...wrong].some((address) => !compared.has(address))) continue;
      this.#wrong.delete(name);
      endpoint.restore();
    }
  }
}

const isRepeated = (readings: EndpointReadings): boolean =>
  [...readings.values()].some((accounts) => [...accounts.values()].some((each) => each.length > 1));

const othersOf = (name: string, readings: EndpointReadings): string => {
  const others = [...readings.keys()].filter((each) => each.name !== name && !each.isSetAside);
  return others.length > 1 ? 'the other endpoints' : `${others[0]?.name ?? ''} and ${STREAM}`;
};
