import type { Address } from '#core/base/encoding/address.ts';
import type { Build, Builder, Scene } from '#core/builders/build.ts';
import { lendBorrow } from '#core/builders/lending/borrow-builder.ts';
import { lendDeposit } from '#core/builders/lending/deposit-builder.ts';
import type { LendingIntent, LendingRequest } from '#core/builders/lending/lending-request.ts';
import { lendRepay } from '#core/builders/lending/repay-builder.ts';
import { lendWithdraw } from '#core/builders/lending/withdraw-builder.ts';
import { forecastLending } from '#core/builders/simulation/simulate-lending.ts';
import type { Forecast } from '#core/builders/simulation/simulation-outcome.ts';
import { associatedToken } from '#core/protocol/spl/associated-token.ts';
import { WRAPPED_SOL_MINT } from '#core/protocol/spl/programs.ts';
import type { Dice } from '#localnet/genesis/seed/seeded-random.ts';
import { type LoanKind, loanKindOf } from './loan-kind.ts';
import type { ActingCluster, Message } from './random-cluster.ts';

/** What somebody wants to do. */
export type Act = { readonly words: string; readonly prepare: () => Prepared };

/** A transaction; what it was built from, and what is said before of how it ends, where a builder made it. */
export type Prepared = {
  readonly build: Message;
  readonly told?: {
    readonly build: Build;
    readonly scene: Scene;
    readonly forecast: (scene: Scene) => Forecast;
  };
};

export type Chooser = {
  readonly cluster: ActingCluster;
  readonly dice: Dice;
  readonly wallet: Address;
};

const builders: Readonly<Record<LendingIntent, Builder<LendingRequest>>> = {
  deposit: lendDeposit,
  borrow: lendBorrow,
  repay: lendRepay,
  withdraw: lendWithdraw,
};

export function randomDeposit(chooser: Chooser): Act {
  const { cluster, dice } = chooser;
  const market = pickOf(dice, cluster.state.markets()).address;
  const places = cluster.state.reservesOf(market).map(({ address, fields }) => {
    const { mintPubkey: mint, tokenProgram } = fields.liquidity;
    return { reserve: address, mint, has: pocketOf(chooser, { mint, tokenProgram }) };
  });
  const { reserve, mint, has } = pickHeld(dice, places);
  const others = cluster.state.reservesOf(market).map((each) => each.fields.liquidity.mintPubkey);
  const obligation = randomKind(dice, mint, pickOf(dice, others));
  return act(chooser, 'deposit', { market, reserve, amount: partOf(dice, has), obligation });
}

export function randomBorrow(chooser: Chooser): Act | undefined {
  const { cluster, dice, wallet } = chooser;
  const loan = maybePick(dice, cluster.state.obligationsOf(wallet));
  if (loan === undefined) return undefined;
  const { lendingMarket: market, allowedBorrowValueSf } = loan.fields;
  const roomSf = allowedBorrowValueSf - loan.fields.borrowFactorAdjustedDebtValueSf;
  const { address: reserve, fields } = pickOf(dice, cluster.state.reservesOf(market));
  const { marketPriceSf, mintDecimals } = fields.liquidity;
  const most = roomSf <= 0n ? 0n : (roomSf * 10n ** mintDecimals) / (marketPriceSf + 1n);
  const obligation = loanKindOf(cluster.state, loan.address);
  return act(chooser, 'borrow', {
    ...{ market, reserve, obligation },
    amount: partOf(dice, most),
  });
}

/** Of a debt that the wallet has. */
export function randomRepay(chooser: Chooser): Act | undefined {
  const { cluster, dice, wallet } = chooser;
  const debts = cluster.state.obligationsOf(wallet).flatMap(({ address }) => {
    const loan = cluster.book.obligation.get(address);
    return (loan?.borrows ?? []).map((borrow) => ({ address, ...borrow }));
  });
  const debt = maybePick(dice, debts);
  if (debt === undefined) return undefined;
  return positionAct(chooser, 'repay', { ...debt, whole: debt.borrowedSf >> 60n });
}

