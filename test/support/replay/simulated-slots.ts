import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import type { ChainTime } from '#core/base/time.ts';
import type { ObservedSlot, ObservedTransaction } from '#localnet/replay/observed-slot.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';

/** Turns the steps of a simulation into what a server sees that follows some programs. */
export class SlotObserver {
  readonly #followed: readonly string[];
  #accounts: ReadonlyMap<Address, ClusterAccount | undefined> = new Map();

  constructor(followed: readonly string[]) {
    this.#followed = followed;
  }

  /** The slots in which accounts changed or transactions were executed, in order. */
  *observe(steps: readonly ClusterStep[]): Generator<ObservedSlot> {
    for (const { slots, transactions } of steps) {
      for (const { at, accounts } of slots) {
        const before = this.#accounts;
        const changed = accounts.flatMap(({ address, account }) => {
          const isFollowed = before.has(address) || this.#followed.includes(account?.owner ?? '');
          return isFollowed ? [[address, withLamports(account)] as const] : [];
        });
        this.#accounts = new Map([...before, ...changed]);
        const executed = transactions
          .filter(({ slot }) => slot === at.slot)
          .map(({ transactionIndex, json }) => toObserved(transactionIndex, json));
        yield this.#toSlot(at, before, executed);
      }
    }
  }

  #toSlot(
    time: ChainTime,
    before: ObservedSlot['before'],
    transactions: readonly ObservedTransaction[],
  ): ObservedSlot {
    return { time, transactions, before, after: this.#accounts, isComplete: true };
  }
}

const withLamports = (
  account: ClusterStep['slots'][number]['accounts'][number]['account'],
): ClusterAccount | undefined => account && { lamports: 1n, ...account };

function toObserved(index: number, json: string): ObservedTransaction {
  const response: unknown = JSON.parse(json);
  return { signature: signatureOf(response), index, response };
}

function signatureOf(response: unknown): string {
  const { transaction } = response as {
    readonly transaction: { readonly signatures: readonly string[] };
  };
  return transaction.signatures[0] ?? '';
}
