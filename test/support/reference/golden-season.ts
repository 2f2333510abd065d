import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { parseDecimal } from '#core/base/numbers/decimal.ts';
import { type ChainTime, toUnixSeconds } from '#core/base/time.ts';
import type { Season } from '#core/views/rewards/seasons/season.ts';
import { goldenReference } from './golden-reference.ts';
import { type Decimal50, divide, multiply, type ReferenceLoan } from './reference-lending.ts';

const GOLDEN_VAULT = toAddress('F6CyyUtP2MHQqcBYwWiiUkS6NYkvLX64z9Kq2rK2Csri');

const DAY = 86_400n;
const YEAR_SECONDS = 31_536_000n;

export type GoldenSeasonTarget = Pick<
  Season['rewards'][number],
  'vault' | 'depositReserve' | 'borrowReserve'
>;

/** The golden cluster by the textbook, and a season over the reserves of one of its pairs. */
export function goldenSeason(changes: Partial<Season> = {}) {
  const book = goldenReference();
  const loans = [...book.obligations].map(([address, { owner }]) => ({
    ...{ address, owner },
    loan: book.loanOf(address),
  }));
  const pair = loans
    .flatMap(({ loan }) => loan.deposits.map((lent) => ({ lent, owed: loan.borrows[0] })))
    .find(({ lent, owed }) => owed !== undefined && owed.reserve !== lent.reserve);
  if (pair?.owed === undefined) throw new Error('no pair');
  const [lent, owed] = [pair.lent.reserve, pair.owed.reserve];
  const rewardToken = book.stored.get(lent)?.liquidity.mintPubkey;
  const price = book.reserves.get(lent)?.price;
  if (rewardToken === undefined || price === undefined) throw new Error('no token');
  const season: Season = {
    source: 'Golden',
    ...seasonTime(book.at),
    rewards: [
      rewardOf({ vault: GOLDEN_VAULT }, '0.25'),
      rewardOf({ depositReserve: lent }, '0.5'),
      rewardOf({ borrowReserve: owed }, '0.125'),
      rewardOf({ depositReserve: lent, borrowReserve: owed }, '2'),
    ],
    boosts: [],
    maxBoost: parseDecimal('1'),
    ...changes,
  };
  return { book, loans, season, lent, owed, rewardToken, price };

  function rewardOf(sides: GoldenSeasonTarget, perSecond: string): Season['rewards'][number] {
    if (rewardToken === undefined) throw new Error('no token');
    const { start: from, end: to } = seasonTime(book.at);
    return { ...sides, rewardToken, tokensPerSecond: parseDecimal(perSecond), from, to };
  }
}

const seasonTime = ({ unix }: ChainTime) => ({
  start: toUnixSeconds(unix - 10n * DAY),
  end: toUnixSeconds(unix + 10n * DAY),
});

/** What a reward for loans counts of one, by hand. */
export function referenceEligible(
  { deposits, borrows }: ReferenceLoan,
  { depositReserve, borrowReserve }: GoldenSeasonTarget,
): Decimal50 {
  const usdIn = (positions: ReferenceLoan['deposits'], reserve: Address | undefined): Decimal50 =>
    positions.filter((each) => each.reserve === reserve).reduce((sum, { usd }) => sum + usd, 0n);
  const debt = usdIn(borrows, borrowReserve);
  if (depositReserve === undefined) return debt;
  return borrowReserve !== undefined && debt === 0n ? 0n : usdIn(deposits, depositReserve);
}

/** Tokens of a year, at their price, over what they are given for. */
export const referenceApy = (
  perSecond: Decimal50,
  price: Decimal50,
  eligible: Decimal50,
): Decimal50 => divide(multiply(perSecond * YEAR_SECONDS, price), eligible);
