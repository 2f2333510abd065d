import {
  type Address,
  type Ratio,
  ratioOfUnits,
  type Slot,
  toSlot,
  toUnixSeconds,
  type UnixSeconds,
} from '@tidegate/core/base';
import type { ClusterReader } from '@tidegate/core/state';
import { vaultEventInstructions } from '@tidegate/core/views/transactions';
import { EVENTS_CHECKPOINT } from '../history/checkpoint-names.ts';
import { lendingEventKinds, vaultEventKinds } from '../history/event-kinds.ts';
import { readCheckpoint, readGaps } from '../history/queries/checkpoints.ts';
import { readEventsFrom } from '../history/queries/event-coverage.ts';
import type { HistoryReader } from '../history/queries/history-reader.ts';
import {
  readRecentLendingEvents,
  readRecentVaultEvents,
} from '../history/queries/recent-events.ts';
import type { EventRow } from '../history/schema/event-tables.ts';

/** The number of events in memory. */
export const MAX_RECENT_EVENTS = 100;

/** What wallets do with tokens, without the accompanying events of the same transactions. */
const lendingKinds = ['deposit', 'withdraw', 'borrow', 'repay', 'liquidate'] as const;
const vaultKinds = ['deposit', 'buy', 'withdraw', 'sell', 'withdrawFromAvailable'] as const;

export type RecentEvent = {
  readonly product: 'lending' | 'vault';
  readonly instruction: string;
  readonly at: UnixSeconds;
  readonly signature: Uint8Array;
  /** The reserve or the vault; null for a liquidation whose reserve is not recorded. */
  readonly account: Address | null;
  readonly wallet: Address | null;
  readonly mint: Address | null;
  /** Whole tokens; undefined if the event has no amount. */
  readonly tokenAmount: Ratio | undefined;
};

export type RecentEvents = {
  /** All events in this time are recorded; `since` is 0 if none is missing before it. */
  readonly since: UnixSeconds;
  readonly until: UnixSeconds;
  /** Newest first. */
  readonly events: readonly RecentEvent[];
};

export type RecentEventsReader = {
  read(): Promise<RecentEvents>;
  /** Increases with every change. */
  version(): number;
};

type RecentEventsOptions = {
  readonly history: HistoryReader;
  readonly reader: Pick<ClusterReader, 'markets' | 'reserve' | 'vault'>;
};

/** The newest events of all markets and vaults. Read from the database once per change. */
export class RecentEventsCache implements RecentEventsReader {
  readonly #options: RecentEventsOptions;
  #version = 0;
  #loaded: { readonly version: number; readonly events: Promise<LoadedEvents> } | undefined;

  constructor(options: RecentEventsOptions) {
    this.#options = options;
  }

  version = (): number => this.#version;

  /** Call it after events were recorded or removed. */
  invalidate = (): void => {
    this.#version += 1;
  };

  /** Makes the next read include all events up to a checkpoint that the database has. */
  async requireCheckpoint(slot: Slot): Promise<void> {
    const loaded = this.#loaded;
    const checkpoint = await loaded?.events.then((events) => events.checkpoint).catch(() => slot);
    if (checkpoint !== undefined && checkpoint < slot && this.#loaded === loaded) this.invalidate();
  }

  async read(): Promise<RecentEvents> {
    if (this.#loaded?.version !== this.#version) {
      const events = loadRecentEvents(this.#options);
      const loaded = { version: this.#version, events };
      this.#loaded = loaded;
      // the next request tries again
      events.catch(() => {
        if (this.#loaded === loaded) this.#loaded = undefined;
      });
    }
    return await this.#loaded.events;
  }
}

/** With the checkpoint up to which it is complete. */
type LoadedEvents = RecentEvents & { readonly checkpoint: Slot };

async function loadRecentEvents({ history, reader }: RecentEventsOptions): Promise<LoadedEvents> {
  const { slot: checkpoint, unix: until } = (await readCheckpoint(
    history.db,
    EVENTS_CHECKPOINT,
  )) ?? { slot: toSlot(0n), unix: toUnixSeconds(0n) };
  const gaps = await readGaps(history.db, EVENTS_CHECKPOINT);
  const begin = await readEventsFrom(history);
  const since = gaps.reduce((latest, gap) => (gap.until > latest ? gap.until : latest), begin);
  const markets = reader.markets().map(({ address }) => address);
  const limit = MAX_RECENT_EVENTS;
  const lending = await readRecentLendingEvents(history, markets, {
    kinds: lendingKinds.map((kind) => lendingEventKinds.indexOf(kind)),
    limit,
  });
  const vaults = await readRecentVaultEvents(history, {
    kinds: vaultKinds.map((kind) => vaultEventKinds.indexOf(kind)),
    limit,
  });
  const events = [
    ...lending.map((row) => ({ row, event: lendingEvent(row, reader) })),
    ...vaults.map((row) => ({ row, event: vaultEvent(row, reader) })),
  ]
    .filter(({ row }) => row.at >= since)
    .sort((a, b) => compare(b.row, a.row));
  const newest = events.slice(0, limit).map(({ event }) => event);
  return { checkpoint, since, until, events: newest };
}

type Position = Pick<EventRow<'vaultEvent'>, 'slot' | 'transactionIndex' | 'path' | 'eventIndex'>;

/** In order of execution. */
const compare = (a: Position, b: Position): number =>
  Number(a.slot - b.slot) ||
  a.transactionIndex - b.transactionIndex ||
  Buffer.compare(a.path, b.path) ||
  a.eventIndex - b.eventIndex;

function lendingEvent(
  { kind, at, signature, reserve, wallet, mint, liquidityAmount }: EventRow<'lendingEvent'>,
  reader: RecentEventsOptions['reader'],
): RecentEvent {
  const decimals =
    reserve === null ? undefined : reader.reserve(reserve)?.fields.liquidity.mintDecimals;
  const tokenAmount = wholeTokens(liquidityAmount, decimals);
  const instruction = lendingEventKinds[kind] ?? '';
  const shared = { instruction, at, signature, wallet, mint, tokenAmount };
  return { product: 'lending', account: reserve, ...shared };
}

function vaultEvent(
  { kind, at, signature, vault, wallet, tokenAmount: amount }: EventRow<'vaultEvent'>,
  reader: RecentEventsOptions['reader'],
): RecentEvent {
  const fields = reader.vault(vault)?.fields;
  const name = vaultEventKinds[kind];
  const instruction = name === undefined ? '' : vaultEventInstructions[name];
  const tokenAmount = wholeTokens(amount, fields?.tokenMintDecimals);
  const mint = fields?.tokenMint ?? null;
  const shared = { instruction, at, signature, wallet, mint, tokenAmount };
  return { product: 'vault', account: vault, ...shared };
}

const wholeTokens = (amount: bigint | null, decimals: bigint | undefined): Ratio | undefined =>
  amount === null || decimals === undefined ? undefined : ratioOfUnits(amount, decimals);
