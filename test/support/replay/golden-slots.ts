import { FARMS_PROGRAM } from '#core/protocol/farms/program.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import type { ProgramRules } from '#core/protocol/releases/program-rules.ts';
import { SCOPE_PROGRAM } from '#core/protocol/scope/program.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import type { ObservedSlot, SeenAccounts } from '#localnet/replay/observed-slot.ts';
import { encodeTransaction } from '#localnet/rpc/encoding/transaction-encoding.ts';
import { formatJson } from '#localnet/rpc/json.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { executeFlow } from '../flows/execute-flow.ts';
import type { FlowSnapshot } from '../flows/flow-snapshots.ts';
import { RECORDED_BUILD_RULES } from '../golden/recorded-build.ts';

export const COMPARED_PROGRAMS: readonly string[] = [KLEND_PROGRAM, KVAULT_PROGRAM, FARMS_PROGRAM];

/** The programs whose accounts a server follows. */
export const FOLLOWED: readonly string[] = [...COMPARED_PROGRAMS, SCOPE_PROGRAM];

/** The slot of a flow as a server sees it: without token accounts, mints and wallets. */
export function observedFlow(snapshot: FlowSnapshot): ObservedSlot {
  const { flow, at, accounts } = snapshot;
  const before: SeenAccounts = new Map(
    [...accounts].filter(([, { owner }]) => FOLLOWED.includes(owner)),
  );
  const after = [...flow.after].filter(
    ([address, account]) => before.has(address) || FOLLOWED.includes(account?.owner ?? ''),
  );
  const [transaction] = flow.transactions;
  const response = transaction?.rpc ?? executedResponse(snapshot, RECORDED_BUILD_RULES);
  return {
    time: at,
    transactions: [{ signature: flow.name, index: 0, response }],
    before,
    after: new Map([...before, ...after]),
    isComplete: true,
  };
}

/** No node recorded the flows of the vault program: the balances are those of our execution. */
function executedResponse(snapshot: FlowSnapshot, rules: ProgramRules): unknown {
  const { record } = executeFlow(snapshot, createModelExecutor(modelPrograms(rules), rules));
  const encoding = { encoding: 'json', newestVersion: 0, hasRewards: false } as const;
  const { slot, unix: blockTime } = record.time;
  return JSON.parse(formatJson({ slot, blockTime, ...encodeTransaction(record, encoding) }));
}
