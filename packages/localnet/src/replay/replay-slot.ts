import type { ProgramRules } from '@tidegate/core/protocol/releases';
import { SCOPE_PROGRAM } from '@tidegate/core/protocol/scope';
import { modelPrograms } from '../programs/model-programs.ts';
import type { ProgramRegistry } from '../runtime/program.ts';
import { proveAccrual } from './accrual-proof.ts';
import { countDiffering } from './count-differing.ts';
import { withKeeperRefresh } from './keeper-refresh.ts';
import type { ObservedSlot, SeenAccounts } from './observed-slot.ts';
import { searchPrices } from './price-search.ts';
import { readObservedSlot } from './run-slot.ts';
import type { AccountProof, SlotProof, TransactionProof } from './slot-proof.ts';

/**
 * Executes what was observed in a slot with our models of the programs, and compares every account that they wrote. It does
 * not throw, whatever the slot contains.
 */
export const replaySlot = (slot: ObservedSlot, rules: ProgramRules): SlotProof =>
  replayAccounts(slot, rules).proof;

export type ReplayedSlot = { readonly proof: SlotProof; readonly accounts: SeenAccounts };

/**
 * As `replaySlot`, with the accounts that the replay wrote. A reserve that differs may have been refreshed by keepers: if
 * nothing differs then, it is proven.
 */
export function replayAccounts(slot: ObservedSlot, rules: ProgramRules): ReplayedSlot {
  const replayed = executeSlot(slot, rules);
  if (slot.hasKeepers !== true || countDiffering(replayed.proof) === 0) return replayed;
  const reserves = replayed.proof.accounts.filter(
    ({ kind, verdict }) => kind === 'reserve' && verdict === 'differing',
  );
  const addresses = reserves.map(({ address }) => address);
  const refreshed = executeSlot(
    { ...slot, before: withKeeperRefresh(slot, addresses, rules) },
    rules,
  );
  return countDiffering(refreshed.proof) > 0 ? replayed : refreshed;
}

function executeSlot(slot: ObservedSlot, rules: ProgramRules): ReplayedSlot {
  const context = { programs: programsOf(rules), time: slot.time };
  const { accounts, transactions, run } = searchPrices(readObservedSlot(slot), context);
  const proof = {
    accounts: accounts.map((each) => withAccrual(withGaps(each, slot), slot, rules)),
    transactions: transactions.map((each) => withGaps(each, slot)),
  };
  return { proof, accounts: run.state.writtenAccounts };
}

/** If transactions are missing, they may explain a difference. */
function withGaps<Proof extends AccountProof | TransactionProof>(
  proof: Proof,
  { isComplete }: ObservedSlot,
): Proof {
  if (isComplete || proof.verdict !== 'differing') return proof;
  return { ...proof, verdict: 'notProvable', reason: 'transactionMissing' };
}

/** Of a reserve that changed without a transaction, the interest can be checked. */
const withAccrual = (proof: AccountProof, slot: ObservedSlot, rules: ProgramRules): AccountProof =>
  proof.reason === 'transactionMissing' && proof.kind === 'reserve'
    ? proveAccrual(proof, slot, rules)
    : proof;

/** One set of models for each object of rules, of which a server has few. */
const registries = new WeakMap<ProgramRules, ProgramRegistry>();

/** The oracle is not among them: it reads accounts that nobody sees. */
function programsOf(rules: ProgramRules): ProgramRegistry {
  const known = registries.get(rules);
  if (known !== undefined) return known;
  const programs = new Map(modelPrograms(rules));
  programs.delete(SCOPE_PROGRAM);
  registries.set(rules, programs);
  return programs;
}
