import type { Ratio } from '../../base/numbers/decimal.ts';
import { addRatio, compareRatios, mulRatio } from '../../base/numbers/ratio.ts';
import type { UnixSeconds } from '../../base/time.ts';

/** A price at a time; positive. */
export type PricePoint = { readonly at: UnixSeconds; readonly price: Ratio };

/** From one price to a later one. */
export type PriceMove = {
  /** As a fraction of the earlier price; negative for a fall. */
  readonly change: Ratio;
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
};

/** What a price did within a length of time, in one direction. */
export type DirectedMoves = {
  /** Undefined if the price never moved this way. */
  readonly largest: PriceMove | undefined;
  /** How many times it moved by the size or more: each count begins after the end of the one before. */
  readonly count: number;
};

export type PriceMoves = { readonly falls: DirectedMoves; readonly rises: DirectedMoves };

type MoveQuery = {
  readonly seconds: bigint;
  /** The fraction of the earlier price that counts. */
  readonly size: Ratio;
};

/** The moves between any two points that are at most `seconds` apart. `points` must ascend. */
export const viewPriceMoves = (points: readonly PricePoint[], query: MoveQuery): PriceMoves => ({
  falls: movesOf(points, query, -1n),
  rises: movesOf(points, query, 1n),
});

type Direction = -1n | 1n;

function movesOf(
  points: readonly PricePoint[],
  { seconds, size }: MoveQuery,
  direction: Direction,
): DirectedMoves {
  const all = new RecentExtreme(seconds, direction);
  const sinceCounted = new RecentExtreme(seconds, direction);
  let largest: PriceMove | undefined;
  let count = 0;
  for (const point of points) {
    const move = moveBetween(all.add(point), point);
    if (isBeyond(move.change, largest?.change ?? ZERO, direction)) largest = move;
    const { change } = moveBetween(sinceCounted.add(point), point);
    if (!isBeyond(sizeIn(direction, size), change, direction) && change.numerator !== 0n) {
      count += 1;
      sinceCounted.restart(point);
    }
  }
  return { largest, count };
}

const ZERO: Ratio = { numerator: 0n, denominator: 1n };
const MINUS_ONE: Ratio = { numerator: -1n, denominator: 1n };

const sizeIn = (direction: Direction, { numerator, denominator }: Ratio): Ratio => ({
  numerator: numerator * direction,
  denominator,
});

/** Whether `a` is further in the direction than `b`. */
const isBeyond = (a: Ratio, b: Ratio, direction: Direction): boolean =>
  BigInt(compareRatios(a, b)) === direction;

const moveBetween = (from: PricePoint, to: PricePoint): PriceMove => ({
  change: addRatio(mulRatio(to.price, inverse(from.price)), MINUS_ONE),
  from: from.at,
  to: to.at,
});

const inverse = ({ numerator, denominator }: Ratio): Ratio => ({
  numerator: denominator,
  denominator: numerator,
});

/** The price from which the way to the newest one is longest: the highest before a fall, the lowest before a rise. */
class RecentExtreme {
  readonly #seconds: bigint;
  readonly #direction: Direction;
  /** Ascending in time; each one is less extreme than those before it. */
  #candidates: PricePoint[] = [];

  constructor(seconds: bigint, direction: Direction) {
    this.#seconds = seconds;
    this.#direction = direction;
  }

  /** The extreme of the points up to this one. */
  add(point: PricePoint): PricePoint {
    while (this.#isObsolete(this.#candidates.at(-1), point)) this.#candidates.pop();
    this.#candidates.push(point);
    const first = this.#candidates.findIndex(({ at }) => point.at - at <= this.#seconds);
    if (first > 0) this.#candidates.splice(0, first);
    return this.#candidates[0] ?? point;
  }

  restart(point: PricePoint): void {
    this.#candidates = [point];
  }

  #isObsolete(candidate: PricePoint | undefined, point: PricePoint): boolean {
    return candidate !== undefined && !isBeyond(point.price, candidate.price, this.#direction);
  }
}
