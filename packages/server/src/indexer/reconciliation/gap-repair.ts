import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, formatError, type Logger, type Slot, toSlot } from '@tidegate/core/base';
import { viewTransaction } from '@tidegate/core/views/transactions';
import type { LedgerReader, ListedTransaction } from '../../chain/source/ledger-reader.ts';
import { hasCode } from '../../errors.ts';
import type { History } from '../../history/open-history.ts';
import type { PositionKey } from '../../history/queries/position-kinds.ts';
import { readExistingSignatures } from '../../history/queries/transaction-signatures.ts';
import { decodeSignature } from '../events/event-rows.ts';
import { PAGE_SIGNATURES } from '../events/signature-pages.ts';
import type { RecordResult } from '../events/transaction-recorder.ts';
import type { OpenGap } from './open-gaps.ts';

export type GapRepairOptions = {
  readonly history: Pick<History, 'db'>;
  /** One per endpoint. */
  readonly ledgers: () => readonly LedgerReader[];
  readonly recorder: {
    record(
      listed: readonly ListedTransaction[],
      checkpoint: undefined,
      received: ReadonlyMap<string, unknown>,
    ): Promise<RecordResult>;
  };
  /** Accounts whose transactions are those of a position. */
  readonly accountsOf: (key: PositionKey) => readonly Address[];
  readonly gaps: () => readonly OpenGap[];
  /** Called after transactions were recorded. */
  readonly onRecorded: () => void;
  /** Called when every list and block was read and all of their transactions are recorded. */
  readonly onSearched: (gap: OpenGap) => void;
  /** A clock that never goes back, in milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
  readonly timing?: Partial<GapRepairTiming> | undefined;
};

export type GapRepairTiming = {
  /** How often gaps are looked for. */
  readonly pollMs: number;
  /** Pause before each attempt; the last one before all further ones. */
  readonly pausesMs: readonly number[];
};

const defaultTiming: GapRepairTiming = {
  pollMs: 500,
  pausesMs: [1_000, 2_000, 5_000, 15_000, 60_000, 300_000],
};

/** A state may be of a slot that is later than its transaction: this many slots before it are searched, more each time. */
const SLOTS_PER_ATTEMPT = 4;
const MAX_BLOCKS = 32;

/** A list goes back to the gap in at most this many pages. */
const MAX_PAGES = 20;

type Attempts = { readonly count: number; readonly nextAt: number };

/** Looks for the transactions that explain the state of a position: in the lists of its accounts, then in blocks. */
export class GapRepair {
  readonly #options: GapRepairOptions;
  readonly #timing: GapRepairTiming;
  readonly #attempts = new Map<string, Attempts>();
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #isFailureLogged = false;

  constructor(options: GapRepairOptions) {
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(this.#timing.pollMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.#attemptDue();
    }
  }

