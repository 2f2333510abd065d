import type { Address } from '#core/base/encoding/address.ts';
import type { Build, BuildContext, Builder } from '#core/builders/build.ts';
import { borrowBuilder } from '#core/builders/lending/borrow-builder.ts';
import { depositBuilder } from '#core/builders/lending/deposit-builder.ts';
import type { LendingActionKind, LendingRequest } from '#core/builders/lending/lending-request.ts';
import { repayBuilder } from '#core/builders/lending/repay-builder.ts';
import { withdrawBuilder } from '#core/builders/lending/withdraw-builder.ts';
import { simulateLending } from '#core/builders/simulation/simulate-lending.ts';
import type { SimulationOutcome } from '#core/builders/simulation/simulation-outcome.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { WRAPPED_SOL_MINT } from '#core/protocol/spl/programs.ts';
import type { SeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { findLoanKind, type LoanKind } from './loan-kind.ts';
import type { RandomCluster, TransactionPlan } from './random-cluster.ts';

/** A random action of a wallet. */
export type RandomAction = {
  readonly description: string;
  readonly prepare: () => PreparedTransaction;
};

/** A transaction and, if a builder built it, its preview. */
export type PreparedTransaction = {
  readonly build: TransactionPlan;
  readonly preview?: {
    readonly build: Build;
    readonly context: BuildContext;
    readonly simulate: (context: BuildContext) => SimulationOutcome;
  };
};

export type ActionContext = {
  readonly cluster: RandomCluster;
  readonly random: SeededRandom;
  readonly wallet: Address;
};

const builders: Readonly<Record<LendingActionKind, Builder<LendingRequest>>> = {
  deposit: depositBuilder,
  borrow: borrowBuilder,
  repay: repayBuilder,
  withdraw: withdrawBuilder,
};

export function randomDeposit(context: ActionContext): RandomAction {
  const { cluster, random } = context;
  const market = pickItem(random, cluster.state.markets()).address;
  const options = cluster.state.reservesOf(market).map(({ address, fields }) => {
    const { mintPubkey: mint, tokenProgram } = fields.liquidity;
    return { reserve: address, mint, balance: spendableBalance(context, { mint, tokenProgram }) };
  });
  const { reserve, mint, balance } = pickMostlyHeld(random, options);
  const others = cluster.state.reservesOf(market).map((each) => each.fields.liquidity.mintPubkey);
  const obligation = randomKind(random, mint, pickItem(random, others));
  return lendingAction(context, 'deposit', {
    market,
    reserve,
    amount: randomPart(random, balance),
    obligation,
  });
}

export function randomBorrow(context: ActionContext): RandomAction | undefined {
  const { cluster, random, wallet } = context;
  const loan = pickOptionalItem(random, cluster.state.obligationsOf(wallet));
  if (loan === undefined) return undefined;
  const { lendingMarket: market, allowedBorrowValueSf } = loan.fields;
  const remainingSf = allowedBorrowValueSf - loan.fields.borrowFactorAdjustedDebtValueSf;
  const { address: reserve, fields } = pickItem(random, cluster.state.reservesOf(market));
  const { marketPriceSf, mintDecimals } = fields.liquidity;
  const limit = remainingSf <= 0n ? 0n : (remainingSf * 10n ** mintDecimals) / (marketPriceSf + 1n);
  const obligation = findLoanKind(cluster.state, loan.address);
  const amount = randomPart(random, limit);
  return lendingAction(context, 'borrow', { market, reserve, obligation, amount });
}

/** Repays one of the wallet's debts. */
export function randomRepay(context: ActionContext): RandomAction | undefined {
  const { cluster, random, wallet } = context;
  const debts = cluster.state.obligationsOf(wallet).flatMap(({ address }) => {
    const loan = cluster.accountIndex.obligation.get(address);
    return (loan?.borrows ?? []).map((borrow) => ({ address, ...borrow }));
  });
  const debt = pickOptionalItem(random, debts);
  if (debt === undefined) return undefined;
  return positionAction(context, 'repay', { ...debt, whole: debt.borrowedSf >> 60n });
}

/** Withdraws from one of the wallet's deposits. */
export function randomWithdraw(context: ActionContext): RandomAction | undefined {
  const { cluster, random, wallet } = context;
  const deposits = cluster.state.obligationsOf(wallet).flatMap(({ address }) => {
    const loan = cluster.accountIndex.obligation.get(address);
    return (loan?.deposits ?? []).map((deposit) => ({ address, ...deposit }));
  });
  const deposit = pickOptionalItem(random, deposits);
  if (deposit === undefined) return undefined;
  return positionAction(context, 'withdraw', { ...deposit, whole: deposit.amount });
}

type Position = { readonly address: Address; readonly reserve: Address; readonly whole: bigint };

function positionAction(
  context: ActionContext,
  intent: LendingActionKind,
  { address, reserve, whole }: Position,
): RandomAction | undefined {
  const { cluster, random } = context;
  const market = cluster.state.reserve(reserve)?.fields.lendingMarket;
  const obligation = findLoanKind(cluster.state, address);
  if (market === undefined) return undefined;
  const amount = random.between(0n, 3n) === 0n ? 'all' : randomPart(random, whole);
  return lendingAction(context, intent, { market, reserve, amount, obligation });
}

type ActionRequest = Omit<LendingRequest, 'wallet'>;

function lendingAction(
  { cluster, wallet }: ActionContext,
  intent: LendingActionKind,
  parameters: ActionRequest,
): RandomAction {
  const request = { ...parameters, wallet };
  const builder = builders[intent];
  return {
    description: `${intent} ${describeRequest(request)}`,
    prepare: () =>
      prepareAction(cluster, builder, {
        request,
        simulate: (context) => simulateLending(intent, request, context),
      }),
  };
}

type ActionParameters<Request> = {
  readonly request: Request;
  readonly simulate: (context: BuildContext) => SimulationOutcome;
};

/** Builds from the current state. */
export function prepareAction<Request extends object>(
  cluster: RandomCluster,
  builder: Builder<Request>,
  { request, simulate }: ActionParameters<Request>,
): PreparedTransaction {
  const context = cluster.buildContext(builder, request);
  const build = builder.build(request, context);
  return { build, preview: { build, context, simulate } };
}

/** JSON, with amounts as bigint literals. */
export const describeRequest = (request: object): string =>
  JSON.stringify(request, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

/** Usually the plain loan; sometimes a second one, or another kind. */
function randomKind(random: SeededRandom, mint: Address, debtMint: Address): LoanKind {
  return random.pick<LoanKind>([
    ...([{ kind: 'vanilla' }, { kind: 'vanilla' }, { kind: 'vanilla' }] as const),
    { kind: 'vanilla', id: 1 },
    { kind: 'lending', mint },
    { kind: 'multiply', collateralMint: mint, debtMint },
  ]);
}

/** From almost nothing to slightly more than the whole. */
export function randomPart(random: SeededRandom, whole: bigint): bigint {
  const limit = whole > 1n ? whole : 1n;
  switch (random.between(0n, 11n)) {
    case 0n:
      return random.between(1n, 2_000n);
    case 1n:
      return limit;
    case 2n:
      return limit + random.between(1n, limit / 10n + 1n);
    default:
      return (limit * random.between(1n, 600n)) / 1_000n + 1n;
  }
}

type Token = { readonly mint: Address; readonly tokenProgram: Address };

/** The wallet's spendable balance. For SOL that is lamports, because builders wrap them. */
export const spendableBalance = (
  { cluster, wallet }: Pick<ActionContext, 'cluster' | 'wallet'>,
  { mint, tokenProgram }: Token,
): bigint =>
  mint === WRAPPED_SOL_MINT
    ? cluster.accountIndex.lamports(wallet)
    : cluster.accountIndex.balance(associatedTokenAddress(wallet, mint, tokenProgram));

/** Almost always an item with a balance. */
export function pickMostlyHeld<Item extends { readonly balance: bigint }>(
  random: SeededRandom,
  items: readonly Item[],
): Item {
  const held = items.filter(({ balance }) => balance > 0n);
  return pickItem(random, held.length === 0 || random.between(0n, 19n) === 0n ? items : held);
}

export function pickItem<Item>(random: SeededRandom, items: readonly Item[]): Item {
  const picked = pickOptionalItem(random, items);
  if (picked === undefined) throw new RangeError('no items to pick from');
  return picked;
}

export function pickOptionalItem<Item>(
  random: SeededRandom,
  items: readonly Item[],
): Item | undefined {
  if (items.length === 0) return undefined;
  return items[Number(random.between(0n, BigInt(items.length - 1)))];
}
