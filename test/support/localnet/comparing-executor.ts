import { bytesEqual } from '#core/base/encoding/bytes.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import type {
  ExecutionContext,
  Executor,
  TransactionResult,
} from '#localnet/runtime/transactions/executor.ts';
import { runOutcome } from './transaction-outcome.ts';

type Compared = {
  readonly executor: Executor;
  readonly counts: { equal: number; readonly differences: Map<string, number> };
};

/** Does what the real programs do, and counts where the model of them would have done otherwise. */
export function createComparingExecutor(real: Executor, model: Executor): Compared {
  const counts = { equal: 0, differences: new Map<string, number>() };
  const executor: Executor = {
    hasProgram: real.hasProgram,
    execute(transaction, moment) {
      const done = real.execute(transaction, moment);
      const difference = differenceOf(done, model.execute(transaction, moment), moment);
      if (difference === undefined) counts.equal += 1;
      else counts.differences.set(difference, (counts.differences.get(difference) ?? 0) + 1);
      return done;
    },
  };
  return { executor, counts };
}

function differenceOf(
  done: TransactionResult,
  modelled: TransactionResult,
  moment: ExecutionContext,
): string | undefined {
  const [end, other] = [runOutcome(done), runOutcome(modelled)];
  if (end !== other) return `${end} and not ${other}`;
  for (const address of new Set([...done.changes.keys(), ...modelled.changes.keys()])) {
    const [account, expected] = [done.changes, modelled.changes].map((changes) =>
      changes.has(address) ? changes.get(address) : moment.accounts.account(address),
    );
    if (!isSame(account, expected)) return `${end}, another ${account?.owner ?? 'account'}`;
  }
  return undefined;
}

function isSame(a: ClusterAccount | undefined, b: ClusterAccount | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const isAlike = a.owner === b.owner && a.lamports === b.lamports;
  return isAlike && bytesEqual(comparable(a), comparable(b));
}

const TIERS = obligation.offsets.paddingDeprecatedAssetTiers;
const TIERS_END = obligation.offsets.elevationGroup;

/** Asset tiers mean nothing any more, and older builds write each where it is used, the model all of them. */
function comparable(account: ClusterAccount): Uint8Array {
  return obligation.matches(account)
    ? account.data.slice().fill(0, TIERS, TIERS_END)
    : account.data;
}
