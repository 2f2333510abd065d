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

type Ran = Extract<ProcessingResult, { readonly kind: 'run' }>;

/** What one transaction did beside what it should have done; the book knows the accounts before it. */
export function findTransactionErrors(book: AccountIndex, ran: Ran): string[] {
  const { record, changes } = ran;
  const payer = record.accounts[0]?.address;
  const paid = [...changes].reduce(
    (sum, [address, account]) => sum + (account?.lamports ?? 0n) - book.lamports(address),
    0n,
  );
  const wrong =
    paid === -record.fee ? [] : [`lamports changed by ${paid}, the fee is ${record.fee}`];
  if (record.error !== undefined) {
    const traces = [...changes].filter(([address, account]) => {
      const before = book.account(address);
      const isSame = address === payer || account?.lamports === before?.lamports;
      return !isSame || account?.owner !== before?.owner || !isSameData(account, before);
    });
    return [...wrong, ...traces.map(([address]) => `a failure left its trace in ${address}`)];
  }
  return [
    ...wrong,
    ...wrongSupplies(book, ran),
    ...wrongRates(book, ran),
    ...wrongShares(book, ran),
  ];
}

type MaybeAccount = ClusterAccount | undefined;

const NO_DATA = new Uint8Array();

const isSameData = (a: MaybeAccount, b: MaybeAccount): boolean =>
  bytesEqual(a?.data ?? NO_DATA, b?.data ?? NO_DATA);

/** Only the programs' own tokens are minted and burned. */
function wrongSupplies(book: AccountIndex, { changes }: Ran): string[] {
  const own = new Set([
    ...[...book.reserve.values()].map(({ collateralMint }) => collateralMint),
    ...[...book.vault.values()].map(({ sharesMint }) => sharesMint),
  ]);
  return [...changes].flatMap(([address, account]) => {
    const before = book.mint.get(address)?.supply;
    const after = account && readAccountBalances(account).mint?.supply;
    return before === after || own.has(address) ? [] : [`supply of ${address} has changed`];
  });
}

/** Nobody who lends loses by what others do: a cToken is never worth less than before. */
function wrongRates(book: AccountIndex, { changes }: Ran): string[] {
  return [...changes].flatMap(([address, account]) => {
    const before = book.reserve.get(address);
    const after = account && readAccountBalances(account).reserve;
    if (before === undefined || after === undefined || isWorth(after, before)) return [];
    return [`a cToken of ${address} is worth less than before`];
  });
}

const isWorth = (after: ReserveBalances, before: ReserveBalances): boolean =>
  before.collateralSupply === 0n ||
  after.collateralSupply === 0n ||
  after.supplySf * before.collateralSupply >= before.supplySf * after.collateralSupply;

/** Of a vault's value: each rounding of a deposit, a withdrawal or a move is below one lamport. */
const ROUNDED_SF = 2n << 60n;

/** Nor does a share lose by who comes and goes: at the same rates it is worth what it was, less the fees. */
function wrongShares(book: AccountIndex, { changes }: Ran): string[] {
  const reserveOf = (address: Address) => {
    const account = changes.get(address);
    return account === undefined ? book.reserve.get(address) : readAccountBalances(account).reserve;
  };
  return [...changes].flatMap(([address, account]) => {
    const before = book.vault.get(address);
    const after = account && readAccountBalances(account).vault;
    // what is left of the penalties of those who have gone is for whoever comes next
    if (before === undefined || after === undefined || before.sharesIssued === 0n) return [];
    const charged = after.feesSf - before.feesSf;
    const worthBefore = netAssetsSf(before, reserveOf) - charged - ROUNDED_SF;
    const worthAfter = netAssetsSf(after, reserveOf);
    const isKept = worthAfter * before.sharesIssued >= worthBefore * after.sharesIssued;
    const worth = `${worthBefore} of ${before.sharesIssued}, ${worthAfter} of ${after.sharesIssued}`;
    return isKept ? [] : [`a share of vault ${address} is worth less than before: ${worth}`];
  });
}

type Told = NonNullable<PreparedTransaction['told']>;

/** What was said to happen, against what the same transaction does at the same time on the same accounts. */
export function findPreviewMismatches(
  { build, scene, forecast }: Told,
  processed: ProcessingResult,
  book: AccountIndex,
): string[] {
  const fee = estimateFee(build, {});
  const paid = deductFee(build, { feeLamports: fee.base + fee.priority, scene });
  if ('name' in paid) return wrongEnd(paid.name, processed);
  const { failure, tokens, lamports } = forecast(paid);
  if (failure !== undefined) return wrongEnd(`${failure.program} ${failure.code}`, processed);
  const refusal = checkRentExemptBalance(build, lamports, paid);
  if (refusal !== undefined) return wrongEnd(refusal.name, processed);
  if (processed.kind === 'refused' || processed.record.error !== undefined) {
    return wrongEnd('success', processed);
  }
  const { record, changes } = processed;
  const { wallet } = build;
  const own = (changes.get(wallet)?.lamports ?? 0n) - book.lamports(wallet) + record.fee;
  const wrong = own === lamports ? [] : [`${lamports} lamports were forecast and it is ${own}`];
  const moved = movedTokens(book, changes, wallet);
  const told = new Map(tokens.map(({ mint, change }) => [mint, change]));
  for (const mint of new Set([...moved.keys(), ...told.keys()])) {
    const [said, change] = [told.get(mint) ?? 0n, moved.get(mint) ?? 0n];
    if (said !== change) wrong.push(`${said} of ${mint} was forecast and it is ${change}`);
  }
  return wrong;
}

