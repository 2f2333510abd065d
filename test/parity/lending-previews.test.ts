import { describe, expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { borrowBuilder } from '#core/builders/lending/borrow-builder.ts';
import { simulateLending } from '#core/builders/simulation/simulate-lending.ts';
import type { SimulationOutcome } from '#core/builders/simulation/simulation-outcome.ts';
import { type Obligation, obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { WRAPPED_SOL_MINT } from '#core/protocol/spl/programs.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { loadExampleContext } from '../support/builders/load-build-context.ts';
import { type LendingFlow, lendingBuilders, lendingFlows } from '../support/flows/lending-flows.ts';
import type { GoldenAccount } from '../support/golden/golden.ts';
import { RECORDED_BUILD_RULES } from '../support/golden/recorded-build.ts';

/** The fee of one signature. */
const FEE = 5000n;
/** In flow 01 the client pays it for an empty lookup table, which Tidegate does not create. */
const TABLE_RENT = 1_280_640n;

/** Under the rules of the build that recorded them. */
const flows = lendingFlows().map((placed) => ({
  ...placed,
  state: { ...placed.state, rulesAt: () => RECORDED_BUILD_RULES },
}));
const accepted = flows.filter(({ flow }) => flow.err === null);
const failed = flows.filter(({ flow }) => flow.err !== null);

function previewOf(placed: LendingFlow): SimulationOutcome {
  const { intent, request } = placed;
  return simulateLending(
    intent,
    request,
    loadExampleContext(lendingBuilders[intent], request, placed).context,
  );
}

type Accounts = ReadonlyMap<Address, GoldenAccount | undefined>;

/** The token balances of the wallet in the accounts of a flow. */
function balances(accounts: Accounts, wallet: Address): Map<Address, bigint> {
  const found = new Map<Address, bigint>();
  for (const account of accounts.values()) {
    if (account === undefined || !tokenAccount.matches(account)) continue;
    const { owner, mint, amount } = tokenAccount.decode(account);
    if (owner === wallet) found.set(mint, amount);
  }
  return found;
}

describe('the preview of a successful flow', () => {
  test.each(accepted)('$name: has the recorded token changes', (placed) => {
    const { flow, request } = placed;
    const before = balances(flow.before, request.wallet);
    const after = balances(flow.after, request.wallet);
    const mints = new Set([...before.keys(), ...after.keys()]);
    const changes = [...mints]
      .map((mint) => ({ mint, change: (after.get(mint) ?? 0n) - (before.get(mint) ?? 0n) }))
      .filter(({ change }) => change !== 0n);
    const { failure, tokens } = previewOf(placed);
    expect(failure).toBeUndefined();
    expect(tokens.map(({ mint, change }) => ({ mint, change }))).toEqual(changes);
  });

  test.each(accepted)('$name: has the recorded SOL change', (placed) => {
    const { flow, request, number } = placed;
    const lamports = (accounts: Accounts) => accounts.get(request.wallet)?.lamports ?? 0n;
    const change = lamports(flow.after) - lamports(flow.before) + FEE;
    expect(previewOf(placed).lamports).toBe(number === 1 ? change + TABLE_RENT : change);
  });

  test.each(accepted)('$name: has the recorded loan', (placed) => {
    const left = [...placed.flow.after.values()].flatMap((raw) =>
      raw !== undefined && obligation.matches(raw) ? obligation.decode(raw) : [],
    );
    const { after } = previewOf(placed).loan ?? {};
    expect(after === undefined ? [] : [positionsOf(after)]).toEqual(left.map(positionsOf));
  });

  test.each(accepted)('$name: has the recorded reserve', (placed) => {
    const { flow, request } = placed;
    const left = [...flow.after].flatMap(([address, raw]) =>
      raw !== undefined && address === request.reserve ? totalsOf(reserve.decode(raw)) : [],
    );
    const ours = previewOf(placed).loan?.reservesAfter.get(request.reserve);
    expect(ours && [totalsOf(ours)]).toEqual(left);
  });
});

const positionsOf = ({ deposits, borrows }: Obligation) => ({
  deposits: deposits.map(({ depositReserve, depositedAmount }) => [
    depositReserve,
    depositedAmount,
  ]),
  borrows: borrows.map(({ borrowReserve, borrowedAmountSf }) => [borrowReserve, borrowedAmountSf]),
});

const totalsOf = ({ liquidity, collateral }: Reserve) => ({
  available: liquidity.totalAvailableAmount,
  borrowed: liquidity.borrowedAmountSf,
  collateral: collateral.mintTotalSupply,
});

type ProgramFailure = { readonly InstructionError: readonly [number, { readonly Custom: number }] };

describe('the preview of a failed flow', () => {
  test.each(failed)('$name: has the same error code and no changes', (placed) => {
    const [, { Custom: code }] = (placed.flow.err as ProgramFailure).InstructionError;
    const { failure, tokens, lamports, loan } = previewOf(placed);
    expect(failure?.code).toBe(code);
    expect(failure?.program).toBe(code < 6000 ? 'token' : 'klend');
    expect({ tokens, lamports, after: loan?.after }).toEqual({
      tokens: [],
      lamports: 0n,
      after: undefined,
    });
  });
});

describe('prices that are newer than the reserves', () => {
  /** An hour after the last refresh. */
  const late = flows.find(({ number }) => number === 3);

  function borrowing(changes: Partial<ClusterReader>): SimulationOutcome {
    if (late === undefined) throw new Error('there is no flow 03');
    const request = { ...late.request, amount: 1_000_000_000n };
    const { context } = loadExampleContext(borrowBuilder, request, late);
    return simulateLending('borrow', request, { ...context, state: { ...late.state, ...changes } });
  }

  test('come from the oracle', () => {
    expect(borrowing({}).failure).toBeUndefined();
  });

  test('are too old without the oracle', () => {
    expect(borrowing({ prices: () => undefined }).failure).toMatchObject({
      program: 'klend',
      code: 6009,
    });
  });
});

test('the flows include SOL deposits and withdrawals', () => {
  const sol = accepted.filter(({ flow }) => flow.before.has(WRAPPED_SOL_MINT));
  expect(new Set(sol.map(({ intent }) => intent))).toEqual(
    new Set(['deposit', 'borrow', 'repay', 'withdraw']),
  );
});
