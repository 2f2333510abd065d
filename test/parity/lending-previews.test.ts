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

/** Of one signature. */
const FEE = 5000n;
/** The client of flow 01 pays it for an empty lookup table, which we do not create. */
const TABLE_RENT = 1_280_640n;

const flows = lendingFlows();
const accepted = flows.filter(({ flow }) => flow.err === null);
const refused = flows.filter(({ flow }) => flow.err !== null);

function forecastOf(placed: LendingFlow): SimulationOutcome {
  const { intent, request } = placed;
  return simulateLending(
    intent,
    request,
    loadExampleContext(lendingBuilders[intent], request, placed).context,
  );
}

type Accounts = ReadonlyMap<Address, GoldenAccount | undefined>;

/** What the wallet has of each token, of the accounts that a flow names. */
function balances(accounts: Accounts, wallet: Address): Map<Address, bigint> {
  const found = new Map<Address, bigint>();
  for (const account of accounts.values()) {
    if (account === undefined || !tokenAccount.matches(account)) continue;
    const { owner, mint, amount } = tokenAccount.decode(account);
    if (owner === wallet) found.set(mint, amount);
  }
  return found;
}

describe('the forecast of a flow that went through', () => {
  test.each(accepted)('$name: tokens move as they did', (placed) => {
    const { flow, request } = placed;
    const before = balances(flow.before, request.wallet);
    const after = balances(flow.after, request.wallet);
    const mints = new Set([...before.keys(), ...after.keys()]);
    const changes = [...mints]
      .map((mint) => ({ mint, change: (after.get(mint) ?? 0n) - (before.get(mint) ?? 0n) }))
      .filter(({ change }) => change !== 0n);
    const { failure, tokens } = forecastOf(placed);
    expect(failure).toBeUndefined();
    expect(tokens.map(({ mint, change }) => ({ mint, change }))).toEqual(changes);
  });

  test.each(accepted)('$name: SOL moves as it did', (placed) => {
    const { flow, request, number } = placed;
    const lamports = (accounts: Accounts) => accounts.get(request.wallet)?.lamports ?? 0n;
    const change = lamports(flow.after) - lamports(flow.before) + FEE;
    expect(forecastOf(placed).lamports).toBe(number === 1 ? change + TABLE_RENT : change);
  });

  test.each(accepted)('$name: the loan ends as it did', (placed) => {
    const left = [...placed.flow.after.values()].flatMap((raw) =>
      raw !== undefined && obligation.matches(raw) ? obligation.decode(raw) : [],
    );
    const { after } = forecastOf(placed).loan ?? {};
    expect(after === undefined ? [] : [positionsOf(after)]).toEqual(left.map(positionsOf));
  });

  test.each(accepted)('$name: the reserve ends as it did', (placed) => {
    const { flow, request } = placed;
    const left = [...flow.after].flatMap(([address, raw]) =>
      raw !== undefined && address === request.reserve ? totalsOf(reserve.decode(raw)) : [],
    );
    const ours = forecastOf(placed).loan?.reservesAfter.get(request.reserve);
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

type Refusal = { readonly InstructionError: readonly [number, { readonly Custom: number }] };

describe('the forecast of a flow that was refused', () => {
  test.each(refused)('$name: with the same code, and nothing moves', (placed) => {
    const [, { Custom: code }] = (placed.flow.err as Refusal).InstructionError;
    const { failure, tokens, lamports, loan } = forecastOf(placed);
    expect(failure?.code).toBe(code);
    expect(failure?.program).toBe(code < 6000 ? 'token' : 'klend');
    expect({ tokens, lamports, after: loan?.after }).toEqual({
      tokens: [],
      lamports: 0n,
      after: undefined,
    });
  });
});

describe('prices that the reserves do not have yet', () => {
  /** An hour after anything was refreshed. */
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

  test('are too old without it', () => {
    expect(borrowing({ prices: () => undefined }).failure).toMatchObject({
      program: 'klend',
      code: 6009,
    });
  });
});

test('flows with SOL are among them, both ways', () => {
  const sol = accepted.filter(({ flow }) => flow.before.has(WRAPPED_SOL_MINT));
  expect(new Set(sol.map(({ intent }) => intent))).toEqual(
    new Set(['deposit', 'borrow', 'repay', 'withdraw']),
  );
});