/** The vault program just stops at a number that does not fit; a forecast has the code that is nearest to it. */
const SAME_END: ReadonlyMap<string, string> = new Map([
  ['kvault Program failed to complete', 'kvault 7002'],
]);

function wrongEnd(said: string, processed: ProcessingResult): string[] {
  const end = transactionOutcome(processed);
  return said === end || said === SAME_END.get(end)
    ? []
    : [`${said} was forecast and it is ${end}`];
}

/** By mint, in all token accounts of the wallet. */
function movedTokens(
  book: AccountIndex,
  changes: ReadonlyMap<Address, ClusterAccount | undefined>,
  wallet: Address,
): Map<Address, bigint> {
  const moved = new Map<Address, bigint>();
  for (const [address, account] of changes) {
    const before = book.token.get(address);
    const after = account && readAccountBalances(account).token;
    const { mint, owner } = after ?? before ?? {};
    if (mint === undefined || owner !== wallet) continue;
    const change = (after?.amount ?? 0n) - (before?.amount ?? 0n);
    moved.set(mint, (moved.get(mint) ?? 0n) + change);
  }
  return moved;
}

/** What the plan told the wallet, against what it paid and got. */
export function findPlanMismatches(
  { wallet, plan }: Build,
  ran: Ran,
  book: AccountIndex,
): string[] {
  if (ran.record.error !== undefined) return [];
  const moved = movedTokens(book, ran.changes, wallet);
  addStaked(moved, book, { ...ran, wallet });
  const sol = moved.get(WRAPPED_SOL_MINT) ?? 0n;
  moved.set(WRAPPED_SOL_MINT, sol + movedSol(book, ran, wallet));
  const mints = new Set([...plan.pays, ...plan.receives].map(({ mint }) => mint));
  return [...mints].flatMap((mint) => {
    const pays = plan.pays.filter((each) => each.mint === mint);
    const told = [
      ...plan.receives.filter((each) => each.mint === mint),
      ...pays.map((each) => ({ ...each, amount: -each.amount })),
    ];
    const change = moved.get(mint) ?? 0n;
    const total = told.reduce((sum, { amount }) => sum + amount, 0n);
    const isKept = told.every(({ certainty }) => isSo(certainty, change, total));
    return isKept ? [] : [`the plan says ${total} of ${mint}, it is ${change}`];
  });
}

type Certainty = Build['plan']['pays'][number]['certainty'];

/** To pay at most so much, and to receive at least so much, is to have no less then. What is owned grows until then. */
function isSo(certainty: Certainty, change: bigint, told: bigint): boolean {
  switch (certainty) {
    case 'exactly':
      return change === told;
    case 'at most':
      return told > 0n || change >= told;
    case 'at least':
      return told < 0n || change >= told;
    case 'about':
      return true;
  }
}

/** Shares that went into the farm of their vault are still the wallet's. */
function addStaked(
  moved: Map<Address, bigint>,
  book: AccountIndex,
  { changes, wallet }: Pick<Ran, 'changes'> & { readonly wallet: Address },
): void {
  for (const [address, account] of changes) {
    const before = book.farmUser.get(address);
    const after = account && readAccountBalances(account).farmUser;
    const { farm, delegatee } = after ?? before ?? {};
    if (delegatee !== wallet) continue;
    const vault = [...book.vault.values()].find(({ vaultFarm }) => vaultFarm === farm);
    if (vault === undefined) continue;
    const staked = ((after?.active ?? 0n) - (before?.active ?? 0n)) / WAD;
    moved.set(vault.sharesMint, (moved.get(vault.sharesMint) ?? 0n) + staked);
  }
}

const WAD = 10n ** 18n;

/** SOL that is not wrapped, without the fee and without what it pays and gets back for accounts to be there. */
function movedSol(book: AccountIndex, { record, changes }: Ran, wallet: Address): bigint {
  let moved = record.fee;
  for (const [address, account] of changes) {
    const before = book.lamports(address);
    const after = account?.lamports ?? 0n;
    if (address !== wallet && before !== 0n && after !== 0n) continue;
    const wrapped = account && readAccountBalances(account).token;
    moved += after - wrappedOf(wrapped) - before + wrappedOf(book.token.get(address));
  }
  return moved;
}

const wrappedOf = (token: TokenBalances | undefined): bigint =>
  token?.isNative === true ? token.amount : 0n;
