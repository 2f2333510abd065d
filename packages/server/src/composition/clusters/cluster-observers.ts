import type { ClusterState } from '@tidegate/core/state';
import type { IndexerOptions } from '../../indexer/follow/indexer-options.ts';
import type { TransactionObservers } from '../../proof/live-proof.ts';

type StateOptions = Required<
  Pick<ConstructorParameters<typeof ClusterState>[0], 'onChange' | 'onForget'>
>;
type IndexerReports = Required<
  Pick<IndexerOptions, 'onSlot' | 'onRollBack' | 'onUpdate' | 'onGap'>
>;
type ClusterEvents = StateOptions & IndexerReports & TransactionObservers;

/** A part that is told what happens to the state of a cluster. */
export type ClusterObserver = Partial<ClusterEvents>;

/**
 * Passes on what happens to the state of a cluster. It is made before state and indexer, which report to it, and the parts
 * that follow them are added as they are made. They are told in that order.
 */
export class ClusterObservers implements ClusterEvents {
  readonly #added: ClusterObserver[] = [];

  add(observer: ClusterObserver): void {
    this.#added.push(observer);
  }

  onChange: ClusterEvents['onChange'] = (...change) => {
    for (const observer of this.#added) observer.onChange?.(...change);
  };

  onForget: ClusterEvents['onForget'] = (address) => {
    for (const observer of this.#added) observer.onForget?.(address);
  };

  onSlot: ClusterEvents['onSlot'] = (at) => {
    for (const observer of this.#added) observer.onSlot?.(at);
  };

  onRollBack: ClusterEvents['onRollBack'] = (slots) => {
    for (const observer of this.#added) observer.onRollBack?.(slots);
  };

  onUpdate: ClusterEvents['onUpdate'] = (update) => {
    for (const observer of this.#added) observer.onUpdate?.(update);
  };

  onGap: ClusterEvents['onGap'] = () => {
    for (const observer of this.#added) observer.onGap?.();
  };

  onTransactions: ClusterEvents['onTransactions'] = (transactions) => {
    for (const observer of this.#added) observer.onTransactions?.(transactions);
  };

  onFailed: ClusterEvents['onFailed'] = (announced) => {
    for (const observer of this.#added) observer.onFailed?.(announced);
  };
}
