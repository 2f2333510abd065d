import {
  type Address,
  formatInstant,
  type TimeRange,
  toSlot,
  type UnixSeconds,
} from '@tidegate/core/base';
import { associatedTokenAddress, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import type { Cluster } from '../../clusters/served-clusters.ts';
import { CodedError } from '../../errors.ts';
import { readQueueEventsSince, readSamplesBegin } from '../../history/queries/event-coverage.ts';
import { readEventPage, readEventPages } from '../../history/queries/event-pages.ts';
import type { HistoryReader } from '../../history/queries/history-reader.ts';
import { readFirstObligationSnapshot } from '../../history/queries/obligation-snapshots.ts';
import { requireExplained } from './unexplained-positions.ts';

/** A missing price or sample does not appear by itself: an operator has to import it. */
const RETRY_SECONDS = 600;

/** Loads the events of a loan, which may be closed. Throws HISTORY_INCOMPLETE if they are not complete yet. */
export async function requireLoanHistory(cluster: Cluster, obligation: Address): Promise<void> {
  await cluster.recording?.positionHistory.require([loanPosition(obligation)]);
  await requireExplained(cluster, { position: { kind: 'loan', address: obligation } });
}

const EVENTS_WAIT_MS = 1_000;
const EVENTS_RETRY_SECONDS = 1;

/**
 * Waits until the events of the loan's last change are recorded: only then do its current value and its events belong
 * together. Throws STALE_READ if that takes too long, and HISTORY_INCOMPLETE if the events do not explain the change.
 */
export async function requireLoanEvents(cluster: Cluster, obligation: Address): Promise<void> {
  const { reader, recording } = cluster;
  const changedAt = reader.obligation(obligation)?.fields.lastUpdate.slot;
  if (changedAt === undefined || recording === undefined) return;
  if (await recording.waitForEvents(toSlot(changedAt), EVENTS_WAIT_MS, obligation)) {
    await requireExplained(cluster, { position: { kind: 'loan', address: obligation } });
    return;
  }
  const { slot } = reader.at();
  const retryAfterSeconds = EVENTS_RETRY_SECONDS;
  throw new CodedError('STALE_READ', { slot, minSlot: changedAt, retryAfterSeconds });
}

/** Like `requireLoanHistory`, for a list of the loan's transactions. */
export async function requireLoanTransactions(
  { recording }: Cluster,
  obligation: Address,
): Promise<void> {
  await recording?.positionHistory.require([{ ...loanPosition(obligation), isListed: true }]);
}

/** Loads the transactions of all loans that a wallet has or had. Throws HISTORY_INCOMPLETE if they are not complete yet. */
export async function requireWalletLoanTransactions(
  cluster: Cluster,
  history: HistoryReader,
  wallet: Address,
): Promise<void> {
  await requireWalletLoanHistory(cluster, history, { wallet, isListed: true });
}

/** `isListed`: no figure is computed from the transactions. */
async function requireWalletLoanHistory(
  cluster: Cluster,
  history: HistoryReader,
  { wallet, ...purpose }: { readonly wallet: Address; readonly isListed?: true },
): Promise<void> {
  const positionHistory = cluster.recording?.positionHistory;
  if (purpose.isListed !== true) await requireExplained(cluster, { kind: 'loan', wallet });
  if (positionHistory === undefined || (await positionHistory.hasEverything())) return;
  await positionHistory.require([walletPosition(wallet)]);
  const loans = await readLoansOf(cluster, history, wallet);
  // liquidations and repayments by others do not name the wallet
  await positionHistory.require([...loans].map((loan) => ({ ...loanPosition(loan), ...purpose })));
}

/** All loans that a wallet has, or had according to its recorded transactions. */
async function readLoansOf(
  { reader }: Cluster,
  history: HistoryReader,
  wallet: Address,
): Promise<ReadonlySet<Address>> {
  const loans = new Set(reader.obligationsOf(wallet).map(({ address }) => address));
  const query = { table: 'lendingEvent', subject: 'wallet', address: wallet } as const;
  for await (const page of readEventPages(history, { ...query, order: 'oldest first' })) {
    for (const { obligation } of page) if (obligation !== null) loans.add(obligation);
  }
  return loans;
}

type WalletRange = { readonly wallet: Address; readonly range: TimeRange };

/** Throws HISTORY_INCOMPLETE if a loan of the wallet changed in the range before its states were recorded. */
export async function requireWalletLoanStates(
  cluster: Cluster,
  history: HistoryReader,
  { wallet, range }: WalletRange,
): Promise<void> {
  await requireWalletLoanHistory(cluster, history, { wallet });
  for (const loan of await readLoansOf(cluster, history, wallet)) {
    await requireLoanStates(history, loan, range);
  }
}

/** Loads the share trades of a wallet in a known vault. Throws HISTORY_INCOMPLETE if they are not complete yet. */
export async function requireShareHistory(
  cluster: Cluster,
  wallet: Address,
  vault: Address,
): Promise<void> {
  const { reader, recording } = cluster;
  await requireExplained(cluster, { position: { kind: 'shares', wallet, vault } });
  const sharesMint = reader.vault(vault)?.fields.sharesMint;
  if (sharesMint === undefined) return;
  await recording?.positionHistory.require([sharePosition(wallet, { vault, sharesMint })]);
}

/**
 * Loads the share trades of a wallet in all vaults. Throws HISTORY_INCOMPLETE if they are not complete yet. `isListed`:
 * no figure is computed from them.
 */
export async function requireWalletShareHistory(
  cluster: Cluster,
  history: HistoryReader,
  { wallet, ...purpose }: { readonly wallet: Address; readonly isListed?: true },
): Promise<void> {
  const { reader, recording } = cluster;
  const positionHistory = recording?.positionHistory;
  if (purpose.isListed !== true) await requireExplained(cluster, { kind: 'shares', wallet });
  if (positionHistory === undefined || (await positionHistory.hasEverything())) return;
  await positionHistory.require([walletPosition(wallet)]);
  const traded = new Set<Address>();
  const query = { table: 'vaultEvent', subject: 'wallet', address: wallet } as const;
  for await (const page of readEventPages(history, { ...query, order: 'oldest first' })) {
    for (const { vault } of page) traded.add(vault);
  }
  // transfers by others name only the wallet's token account
  const vaults = reader.vaults().filter(({ address, fields: { sharesMint } }) => {
    return traded.has(address) || reader.shareBalance(sharesMint, wallet) > 0n;
  });
  await positionHistory.require(
    vaults.map(({ address, fields: { sharesMint } }) => ({
      ...sharePosition(wallet, { vault: address, sharesMint }),
      ...purpose,
    })),
  );
}

/** Loads the farm events of a wallet. Throws HISTORY_INCOMPLETE if they are not complete yet. */
export async function requireWalletStakeHistory(
  { reader, recording }: Cluster,
  wallet: Address,
): Promise<void> {
  const positionHistory = recording?.positionHistory;
  if (positionHistory === undefined || (await positionHistory.hasEverything())) return;
  const stakes = reader.farmUsersOf(wallet).map(({ address }) => ({
    name: `the stake ${address}`,
    address,
    isListed: true as const,
  }));
  await positionHistory.require([walletPosition(wallet), ...stakes]);
}

/** A wallet has no past of its own: only its transactions count. */
const walletPosition = (address: Address) =>
  ({ name: `the wallet ${address}`, address, isListed: true }) as const;

const loanPosition = (address: Address) => ({ name: `the loan ${address}`, address });

type ShareVault = { readonly vault: Address; readonly sharesMint: Address };

const sharePosition = (wallet: Address, { vault, sharesMint }: ShareVault) => ({
  name: `the shares of ${wallet} in the vault ${vault}`,
  address: associatedTokenAddress(wallet, sharesMint, TOKEN_PROGRAM),
});

/** Throws HISTORY_INCOMPLETE if the loan changed in the range before its states were recorded. */
export async function requireLoanStates(
  history: HistoryReader,
  obligation: Address,
  range: TimeRange,
): Promise<void> {
  const begin = await readSamplesBegin(history);
  if (begin === undefined || begin.slot === 0n) return;
  const query = { table: 'lendingEvent', subject: 'obligation', address: obligation } as const;
  const [event] = await readEventPage(history, { ...query, order: 'oldest first', limit: 1 });
  const state = await readFirstObligationSnapshot(history, obligation);
  if (event === undefined || (state !== undefined && state.slot <= event.slot)) return;
  const since = state?.at ?? range.end;
  if (range.start >= since || range.end <= event.at) return;
  throw missingSamples(`the loan ${obligation}`, since);
}

/** Throws HISTORY_INCOMPLETE if shares of the wallet changed in the range before its holdings were recorded. */
export async function requireShareStates(
  history: HistoryReader,
  wallet: Address,
  range: TimeRange,
): Promise<void> {
  const begin = await readSamplesBegin(history);
  if (begin === undefined || begin.slot === 0n || range.start >= begin.unix) return;
  const query = { table: 'vaultEvent', subject: 'wallet', address: wallet } as const;
  const [event] = await readEventPage(history, { ...query, order: 'oldest first', limit: 1 });
  if (event === undefined || event.slot > begin.slot || range.end <= event.at) return;
  throw missingSamples(`the shares of ${wallet} in the vault ${event.vault}`, begin.unix);
}

/**
 * Throws HISTORY_INCOMPLETE for a loan whose first event is from before fills of borrow orders were recorded: a fill is
 * a debt of the loan.
 */
export async function requireRecordedFills(
  history: HistoryReader,
  obligation: Address,
  firstEventAt: UnixSeconds | undefined,
): Promise<void> {
  const since = await readQueueEventsSince(history);
  if (since === undefined || firstEventAt === undefined || firstEventAt > since.unix) return;
  const what = `the loan ${obligation}`;
  const reason = `fills of its orders are recorded since ${formatInstant(since.unix)}`;
  throw new CodedError('HISTORY_INCOMPLETE', { what, reason, retryAfterSeconds: RETRY_SECONDS });
}

/** Throws HISTORY_INCOMPLETE if samples of the time are not recorded. `what`: whose figures need them. */
export async function requireSamplesSince(
  history: HistoryReader,
  what: string,
  at: UnixSeconds,
): Promise<void> {
  const since = await readSamplesBegin(history);
  if (since === undefined || since.slot === 0n || since.unix <= at) return;
  throw missingSamples(what, since.unix);
}

/** `what`: whose figures need the samples from before `since`. */
export function missingSamples(what: string, since: UnixSeconds): CodedError {
  const reason = `its states are recorded since ${formatInstant(since)}`;
  return new CodedError('HISTORY_INCOMPLETE', { what, reason, retryAfterSeconds: RETRY_SECONDS });
}

/** `what`: whose figures need the price. */
export function missingPrice(what: string, token: string, at: UnixSeconds): CodedError {
  const reason = `the price of ${token} at ${formatInstant(at)} is not recorded`;
  return new CodedError('HISTORY_INCOMPLETE', { what, reason, retryAfterSeconds: RETRY_SECONDS });
}