/** Of a deposit that the wallet has. */
export function randomWithdraw(chooser: Chooser): Act | undefined {
  const { cluster, dice, wallet } = chooser;
  const deposits = cluster.state.obligationsOf(wallet).flatMap(({ address }) => {
    const loan = cluster.book.obligation.get(address);
    return (loan?.deposits ?? []).map((deposit) => ({ address, ...deposit }));
  });
  const deposit = maybePick(dice, deposits);
  if (deposit === undefined) return undefined;
  return positionAct(chooser, 'withdraw', { ...deposit, whole: deposit.amount });
}

type Position = { readonly address: Address; readonly reserve: Address; readonly whole: bigint };

function positionAct(
  chooser: Chooser,
  intent: LendingIntent,
  { address, reserve, whole }: Position,
): Act | undefined {
  const { cluster, dice } = chooser;
  const market = cluster.state.reserve(reserve)?.fields.lendingMarket;
  const obligation = loanKindOf(cluster.state, address);
  if (market === undefined) return undefined;
  const amount = dice.between(0n, 3n) === 0n ? 'all' : partOf(dice, whole);
  return act(chooser, intent, { market, reserve, amount, obligation });
}

type Asked = Omit<LendingRequest, 'wallet'>;

function act({ cluster, wallet }: Chooser, intent: LendingIntent, asked: Asked): Act {
  const request = { ...asked, wallet };
  const builder = builders[intent];
  return {
    words: `${intent} ${inWords(request)}`,
    prepare: () =>
      prepared(cluster, builder, {
        request,
        forecast: (scene) => forecastLending(intent, request, scene),
      }),
  };
}

type Asking<Request> = {
  readonly request: Request;
  readonly forecast: (scene: Scene) => Forecast;
};

/** Built from the state as it is now. */
export function prepared<Request extends object>(
  cluster: ActingCluster,
  builder: Builder<Request>,
  { request, forecast }: Asking<Request>,
): Prepared {
  const scene = cluster.scene(builder, request);
  const build = builder.build(request, scene);
  return { build, told: { build, scene, forecast } };
}

/** Amounts as they are written in code. */
export const inWords = (request: object): string =>
  JSON.stringify(request, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

/** Mostly the plain loan; sometimes a second one, or one of another kind. */
function randomKind(dice: Dice, mint: Address, debtMint: Address): LoanKind {
  return dice.pick<LoanKind>([
    ...([{ kind: 'vanilla' }, { kind: 'vanilla' }, { kind: 'vanilla' }] as const),
    { kind: 'vanilla', id: 1 },
    { kind: 'lending', mint },
    { kind: 'multiply', collateralMint: mint, debtMint },
  ]);
}

/** From next to nothing to a little more than there is. */
export function partOf(dice: Dice, whole: bigint): bigint {
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
export const pocketOf = (
  { cluster, wallet }: Pick<Chooser, 'cluster' | 'wallet'>,
  { mint, tokenProgram }: Token,
): bigint =>
  mint === WRAPPED_SOL_MINT
    ? cluster.book.lamports(wallet)
    : cluster.book.balance(associatedToken(wallet, mint, tokenProgram));

/** Nearly always one of which the wallet has some. */
export function pickHeld<Item extends { readonly has: bigint }>(
  dice: Dice,
  items: readonly Item[],
): Item {
  const held = items.filter(({ has }) => has > 0n);
  return pickOf(dice, held.length === 0 || dice.between(0n, 19n) === 0n ? items : held);
}

export function pickOf<Item>(dice: Dice, items: readonly Item[]): Item {
  const picked = maybePick(dice, items);
  if (picked === undefined) throw new RangeError('there is nothing to pick from');
  return picked;
}

export function maybePick<Item>(dice: Dice, items: readonly Item[]): Item | undefined {
  if (items.length === 0) return undefined;
  return items[Number(dice.between(0n, BigInt(items.length - 1)))];
}
