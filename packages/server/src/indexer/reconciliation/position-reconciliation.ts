import type { Address } from '@tidegate/core/base';
import { associatedTokenAddress, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { ClusterSource } from '../../chain/cluster-source.ts';
import { createHistoryReader } from '../../history/queries/history-reader.ts';
import type { PositionKey } from '../../history/queries/position-kinds.ts';
import { HistoryWriter } from '../../history/writing/history-writer.ts';
import type { ShareAccounts } from '../events/share-catch-up.ts';
import {
  TransactionRecorder,
  type TransactionRecorderOptions,
} from '../events/transaction-recorder.ts';
import { GapRepair, type GapRepairTiming } from './gap-repair.ts';
import { PositionChecker, type PositionCheckerOptions } from './position-checker.ts';

type PositionReconciliationOptions = PositionCheckerOptions &
  Pick<TransactionRecorderOptions, 'ownerIndex' | 'slotPrices' | 'onTransactions'> & {
    readonly source: ClusterSource;
    readonly shares: ShareAccounts;
    /** Called after transactions were recorded. */
    readonly onRecorded: () => void;
    readonly timing?: Partial<GapRepairTiming> | undefined;
  };

/** Compares positions with their events, and looks for the transactions that are missing. */
export class PositionReconciliation {
  readonly checker: PositionChecker;
  readonly #repair: GapRepair;
  readonly #source: ClusterSource;

  constructor(options: PositionReconciliationOptions) {
    const { source, history, shares, ownerIndex, slotPrices, onTransactions, log } = options;
    const writer = new HistoryWriter(history.db);
    const reader = createHistoryReader(history.db);
    const found = { ownerIndex, ...(slotPrices && { slotPrices }), onTransactions };
    this.#source = source;
    this.checker = new PositionChecker(options);
    this.#repair = new GapRepair({
      ...{ history, log, timing: options.timing },
      ledgers: () => source.ledgers(),
      recorder: new TransactionRecorder({ ...found, source, writer, reader, log }),
      accountsOf: (key) => accountsOf(key, shares),
      gaps: () => this.checker.gaps(),
      onRecorded: () => {
        options.onRecorded();
        this.checker.onRecorded();
      },
      onSearched: (gap) => this.checker.onSearched(gap),
      now: () => performance.now(),
    });
  }

  start(): void {
    this.#source.withPriority('backfill', () => this.#repair.start());
  }

  async stop(): Promise<void> {
    await Promise.all([this.#repair.stop(), this.checker.stop()]);
  }
}

function accountsOf(key: PositionKey, shares: ShareAccounts): readonly Address[] {
  if (key.kind !== 'shares') return [key.address];
  const mint = shares.mints().get(key.vault);
  if (mint === undefined) return [];
  const associated = associatedTokenAddress(key.wallet, mint, TOKEN_PROGRAM);
  return [...new Set([associated, ...shares.accountsOf(key.wallet, mint)])];
}
