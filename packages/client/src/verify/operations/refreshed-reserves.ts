import { referrerTokenState } from '../bytes/derived-addresses.ts';
import type { LoanData } from '../chain/chain-data.ts';
import type { Call } from '../instructions/decode-calls.ts';
import type { Findings } from './findings.ts';

/** A loan has at most eight deposits and five debts. The reserve of the operation may be another one. */
export const MAX_RESERVES = 14;

export type RefreshContext = {
  readonly findings: Findings;
  readonly program: string;
  readonly referrer: string | undefined;
  readonly main: Call;
  /** Undefined if not known, null if there is none. */
  readonly loanData: LoanData | null | undefined;
  /** The reserves of the operation, which are refreshed last. */
  readonly actedReserves: readonly string[];
  /** Whether the operation lists the deposits of a loan in an elevation group. */
  readonly listsDeposits: boolean;
  /** Reserves that the loan may or may not use by then, because something before changed it. */
  readonly changedReserves?: readonly string[];
};

/** The loan lists its reserves and the accounts of its referrer; every refreshed reserve is one of them. */
export function checkRefreshes(calls: readonly Call[], context: RefreshContext): void {
  const { findings, actedReserves, loanData } = context;
  const refreshed = calls.filter(({ key }) => key === 'klend refreshReserve');
  const reserves = new Set(refreshed.map(({ accounts }) => accounts['reserve'] ?? ''));
  checkOrder(refreshed, context);
  const loan = calls.find(({ key }) => key === 'klend refreshObligation');
  if (loan === undefined) return;
  const states = referrerStates(context, [...reserves]);
  const listed = loan.remaining.filter((address) => !states.has(address));
  const stray = [...reserves].find(
    (each) => !actedReserves.includes(each) && !listed.includes(each),
  );
  if (stray !== undefined) {
    findings.add('WRONG_RESERVE', `The loan does not list the refreshed reserve ${stray}.`, loan);
  }
  const unknown = [...listed, ...context.main.remaining].find((each) => !reserves.has(each));
  if (unknown !== undefined) {
    findings.add('WRONG_ACCOUNT', `${unknown} is no reserve that was refreshed.`, loan);
  }
  if (loanData !== undefined) checkLoanAccounts(loan, context);
}

function checkOrder(
  refreshed: readonly Call[],
  { actedReserves, findings }: Pick<RefreshContext, 'actedReserves' | 'findings'>,
): void {
  const reserves = refreshed.map(({ accounts }) => accounts['reserve'] ?? '');
  const acted = new Set(actedReserves);
  const last = reserves.slice(-acted.size);
  if (refreshed.length === 0) {
    findings.add('MISSING_INSTRUCTION', 'klend refreshReserve is missing.');
  } else if (last.length < acted.size || last.some((each) => !acted.has(each))) {
    const message = 'The last refreshed reserves are not the requested ones.';
    findings.add('WRONG_RESERVE', message, refreshed.at(-1));
  }
  if (new Set(reserves).size < reserves.length) {
    findings.add('REPEATED_INSTRUCTION', 'A reserve is refreshed twice.', refreshed.at(-1));
  }
}

function referrerStates(
  { program, referrer }: Pick<RefreshContext, 'program' | 'referrer'>,
  reserves: readonly string[],
): ReadonlySet<string> {
  if (referrer === undefined) return new Set();
  return new Set(reserves.map((reserve) => referrerTokenState(program, referrer, reserve)));
}

/** With chain data the lists are exact. */
function checkLoanAccounts(refresh: Call, context: RefreshContext): void {
  const { findings, main, listsDeposits, changedReserves = [] } = context;
  const { deposits = [], borrows = [], referrer, elevationGroup = 0 } = context.loanData ?? {};
  const { program } = context;
  const stateOf = (each: string) =>
    referrer == null ? [] : [referrerTokenState(program, referrer, each)];
  const states = borrows.flatMap(stateOf);
  const uncertain = new Set([...changedReserves, ...changedReserves.flatMap(stateOf)]);
  const certain = (addresses: readonly string[]): string =>
    addresses.filter((each) => !uncertain.has(each)).join();
  if (certain(refresh.remaining) !== certain([...deposits, ...borrows, ...states])) {
    findings.add('WRONG_ACCOUNT', 'The listed reserves are not those of the loan.', refresh);
  }
  const listed = elevationGroup > 0 && listsDeposits ? deposits : [];
  if (certain(main.remaining) !== certain(listed)) {
    findings.add('WRONG_ACCOUNT', 'The listed deposits are not those of the loan.', main);
  }
}
