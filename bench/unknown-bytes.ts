import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { toSlot } from '#core/base/time.ts';
import {
  identifyAccount,
  type ProgramAccountKind,
  unknownValuesIn,
} from '#core/state/account-kinds.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { silentLog } from '../test/support/fakes/silent-log.ts';
import { goldenCluster } from '../test/support/golden/golden.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';

/** The check of every changed account for unknown bytes: CPU time by kind, beside applying the account to a state. */
const ROUNDS = sized(100_000, 100);
const UPDATES_PER_SECOND = 2_000;
const BUDGET_PERCENT = 1;

/** Of 100 updates of a busy cluster. */
const SHARES: Partial<Record<ProgramAccountKind, number>> = {
  obligation: 55,
  farmUser: 20,
  reserve: 15,
  prices: 5,
  farm: 3,
  vault: 2,
};

type Kind = keyof typeof SHARES;

function accountsOf(kind: Kind): { readonly address: Address; readonly account: RawAccount }[] {
  const found = [...goldenCluster().accounts].flatMap(([address, account]) =>
    identifyAccount(account).kind === kind ? { address, account } : [],
  );
  if (found.length === 0) throw new Error(`no account of the kind ${kind}`);
  return found;
}

/** Microseconds of CPU time per call. */
function measure(rounds: number, run: (round: number) => unknown): number {
  for (let round = 0; round < rounds / 10; round += 1) run(round);
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) run(round);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / rounds;
}

function measureKind(kind: Kind): { readonly check: number; readonly apply: number } {
  const accounts = accountsOf(kind);
  const at = (round: number) => accounts[round % accounts.length];
  let found = 0;
  const check = measure(ROUNDS, (round) => {
    found += unknownValuesIn(kind, at(round)?.account.data ?? new Uint8Array()).length;
  });
  if (found > 0) throw new Error(`${found} unknown values`);
  const state = new ClusterState({ log: silentLog });
  const applyRounds = Math.ceil(ROUNDS / 20);
  const apply = measure(applyRounds, (round) => {
    const { address, account: { owner, data } = { owner: undefined, data: undefined } } =
      at(round) ?? {};
    if (address === undefined || owner === undefined || data === undefined) return;
    // another content with each call: bytes of the last update, which every kind has near its start
    const changed = data.slice();
    changed[16] = round & 0xff;
    changed[17] = (round >> 8) & 0xff;
    state.apply({ address, account: { owner, data: changed }, slot: toSlot(BigInt(round)) });
  });
  return { check, apply };
}

let total = 0;
let totalApply = 0;
for (const [kind, share = 0] of Object.entries(SHARES)) {
  const { check, apply } = measureKind(kind as Kind);
  total += (check * share) / 100;
  totalApply += (apply * share) / 100;
  console.log(
    `${kind}: ${check.toFixed(2)} µs, ${((100 * check) / apply).toFixed(0)} % of ${apply.toFixed(1)} µs to apply it`,
  );
}
const percent = (total * UPDATES_PER_SECOND) / 10_000;
const isWithinBudget = percent <= BUDGET_PERCENT;
reportCost({
  work: `unknown bytes of ${UPDATES_PER_SECOND} changed accounts per second`,
  measured: `${percent.toFixed(2)} % of a core, ${((100 * total) / totalApply).toFixed(0)} % of applying them`,
  budget: `${BUDGET_PERCENT} %`,
  isWithinBudget,
});
reportBudget(isWithinBudget);
