import type { Address } from '#core/base/encoding/address.ts';
import { bytesEqual } from '#core/base/encoding/bytes.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import type { Build } from '#core/builders/build.ts';
import {
  checkRentExemptBalance,
  deductFee,
  estimateFee,
} from '#core/builders/simulation/fee-payer.ts';
import { WRAPPED_SOL_MINT } from '#core/protocol/spl/programs.ts';
import type { ProcessingResult } from '#localnet/runtime/transactions/transaction-processor.ts';
import {
  type ReserveBalances,
  readAccountBalances,
  type TokenBalances,
} from '../invariants/account-balances.ts';
import type { AccountIndex } from '../invariants/account-index.ts';
import { netAssetsSf } from '../invariants/balance-invariants.ts';
import { transactionOutcome } from '../localnet/transaction-outcome.ts';
import type { PreparedTransaction } from './random-lending-actions.ts';

type Executed = Extract<ProcessingResult, { readonly kind: 'run' }>;

/** Side effects that one transaction must not have. `index` holds the accounts before it. */
export function findTransactionErrors(index: AccountIndex, executed: Executed): string[] {
  const { record, changes } = executed;
  const payer = record.accounts[0]?.address;
  const paid = [...changes].reduce(
    (sum, [address, account]) => sum + (account?.lamports ?? 0n) - index.lamports(address),
    0n,
  );
  const problems =
    paid === -record.fee ? [] : [`lamports changed by ${paid}, the fee is ${record.fee}`];
  if (record.error !== undefined) {
    const changed = [...changes].filter(([address, account]) => {
      const before = index.account(address);
      const isSame = address === payer || account?.lamports === before?.lamports;
      return !isSame || account?.owner !== before?.owner || !isSameData(account, before);
    });
    return [
      ...problems,
      ...changed.map(([address]) => `the failed transaction changed ${address}`),
    ];
  }
  return [
    ...problems,
    ...supplyProblems(index, executed),
    ...rateProblems(index, executed),
    ...shareProblems(index, executed),
  ];
}

type MaybeAccount = ClusterAccount | undefined;

const NO_DATA = new Uint8Array();

const isSameData = (a: MaybeAccount, b: MaybeAccount): boolean =>
  bytesEqual(a?.data ?? NO_DATA, b?.data ?? NO_DATA);

/** Only cTokens and shares are minted and burned. */
function supplyProblems(index: AccountIndex, { changes }: Executed): string[] {
  const mintable = new Set([
    ...[...index.reserve.values()].map(({ collateralMint }) => collateralMint),
    ...[...index.vault.values()].map(({ sharesMint }) => sharesMint),
  ]);
  return [...changes].flatMap(([address, account]) => {
    const before = index.mint.get(address)?.supply;
    const after = account && readAccountBalances(account).mint?.supply;
    return before === after || mintable.has(address) ? [] : [`supply of ${address} has changed`];
  });
}

/** A cToken is never worth less than before the transaction. */
function rateProblems(index: AccountIndex, { changes }: Executed): string[] {
  return [...changes].flatMap(([address, account]) => {
    const before = index.reserve.get(address);
    const after = account && readAccountBalances(account).reserve;
    if (before === undefined || after === undefined || isRateUnchanged(after, before)) return [];
    return [`a cToken of ${address} is worth less than before`];
  });
}

const isRateUnchanged = (after: ReserveBalances, before: ReserveBalances): boolean =>
  before.collateralSupply === 0n ||
  after.collateralSupply === 0n ||
  after.supplySf * before.collateralSupply >= before.supplySf * after.collateralSupply;

/**
 * Tolerance on a vault's value: a deposit, withdrawal or move loses less than one lamport to
 * rounding.
 */
const ROUNDED_SF = 2n << 60n;

/** A share is never worth less than before, at the same reserve rates and after fees. */
function shareProblems(index: AccountIndex, { changes }: Executed): string[] {
  const reserveOf = (address: Address) => {
    const account = changes.get(address);
    return account === undefined
      ? index.reserve.get(address)
      : readAccountBalances(account).reserve;
  };
  return [...changes].flatMap(([address, account]) => {
    const before = index.vault.get(address);
    const after = account && readAccountBalances(account).vault;
    // Without shares, penalties left in the vault belong to the next depositor.
    if (before === undefined || after === undefined || before.sharesIssued === 0n) return [];
    const charged = after.feesSf - before.feesSf;
    const worthBefore = netAssetsSf(before, reserveOf) - charged - ROUNDED_SF;
    const worthAfter = netAssetsSf(after, reserveOf);
    const isPreserved = worthAfter * before.sharesIssued >= worthBefore * after.sharesIssued;
    const worth = `${worthBefore} of ${before.sharesIssued}, ${worthAfter} of ${after.sharesIssued}`;
    return isPreserved ? [] : [`a share of vault ${address} is worth less than before: ${worth}`];
  });
}

type Preview = NonNullable<PreparedTransaction['preview']>;

