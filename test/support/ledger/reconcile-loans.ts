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

type LoanPoint = {
  readonly timestamp: string;
  readonly tag: number;
  readonly deposits: readonly PositionResponse[];
  readonly borrows: readonly PositionResponse[];
  readonly refreshedStats: Readonly<Record<string, unknown>>;
  readonly obligationSolValues: Readonly<Record<string, string>>;
};
type PositionResponse = {
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

const createLoanLedger = ({ ledger, reserves, metadata }: Reconciliation): LoanLedger => ({
  ledger,
  reserves,
  stakePools: metadata.stakePools,
});

/** All loans, including closed ones. */
function everyLoan({ ledger }: Reconciliation): readonly { address: Address; market: Address }[] {
  const known = new Map<Address, Address>();
  for (const { slot } of ledger.samples) {
    for (const { address, fields } of ledger.all(obligation, { slot })) {
      known.set(address, fields.lendingMarket);
    }
  }
  return [...known].map(([address, market]) => ({ address, market }));
}

/** Each midnight before the current day, and now. */
function momentsOf({ ledger, end }: Reconciliation): readonly (readonly [bigint, LedgerTime])[] {
  const today = end.unix - (end.unix % DAY);
  const days = [...ledger.lastBefore(DAY)].filter(([midnight]) => midnight < today);
  return [...days, [end.unix, end]];
}

export async function reconcileLoanHistory(
  proof: Reconciliation,
  useStakeRate: boolean,
): Promise<void> {
  const loanLedger = createLoanLedger(proof);
  let points = 0;
  for (const { address, market } of proof.random.some(everyLoan(proof), LOANS)) {
    const path = `/v2/svc-market/${market}/obligations/${address}/metrics/history`;
    const query = `?useStakeRateForObligation=${useStakeRate}`;
    const { history } = (await proof.api.get(`${path}${query}`)).body as { history: LoanPoint[] };
    const expected = momentsOf(proof).flatMap(([at, sample]) => {
      const loan = ledgerLoanAt(loanLedger, address, sample);
      return loan === undefined ? [] : [{ at, sample, loan }];
    });
    expect(history.map(({ timestamp }) => timestamp)).toEqual(expected.map(({ at }) => isoOf(at)));
    for (const [i, { sample, loan }] of expected.entries()) {
      const actual = history[i];
      if (actual === undefined) throw new Error('no point');
      expectLoan(loanLedger, actual, { loan, at: sample, useStakeRate, what: `${address} ${i}` });
      points += 1;
    }
  }
  expect(points).toBeGreaterThan(LOANS / 2);
}

export async function reconcileLoanPnl(proof: Reconciliation): Promise<void> {
  const loanLedger = createLoanLedger(proof);
  const flows = loanCashFlows(loanLedger, proof.end);
  const restarted = everyLoan(proof).filter(({ address }) => {
    const loanFlows = flows.filter((flow) => flow.obligation === address);
    return positionCashFlows(loanLedger, loanFlows).length < loanFlows.length;
  });
  expect(restarted.length).toBeGreaterThan(0);
  const chosen = [...restarted, ...proof.random.some(everyLoan(proof), LOANS)];
  for (const { address, market } of chosen) {
    const loanFlows = flows.filter((flow) => flow.obligation === address);
    for (const mode of ['current_obligation', 'obligation_all_time']) {
      for (const useStakeRate of [false, true]) {
        const path = `/v2/svc-market/${market}/obligations/${address}/pnl`;
        const query = `?positionMode=${mode}&useStakeRate=${useStakeRate}`;
        const actual = (await proof.api.get(`${path}${query}`)).body as Pnl;
        const counted =
          mode === 'current_obligation' ? positionCashFlows(loanLedger, loanFlows) : loanFlows;
        expectPnl(loanLedger, actual, {
          address,
          flows: counted,
          at: proof.end,
          useStakeRate,
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
  loanLedger: LoanLedger,
  actual: LoanPoint,
  { loan, at, useStakeRate, what }: LoanCase,
): void {
  expectPositions(loanLedger, { actual: actual.deposits, expected: loan.deposits, at, what });
  expectPositions(loanLedger, { actual: actual.borrows, expected: loan.borrows, at, what });
  for (const [name, expected] of Object.entries(loanStats(loan))) {
    expectNear(actual.refreshedStats[name], expected, `${what} ${name}`);
  }
  expect(actual.refreshedStats['potentialElevationGroupUpdate'], what).toBe(0);
  expect(actual.tag, what).toBe(Number(loan.fields.tag));
  const collateral = inSol(loanLedger, loan.deposits, { at, useStakeRate });
  const debt = inSol(loanLedger, loan.borrows, { at, useStakeRate });
  const { obligationSolValues: sol } = actual;
  expectNear(sol['collateralValueSol'], collateral, `${what} collateralValueSol`);
  expectNear(sol['debtValueSol'], debt, `${what} debtValueSol`);
  expectNear(sol['netValueSol'], collateral - debt, `${what} netValueSol`);
  expectNear(sol['solPrice'], loanLedger.reserves.solPrice(at), `${what} solPrice`);
  const times = [sol['timestampSolPrice'], sol['timestampObligation']];
  expect(times, what).toEqual([isoOf(at.unix), isoOf(at.unix)]);
}

type Positions = {
  readonly actual: readonly PositionResponse[];
  readonly expected: readonly ReferencePosition[];
  readonly at: LedgerTime;
  readonly what: string;
};

function expectPositions(
  { reserves }: LoanLedger,
  { actual, expected, at, what }: Positions,
): void {
  expect(actual.length, what).toBe(expected.length);
  for (const [i, { reserve, tokens, usd }] of expected.entries()) {
    const then = reserves.at(at).get(reserve);
    const { amount, marketValueRefreshed, mintAddress } = actual[i] ?? {};
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
  loanLedger: LoanLedger,
  actual: Pnl,
  { address, flows, at, useStakeRate, what }: PnlCase,
) {
  const loan = ledgerLoanAt(loanLedger, address, at) ?? { deposits: [], borrows: [] };
  const net = {
    usd: loanStats(loan).netAccountValue,
    sol:
      inSol(loanLedger, loan.deposits, { at, useStakeRate }) -
      inSol(loanLedger, loan.borrows, { at, useStakeRate }),
  };
  const usd = sum(flows.map((flow) => flow.usd));
  const sol = sum(flows.map((flow) => (useStakeRate ? flow.stakedSol : flow.sol)));
  expectNear(actual.invested['usd'], usd, `${what} invested usd`);
  expectNear(actual.invested['sol'], sol, `${what} invested sol`);
  expectNear(actual.usd, net.usd - usd, `${what} usd`);
  expectNear(actual.sol, net.sol - sol, `${what} sol`);
}
