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

/** What somebody wants to do. */
export type RandomAction = { readonly words: string; readonly prepare: () => PreparedTransaction };

/** A transaction; what it was built from, and what is said before of how it ends, where a builder made it. */
export type PreparedTransaction = {
  readonly build: TransactionPlan;
  readonly told?: {
    readonly build: Build;
    readonly scene: BuildContext;
    readonly forecast: (scene: BuildContext) => SimulationOutcome;
  };
};

export type ActionContext = {
  readonly cluster: RandomCluster;
  readonly dice: SeededRandom;
  readonly wallet: Address;
};

const builders: Readonly<Record<LendingActionKind, Builder<LendingRequest>>> = {
  deposit: depositBuilder,
  borrow: borrowBuilder,
  repay: repayBuilder,
  withdraw: withdrawBuilder,
};

export function randomDeposit(chooser: ActionContext): RandomAction {
  const { cluster, dice } = chooser;
  const market = pickItem(dice, cluster.state.markets()).address;
  const places = cluster.state.reservesOf(market).map(({ address, fields }) => {
    const { mintPubkey: mint, tokenProgram } = fields.liquidity;
    return { reserve: address, mint, has: spendableBalance(chooser, { mint, tokenProgram }) };
  });
  const { reserve, mint, has } = pickMostlyHeld(dice, places);
  const others = cluster.state.reservesOf(market).map((each) => each.fields.liquidity.mintPubkey);
  const obligation = randomKind(dice, mint, pickItem(dice, others));
  return act(chooser, 'deposit', { market, reserve, amount: randomPart(dice, has), obligation });
}

export function randomBorrow(chooser: ActionContext): RandomAction | undefined {
  const { cluster, dice, wallet } = chooser;
  const loan = pickOptionalItem(dice, cluster.state.obligationsOf(wallet));
  if (loan === undefined) return undefined;
  const { lendingMarket: market, allowedBorrowValueSf } = loan.fields;
  const roomSf = allowedBorrowValueSf - loan.fields.borrowFactorAdjustedDebtValueSf;
  const { address: reserve, fields } = pickItem(dice, cluster.state.reservesOf(market));
  const { marketPriceSf, mintDecimals } = fields.liquidity;
  const most = roomSf <= 0n ? 0n : (roomSf * 10n ** mintDecimals) / (marketPriceSf + 1n);
  const obligation = findLoanKind(cluster.state, loan.address);
  return act(chooser, 'borrow', {
    ...{ market, reserve, obligation },
    amount: randomPart(dice, most),
  });
}

/** Of a debt that the wallet has. */
export function randomRepay(chooser: ActionContext): RandomAction | undefined {
  const { cluster, dice, wallet } = chooser;
  const debts = cluster.state.obligationsOf(wallet).flatMap(({ address }) => {
    const loan = cluster.book.obligation.get(address);
    return (loan?.borrows ?? []).map((borrow) => ({ address, ...borrow }));
  });
  const debt = pickOptionalItem(dice, debts);
  if (debt === undefined) return undefined;
  return positionAct(chooser, 'repay', { ...debt, whole: debt.borrowedSf >> 60n });
}

/** Of a deposit that the wallet has. */
export function randomWithdraw(chooser: ActionContext): RandomAction | undefined {
  const { cluster, dice, wallet } = chooser;
  const deposits = cluster.state.obligationsOf(wallet).flatMap(({ address }) => {
    const loan = cluster.book.obligation.get(address);
    return (loan?.deposits ?? []).map((deposit) => ({ address, ...deposit }));
  });
  const deposit = pickOptionalItem(dice, deposits);
  if (deposit === undefined) return undefined;
  return positionAct(chooser, 'withdraw', { ...deposit, whole: deposit.amount });
}

type Position = { readonly address: Address; readonly reserve: Address; readonly whole: bigint };

function positionAct(
  chooser: ActionContext,
  intent: LendingActionKind,
  { address, reserve, whole }: Position,
): RandomAction | undefined {
  const { cluster, dice } = chooser;
  const market = cluster.state.reserve(reserve)?.fields.lendingMarket;
  const obligation = findLoanKind(cluster.state, address);
  if (market === undefined) return undefined;
  const amount = dice.between(0n, 3n) === 0n ? 'all' : randomPart(dice, whole);
  return act(chooser, intent, { market, reserve, amount, obligation });
}

type Asked = Omit<LendingRequest, 'wallet'>;

function act(
  { cluster, wallet }: ActionContext,
  intent: LendingActionKind,
  asked: Asked,
): RandomAction {
  const request = { ...asked, wallet };
  const builder = builders[intent];
  return {
    words: `${intent} ${describeRequest(request)}`,
    prepare: () =>
      prepareAction(cluster, builder, {
        request,
        forecast: (scene) => simulateLending(intent, request, scene),
      }),
  };
}

type Asking<Request> = {
  readonly request: Request;
  readonly forecast: (scene: BuildContext) => SimulationOutcome;
};

/** Built from the state as it is now. */
export function prepareAction<Request extends object>(
  cluster: RandomCluster,
  builder: Builder<Request>,
  { request, forecast }: Asking<Request>,
): PreparedTransaction {
  const scene = cluster.scene(builder, request);
  const build = builder.build(request, scene);
  return { build, told: { build, scene, forecast } };
}

/** Amounts as they are written in code. */
export const describeRequest = (request: object): string =>
  JSON.stringify(request, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

/** Mostly the plain loan; sometimes a second one, or one of another kind. */
function randomKind(dice: SeededRandom, mint: Address, debtMint: Address): LoanKind {
  return dice.pick<LoanKind>([
    ...([{ kind: 'vanilla' }, { kind: 'vanilla' }, { kind: 'vanilla' }] as const),
    { kind: 'vanilla', id: 1 },
    { kind: 'lending', mint },
    { kind: 'multiply', collateralMint: mint, debtMint },
  ]);
}

/** From next to nothing to a little more than there is. */
export function randomPart(dice: SeededRandom, whole: bigint): bigint {
  const most = whole > 1n ? whole : 1n;
  switch (dice.between(0n, 11n)) {
    case 0n:
      return dice.between(1n, 2_000n);
    case 1n:
      return most;
    case 2n:
      return most + dice.between(1n, most / 10n + 1n);
    default:
      return (most * dice.between(1n, 600n)) / 1_000n + 1n;
  }
}

type Token = { readonly mint: Address; readonly tokenProgram: Address };

/** What a wallet could spend. Builders wrap SOL. */
export const spendableBalance = (
  { cluster, wallet }: Pick<ActionContext, 'cluster' | 'wallet'>,
  { mint, tokenProgram }: Token,
): bigint =>
  mint === WRAPPED_SOL_MINT
    ? cluster.book.lamports(wallet)
    : cluster.book.balance(associatedTokenAddress(wallet, mint, tokenProgram));

/** Nearly always one of which the wallet has some. */
export function pickMostlyHeld<Item extends { readonly has: bigint }>(
  dice: SeededRandom,
  items: readonly Item[],
): Item {
  const held = items.filter(({ has }) => has > 0n);
  return pickItem(dice, held.length === 0 || dice.between(0n, 19n) === 0n ? items : held);
}

export function pickItem<Item>(dice: SeededRandom, items: readonly Item[]): Item {
  const picked = pickOptionalItem(dice, items);
  if (picked === undefined) throw new RangeError('there is nothing to pick from');
  return picked;
}

export function pickOptionalItem<Item>(
  dice: SeededRandom,
  items: readonly Item[],
): Item | undefined {
  if (items.length === 0) return undefined;
  return items[Number(dice.between(0n, BigInt(items.length - 1)))];
}