  async #attemptDue(): Promise<void> {
    const gaps = new Map(this.#options.gaps().map((gap) => [nameOf(gap), gap]));
    for (const name of this.#attempts.keys()) if (!gaps.has(name)) this.#attempts.delete(name);
    for (const [name, gap] of gaps) {
      if (this.#stopping.signal.aborted) return;
      const attempts = this.#attempts.get(name) ?? this.#schedule(name, 0);
      if (attempts.nextAt > this.#options.now()) continue;
      try {
        await this.#attempt(gap, attempts.count);
        this.#isFailureLogged = false;
      } catch (error) {
        this.#logFailure(error);
      }
      this.#schedule(name, attempts.count + 1);
    }
  }

  #schedule(name: string, count: number): Attempts {
    const { pausesMs } = this.#timing;
    const pause = pausesMs[Math.min(count, pausesMs.length - 1)] ?? 0;
    const attempts = { count, nextAt: this.#options.now() + pause };
    this.#attempts.set(name, attempts);
    return attempts;
  }

  async #attempt(gap: OpenGap, count: number): Promise<void> {
    const { onRecorded, onSearched } = this.#options;
    const lists = await this.#readLists(gap);
    const missing = await this.#selectUnstored(lists);
    const isListed = await this.#record(missing, new Map());
    if (missing.length > 0) return onRecorded();
    const blocks = await this.#readBlocks(gap, count);
    const unstored = await this.#selectUnstored([...blocks.listed.values()]);
    const isComplete = await this.#record(unstored, blocks.received);
    if (unstored.length > 0) return onRecorded();
    if (isListed && isComplete && blocks.isComplete) onSearched(gap);
  }

  /** What any endpoint lists for any account of the position since the gap. */
  async #readLists({ key, wallet, slot }: OpenGap): Promise<readonly ListedTransaction[]> {
    const found = new Map<string, ListedTransaction>();
    const addresses = [...new Set([...this.#options.accountsOf(key), wallet])];
    for (const ledger of this.#options.ledgers()) {
      for (const address of addresses) {
        for (const each of await this.#readList(ledger, address, slot)) {
          found.set(each.signature, each);
        }
      }
    }
    return [...found.values()];
  }

  async #readList(
    ledger: LedgerReader,
    address: Address,
    after: Slot,
  ): Promise<readonly ListedTransaction[]> {
    const found: ListedTransaction[] = [];
    let before: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = { address, limit: PAGE_SIGNATURES, ...(before !== undefined && { before }) };
      const listed = await ledger.listSignatures(query);
      found.push(...listed.filter(({ slot, failed }) => slot > after && !failed));
      const oldest = listed.at(-1);
      // a node that leaves some out has short pages
      if (oldest === undefined || oldest.slot <= after) break;
      before = oldest.signature;
    }
    return found;
  }

  async #selectUnstored(
    listed: readonly ListedTransaction[],
  ): Promise<readonly ListedTransaction[]> {
    const signatures = listed.map(({ signature }) => decodeSignature(signature));
    const stored = await readExistingSignatures(this.#options.history.db, signatures);
    const known = new Set(stored.map(({ signature }) => Buffer.from(signature).toString('hex')));
    return listed.filter(
      (_, index) => !known.has(Buffer.from(signatures[index] ?? []).toString('hex')),
    );
  }

  /** `received`: what blocks have of them. Returns whether a node has all of them. */
  async #record(
    listed: readonly ListedTransaction[],
    received: ReadonlyMap<string, unknown>,
  ): Promise<boolean> {
    if (listed.length === 0) return true;
    const { missing } = await this.#options.recorder.record(listed, undefined, new Map());
    if (missing.length === 0 || received.size === 0) return missing.length === 0;
    const last = await this.#options.recorder.record(missing, undefined, received);
    return last.missing.length === 0;
  }

  /** The transactions that mention an account of the position in the slots where it changed, and in some before them. */
  async #readBlocks({ key, changedSlots, slot: after }: OpenGap, count: number) {
    const accounts = new Set<string>(this.#options.accountsOf(key));
    const listed = new Map<string, ListedTransaction>();
    const received = new Map<string, unknown>();
    let isComplete = true;
    for (const slot of slotsToSearch(changedSlots, after, count)) {
      const block = await this.#readBlock(slot);
      if (block === undefined) isComplete = false;
      for (const response of block ?? []) {
        if (!mentions(response, accounts)) continue;
        const { signature, blockTime: at, failure } = viewTransaction(response);
        if (failure !== undefined) continue;
        listed.set(signature, { signature, slot, at, failed: false });
        received.set(signature, response);
      }
    }
    return { listed, received, isComplete };
  }

  /** Undefined if no endpoint has the block. */
  async #readBlock(slot: Slot): Promise<readonly unknown[] | undefined> {
    for (const ledger of this.#options.ledgers()) {
      const block = await ledger.getBlockTransactions(slot);
      if (block !== undefined) return block;
    }
    return undefined;
  }

  #logFailure(error: unknown): void {
    if (this.#isFailureLogged || hasCode(error, 'HISTORY_UNAVAILABLE')) return;
    this.#isFailureLogged = true;
    const reason = formatError(error);
    this.#options.log.warn({ reason }, 'missing transactions were not looked for');
  }
}

const nameOf = ({ key }: OpenGap): string => JSON.stringify(key);

function slotsToSearch(changed: readonly Slot[], after: Slot, count: number): readonly Slot[] {
  const slots = new Set<Slot>();
  for (let back = 0n; back < BigInt((count + 1) * SLOTS_PER_ATTEMPT); back++) {
    for (const slot of changed) {
      if (slots.size >= MAX_BLOCKS) return [...slots];
      if (slot - back > after) slots.add(toSlot(slot - back));
    }
  }
  return [...slots];
}

/** Whether the result of `getTransaction` names one of the accounts. */
function mentions(response: unknown, accounts: ReadonlySet<string>): boolean {
  const text = JSON.stringify(response);
  for (const account of accounts) if (text.includes(account)) return true;
  return false;
}
