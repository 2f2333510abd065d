import type { Slot } from '@tidegate/core/base';
import {
  listScheduledReleases,
  modelExecutable,
  NEWEST_RULES,
  PROGRAM_NAMES,
  type ProgramName,
  type ProgramRules,
  programTables,
  type RulesAt,
  type RunningRelease,
  rulesOfReleases,
  withReleases,
} from '@tidegate/core/protocol/releases';
import type { AccountReader } from '../runtime/transaction-accounts.ts';
import type { Deployment, Executor } from '../runtime/transactions/executor.ts';
import { createModelExecutor } from '../runtime/transactions/model-executor.ts';
import { executedVersion } from './executed-version.ts';
import { modelPrograms } from './model-programs.ts';
import { programAccounts } from './program-accounts.ts';

/**
 * Executes each transaction with the models of the releases that run in its slot: those of the program data accounts, or
 * those that the text schedules (by default the newest) if they are later.
 */
export function createReleaseExecutor(releases = ''): Executor {
  const rulesAt: RulesAt = releases === '' ? () => NEWEST_RULES : rulesOfReleases(releases);
  const scheduled = listScheduledReleases(releases);
  const executors = new Map<ProgramRules, Executor>();
  const executorOf = (rules: ProgramRules): Executor => {
    const executor = executors.get(rules) ?? createModelExecutor(modelPrograms(rules), rules);
    executors.set(rules, executor);
    return executor;
  };
  const rulesIn = (accounts: AccountReader, slot: Slot): ProgramRules =>
    withReleases(rulesAt(slot), upgradesIn(accounts, scheduled, slot));
  return {
    rulesAt,
    rulesIn,
    deploymentsAt: (slot) => PROGRAM_NAMES.map((name) => deploymentOf(name, scheduled, slot)),
    hasProgram: (address) => executorOf(NEWEST_RULES).hasProgram(address),
    execute: (transaction, context) =>
      executorOf(rulesIn(context.accounts, context.time.slot)).execute(transaction, context),
  };
}

const releaseAt = (
  name: ProgramName,
  scheduled: readonly RunningRelease[],
  slot: Slot,
): RunningRelease | undefined =>
  scheduled.findLast(({ program, from }) => program === name && from <= slot);

function deploymentOf(
  program: ProgramName,
  scheduled: readonly RunningRelease[],
  slot: Slot,
): Deployment {
  const { version = '', from = slot } = releaseAt(program, scheduled, slot) ?? {};
  return { program, from, version, executable: modelExecutable(program, version) };
}

/** Releases of programs that were upgraded after their scheduled release began. */
function upgradesIn(
  accounts: AccountReader,
  scheduled: readonly RunningRelease[],
  slot: Slot,
): ReadonlyMap<ProgramName, string> {
  const upgrades = new Map<ProgramName, string>();
  for (const program of PROGRAM_NAMES) {
    if (programTables[program].part === undefined) continue;
    const account = accounts.account(programAccounts[program].programData);
    const executed = account && executedVersion(program, account, accounts);
    if (executed === undefined) continue;
    const { from = 0n } = releaseAt(program, scheduled, slot) ?? {};
    if (executed.from > from) upgrades.set(program, executed.version);
  }
  return upgrades;
}
