import { expect } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type ReferencePosition, sum } from '../reference/reference-lending.ts';
import type { LedgerTime } from './account-ledger.ts';
import { expectNear } from './expect-near.ts';
import { inSol, type LedgerLoan, type LoanLedger, ledgerLoanAt, loanStats } from './ledger-loan.ts';
import { type LoanCashFlow, loanCashFlows, positionCashFlows } from './loan-cash-flows.ts';
import type { Reconciliation } from './reconciliation.ts';

const DAY = 86_400n;
const LOANS = 25;

type Told = {
  readonly timestamp: string;
  readonly tag: number;
  readonly deposits: readonly ToldPosition[];
  readonly borrows: readonly ToldPosition[];
  readonly refreshedStats: Readonly<Record<string, unknown>>;
  readonly obligationSolValues: Readonly<Record<string, string>>;
};
type ToldPosition = {
  readonly amount: string;
  readonly mintAddress: string;
  readonly marketValueRefreshed: string;
};
type Pnl = {
  readonly usd: string;
  readonly sol: string;
  readonly invested: Record<string, string>;
};

const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

const bookOf = ({ ledger, reserves, simulation }: Reconciliation): LoanLedger => ({
  ledger,
  reserves,
  stakePools: simulation.metadata.stakePools,
});

/** All loans that there ever were, also those that are closed. */
function everyLoan({ ledger }: Reconciliation): readonly { address: Address; market: Address }[] {
  const known = new Map<Address, Address>();
  for (const { slot } of ledger.samples) {
    for (const { address, fields } of ledger.all(obligation, { slot })) {
      known.set(address, fields.lendingMarket);
    }
  }
  return [...known].map(([address, market]) => ({ address, market }));
}

export async function reconcileLoanHistory(
  proof: Reconciliation,
  useStakeRate: boolean,
): Promise<void> {
  const book = bookOf(proof);
  let points = 0;
  for (const { address, market } of proof.random.some(everyLoan(proof), LOANS)) {
    const path = `/v2/svc-market/${market}/obligations/${address}/metrics/history`;
    const query = `?useStakeRateForObligation=${useStakeRate}`;
    const { history } = (await proof.api.get(`${path}${query}`)).body as { history: Told[] };
    const days = [...proof.ledger.lastOfEach(DAY)]
      .filter(([day]) => day + DAY < proof.end.unix)
      .flatMap(([day, sample]) => {
        const loan = ledgerLoanAt(book, address, sample);
        return loan === undefined ? [] : [{ midnight: day + DAY, sample, loan }];
      });
    expect(history.map(({ timestamp }) => timestamp)).toEqual(
      days.map(({ midnight }) => isoOf(midnight)),
    );
    for (const [i, { sample, loan }] of days.entries()) {
      const told = history[i];
      if (told === undefined) throw new Error('no point');
      expectLoan(book, told, { loan, at: sample, useStakeRate, what: `${address} ${i}` });
      points += 1;
    }
  }
  expect(points).toBeGreaterThan(LOANS / 2);
}

export async function reconcileLoanPnl(proof: Reconciliation): Promise<void> {
  const book = bookOf(proof);
  const flows = loanCashFlows(book, proof.end);
  const restarted = everyLoan(proof).filter(({ address }) => {
    const own = flows.filter((flow) => flow.obligation === address);
    return positionCashFlows(book, own).length < own.length;
  });
  expect(restarted.length).toBeGreaterThan(0);
  const chosen = [...restarted, ...proof.random.some(everyLoan(proof), LOANS)];
  for (const { address, market } of chosen) {
    const own = flows.filter((flow) => flow.obligation === address);
    for (const mode of ['current_obligation', 'obligation_all_time']) {
      for (const useStakeRate of [false, true]) {
        const path = `/v2/svc-market/${market}/obligations/${address}/pnl`;
        const query = `?positionMode=${mode}&useStakeRate=${useStakeRate}`;
        const told = (await proof.api.get(`${path}${query}`)).body as Pnl;
        const counted = mode === 'current_obligation' ? positionCashFlows(book, own) : own;
        expectPnl(book, told, {
          ...{ address, flows: counted, at: proof.end, useStakeRate },
          what: `${address}${query}`,
        });
      }
    }
  }
}

type LoanCase = {
  readonly loan: LedgerLoan;
  readonly at: LedgerTime;
  readonly useStakeRate: boolean;
  readonly what: string;
};

function expectLoan(
  book: LoanLedger,
  told: Told,
  { loan, at, useStakeRate, what }: LoanCase,
): void {
  expectPositions(book, { told: told.deposits, expected: loan.deposits, at, what });
  expectPositions(book, { told: told.borrows, expected: loan.borrows, at, what });
  for (const [name, expected] of Object.entries(loanStats(loan))) {
    expectNear(told.refreshedStats[name], expected, `${what} ${name}`);
  }
  expect(told.refreshedStats['potentialElevationGroupUpdate'], what).toBe(0);
  expect(told.tag, what).toBe(Number(loan.fields.tag));
  const collateral = inSol(book, loan.deposits, { at, useStakeRate });
  const debt = inSol(book, loan.borrows, { at, useStakeRate });
  const { obligationSolValues: sol } = told;
  expectNear(sol['collateralValueSol'], collateral, `${what} collateralValueSol`);
  expectNear(sol['debtValueSol'], debt, `${what} debtValueSol`);
  expectNear(sol['netValueSol'], collateral - debt, `${what} netValueSol`);
  expectNear(sol['solPrice'], book.reserves.solPrice(at), `${what} solPrice`);
  const taken = [sol['timestampSolPrice'], sol['timestampObligation']];
  expect(taken, what).toEqual([isoOf(at.unix), isoOf(at.unix)]);
}

type Positions = {
  readonly told: readonly ToldPosition[];
  readonly expected: readonly ReferencePosition[];
  readonly at: LedgerTime;
  readonly what: string;
};

function expectPositions({ reserves }: LoanLedger, { told, expected, at, what }: Positions): void {
  expect(told.length, what).toBe(expected.length);
  for (const [i, { reserve, tokens, usd }] of expected.entries()) {
    const then = reserves.at(at).get(reserve);
    const { amount, marketValueRefreshed, mintAddress } = told[i] ?? {};
    expect(mintAddress, what).toBe(then?.mint);
    expectNear(amount, tokens * (then?.lamportsPerToken ?? 0n), `${what} amount`);
    expectNear(marketValueRefreshed, usd, `${what} value`);
  }
}

type PnlCase = {
  readonly address: Address;
  readonly flows: readonly LoanCashFlow[];
  readonly at: LedgerTime;
  readonly useStakeRate: boolean;
  readonly what: string;
};

function expectPnl(
  book: LoanLedger,
  told: Pnl,
  { address, flows, at, useStakeRate, what }: PnlCase,
) {
  const loan = ledgerLoanAt(book, address, at) ?? { deposits: [], borrows: [] };
  const net = {
    usd: loanStats(loan).netAccountValue,
    sol:
      inSol(book, loan.deposits, { at, useStakeRate }) -
      inSol(book, loan.borrows, { at, useStakeRate }),
  };
  const usd = sum(flows.map((flow) => flow.usd));
  const sol = sum(flows.map((flow) => (useStakeRate ? flow.stakedSol : flow.sol)));
  expectNear(told.invested['usd'], usd, `${what} invested usd`);
  expectNear(told.invested['sol'], sol, `${what} invested sol`);
  expectNear(told.usd, net.usd - usd, `${what} usd`);
  expectNear(told.sol, net.sol - sol, `${what} sol`);
}
