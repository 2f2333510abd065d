import { bytesEqual } from '#core/base/encoding/bytes.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import type {
  ExecutionContext,
  Executor,
  TransactionResult,
} from '#localnet/runtime/transactions/executor.ts';
import { runOutcome } from './transaction-outcome.ts';

type Comparison = {
  readonly executor: Executor;
  readonly counts: { equal: number; readonly differences: Map<string, number> };
};

/** Executes the real programs, and counts where the model behaves differently. */
export function createComparingExecutor(real: Executor, model: Executor): Comparison {
  const counts = { equal: 0, differences: new Map<string, number>() };
  const executor: Executor = {
    rulesAt: model.rulesAt,
    hasProgram: real.hasProgram,
    execute(transaction, context) {
      const actual = real.execute(transaction, context);
      const difference = differenceOf(actual, model.execute(transaction, context), context);
      if (difference === undefined) counts.equal += 1;
      else counts.differences.set(difference, (counts.differences.get(difference) ?? 0) + 1);
      return actual;
    },
  };
  return { executor, counts };
}

function differenceOf(
  actual: TransactionResult,
  modelResult: TransactionResult,
  context: ExecutionContext,
): string | undefined {
  const [outcome, expectedOutcome] = [runOutcome(actual), runOutcome(modelResult)];
  if (outcome !== expectedOutcome) return `${outcome} and not ${expectedOutcome}`;
  for (const address of new Set([...actual.changes.keys(), ...modelResult.changes.keys()])) {
    const [account, modelAccount] = [actual.changes, modelResult.changes].map((changes) =>
      changes.has(address) ? changes.get(address) : context.accounts.account(address),
    );
    if (!isSame(account, modelAccount)) return `${outcome}, another ${account?.owner ?? 'account'}`;
  }
  return undefined;
}

function isSame(a: ClusterAccount | undefined, b: ClusterAccount | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const hasSameOwner = a.owner === b.owner && a.lamports === b.lamports;
  return hasSameOwner && bytesEqual(comparable(a), comparable(b));
}

const TIERS = obligation.offsets.paddingDeprecatedAssetTiers;
const TIERS_END = obligation.offsets.elevationGroup;

/**
 * Asset tiers are obsolete. Older builds write each one where it is used; the model writes all of
 * them.
 */
function comparable(account: ClusterAccount): Uint8Array {
  return obligation.matches(account)
    ? account.data.slice().fill(0, TIERS, TIERS_END)
    : account.data;
}
