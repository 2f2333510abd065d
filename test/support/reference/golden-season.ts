import type { Address } from '#core/base/encoding/address.ts';
import { parseDecimal } from '#core/base/numbers/decimal.ts';
import { type ChainTime, toUnixSeconds } from '#core/base/time.ts';
import type { Season } from '#core/views/rewards/seasons/season.ts';
import { goldenVault } from '../golden/golden-addresses.ts';
import { goldenReference } from './golden-reference.ts';
import { type Decimal50, divide, multiply, type ReferenceLoan } from './reference-lending.ts';

const GOLDEN_VAULT = goldenVault('Steady USDC').address;

const DAY = 86_400n;
const YEAR_SECONDS = 31_536_000n;

export type GoldenSeasonTarget = Pick<
  Season['rewards'][number],
  'vault' | 'depositReserve' | 'borrowReserve'
>;

/** Reference values of the golden cluster and a season for the reserves of one loan. */
export function goldenSeason(changes: Partial<Season> = {}) {
  const reference = goldenReference();
  const loans = [...reference.obligations].map(([address, { owner }]) => ({
    address,
    owner,
    loan: reference.loanOf(address),
  }));
  const pair = loans
    .flatMap(({ loan }) => loan.deposits.map((lent) => ({ lent, owed: loan.borrows[0] })))
    .find(({ lent, owed }) => owed !== undefined && owed.reserve !== lent.reserve);
  if (pair?.owed === undefined) throw new Error('no pair');
  const [lent, owed] = [pair.lent.reserve, pair.owed.reserve];
  const rewardToken = reference.stored.get(lent)?.liquidity.mintPubkey;
  const price = reference.reserves.get(lent)?.price;
  if (rewardToken === undefined || price === undefined) throw new Error('no token');
  const season: Season = {
    source: 'Golden',
    ...seasonTime(reference.at),
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
  return { reference, loans, season, lent, owed, rewardToken, price };

  function rewardOf(target: GoldenSeasonTarget, perSecond: string): Season['rewards'][number] {
    if (rewardToken === undefined) throw new Error('no token');
    const { start: from, end: to } = seasonTime(reference.at);
    return { ...target, rewardToken, tokensPerSecond: parseDecimal(perSecond), from, to };
  }
}

const seasonTime = ({ unix }: ChainTime) => ({
  start: toUnixSeconds(unix - 10n * DAY),
  end: toUnixSeconds(unix + 10n * DAY),
});

/** The eligible value of a loan for a reward. */
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

/** The yearly reward value divided by the eligible value. */
export const referenceApy = (
  perSecond: Decimal50,
  price: Decimal50,
  eligible: Decimal50,
): Decimal50 => divide(multiply(perSecond * YEAR_SECONDS, price), eligible);