/** Compares the preview with the same transaction on the same accounts at the same time. */
export function findPreviewMismatches(
  { build, context, simulate }: Preview,
  processed: ProcessingResult,
  index: AccountIndex,
): string[] {
  const fee = estimateFee(build, {});
  const paid = deductFee(build, { feeLamports: fee.base + fee.priority, context });
  if ('name' in paid) return outcomeProblems(paid.name, processed);
  const { failure, tokens, lamports } = simulate(paid);
  if (failure !== undefined)
    return outcomeProblems(`${failure.program} ${failure.code}`, processed);
  const rejection = checkRentExemptBalance(build, lamports, paid);
  if (rejection !== undefined) return outcomeProblems(rejection.name, processed);
  if (processed.kind === 'rejected' || processed.record.error !== undefined) {
    return outcomeProblems('success', processed);
  }
  const { record, changes } = processed;
  const { wallet } = build;
  const actual = (changes.get(wallet)?.lamports ?? 0n) - index.lamports(wallet) + record.fee;
  const problems = actual === lamports ? [] : [`previewed ${lamports} lamports, got ${actual}`];
  const changesByMint = tokenChanges(index, changes, wallet);
  const previewed = new Map(tokens.map(({ mint, change }) => [mint, change]));
  for (const mint of new Set([...changesByMint.keys(), ...previewed.keys()])) {
    const [expected, change] = [previewed.get(mint) ?? 0n, changesByMint.get(mint) ?? 0n];
    if (expected !== change) problems.push(`previewed ${expected} of ${mint}, got ${change}`);
  }
  return problems;
}

/** The vault program aborts on overflow; the preview returns the nearest error code instead. */
const EQUIVALENT_OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['kvault Program failed to complete', 'kvault 7002'],
]);

function outcomeProblems(previewed: string, processed: ProcessingResult): string[] {
  const outcome = transactionOutcome(processed);
  return previewed === outcome || previewed === EQUIVALENT_OUTCOMES.get(outcome)
    ? []
    : [`previewed ${previewed}, got ${outcome}`];
}

/** Change by mint, over all token accounts of the wallet. */
function tokenChanges(
  index: AccountIndex,
  changes: ReadonlyMap<Address, ClusterAccount | undefined>,
  wallet: Address,
): Map<Address, bigint> {
  const changesByMint = new Map<Address, bigint>();
  for (const [address, account] of changes) {
    const before = index.token.get(address);
    const after = account && readAccountBalances(account).token;
    const { mint, owner } = after ?? before ?? {};
    if (mint === undefined || owner !== wallet) continue;
    const change = (after?.amount ?? 0n) - (before?.amount ?? 0n);
    changesByMint.set(mint, (changesByMint.get(mint) ?? 0n) + change);
  }
  return changesByMint;
}

/** Compares the plan's amounts with what the wallet paid and received. */
export function findPlanMismatches(
  { wallet, plan }: Build,
  executed: Executed,
  index: AccountIndex,
): string[] {
  if (executed.record.error !== undefined) return [];
  const changesByMint = tokenChanges(index, executed.changes, wallet);
  addStaked(changesByMint, index, { ...executed, wallet });
  const sol = changesByMint.get(WRAPPED_SOL_MINT) ?? 0n;
  changesByMint.set(WRAPPED_SOL_MINT, sol + solChange(index, executed, wallet));
  const mints = new Set([...plan.pays, ...plan.receives].map(({ mint }) => mint));
  return [...mints].flatMap((mint) => {
    const pays = plan.pays.filter((each) => each.mint === mint);
    const planned = [
      ...plan.receives.filter((each) => each.mint === mint),
      ...pays.map((each) => ({ ...each, amount: -each.amount })),
    ];
    const change = changesByMint.get(mint) ?? 0n;
    const total = planned.reduce((sum, { amount }) => sum + amount, 0n);
    const isMet = planned.every(({ certainty }) => meetsCertainty(certainty, change, total));
    return isMet ? [] : [`the plan says ${total} of ${mint}, got ${change}`];
  });
}

type Certainty = Build['plan']['pays'][number]['certainty'];

/**
 * Paying at most X and receiving at least X both mean: the balance does not end up lower. Interest
 * may raise it.
 */
function meetsCertainty(certainty: Certainty, change: bigint, planned: bigint): boolean {
  switch (certainty) {
    case 'exactly':
      return change === planned;
    case 'at most':
      return planned > 0n || change >= planned;
    case 'at least':
      return planned < 0n || change >= planned;
    case 'about':
      return true;
  }
}

/** Shares staked in the vault's farm still belong to the wallet. */
function addStaked(
  changesByMint: Map<Address, bigint>,
  index: AccountIndex,
  { changes, wallet }: Pick<Executed, 'changes'> & { readonly wallet: Address },
): void {
  for (const [address, account] of changes) {
    const before = index.farmUser.get(address);
    const after = account && readAccountBalances(account).farmUser;
    const { farm, delegatee } = after ?? before ?? {};
    if (delegatee !== wallet) continue;
    const vault = [...index.vault.values()].find(({ vaultFarm }) => vaultFarm === farm);
    if (vault === undefined) continue;
    const staked = ((after?.active ?? 0n) - (before?.active ?? 0n)) / WAD;
    changesByMint.set(vault.sharesMint, (changesByMint.get(vault.sharesMint) ?? 0n) + staked);
  }
}

const WAD = 10n ** 18n;

/** Change in unwrapped SOL, without the fee and without rent paid or returned. */
function solChange(index: AccountIndex, { record, changes }: Executed, wallet: Address): bigint {
  let change = record.fee;
  for (const [address, account] of changes) {
    const before = index.lamports(address);
    const after = account?.lamports ?? 0n;
    if (address !== wallet && before !== 0n && after !== 0n) continue;
    const wrapped = account && readAccountBalances(account).token;
    change += after - wrappedOf(wrapped) - before + wrappedOf(index.token.get(address));
  }
  return change;
}

const wrappedOf = (token: TokenBalances | undefined): bigint =>
  token?.isNative === true ? token.amount : 0n;
