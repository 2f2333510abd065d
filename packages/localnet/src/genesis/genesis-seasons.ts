import { parseDecimal, type TimeRange, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import type { Season, SeasonReward } from '@tidegate/core/views/rewards';
import { reserveAddress } from './accounts/market.ts';
import { vaultAddress } from './accounts/vault.ts';
import type { Bootstrap } from './seed/bootstrap.ts';
import type { SeededKeys } from './seed/seeded-keys.ts';
import { tokenBySymbol } from './specs/token-specs.ts';
import { DEMO_WALLET_INDEX, walletAddress } from './wallets.ts';

const SECONDS_PER_DAY = 86_400n;

/** Days before the end of the simulation. */
const FINISHED_SEASON = { from: 200n, to: 90n };
/** The finished season of a simulation that is too short for it takes this part of its time. */
const SHORT_DIVISOR = 4n;

/** Days before and after the end of the simulation. */
const SEASON_DAYS = 60n;

/** Whole tokens per second. */
const RATES = {
  vault: '0.035',
  otherVault: '0.0002',
  supply: '0.12',
  borrow: '0.04',
  pair: '0.06',
  finishedVault: '0.02',
  finishedSupply: '0.08',
} as const;

/** A season that is over, and the season at the end of the simulation. */
export function createGenesisSeasons(
  keys: SeededKeys,
  bootstrap: Omit<Bootstrap, 'seed'>,
): readonly Season[] {
  const finished = finishedRange(bootstrap);
  return [finishedSeason(keys, finished), currentSeason(keys, bootstrap, finished)];
}

const endOf = ({ startTime, days }: Omit<Bootstrap, 'seed'>): bigint =>
  startTime.unix + BigInt(days) * SECONDS_PER_DAY;

function finishedRange(bootstrap: Omit<Bootstrap, 'seed'>): TimeRange {
  const genesis = bootstrap.startTime.unix;
  const until = endOf(bootstrap);
  const planned = until - FINISHED_SEASON.from * SECONDS_PER_DAY;
  const end = until - FINISHED_SEASON.to * SECONDS_PER_DAY;
  return {
    start: toUnixSeconds(planned > genesis ? planned : genesis),
    end: toUnixSeconds(end > genesis ? end : genesis + (until - genesis) / SHORT_DIVISOR),
  };
}

function finishedSeason(keys: SeededKeys, { start, end }: TimeRange): Season {
  const terms = { start, end };
  return {
    source: 'Season1',
    start,
    end,
    rewards: [
      { vault: vaultAddress(keys, 'prime'), ...rewardTerms('finishedVault', terms) },
      {
        depositReserve: reserveAddress(keys, 'main', 'SOL'),
        ...rewardTerms('finishedSupply', terms),
      },
    ],
    boosts: [boost(keys, 87, { stakingBoost: '0.2', from: start })],
    maxBoost: parseDecimal('0.5'),
  };
}

/** Has a reward of each kind. */
function currentSeason(
  keys: SeededKeys,
  bootstrap: Omit<Bootstrap, 'seed'>,
  finished: TimeRange,
): Season {
  const until = endOf(bootstrap);
  const planned = until - SEASON_DAYS * SECONDS_PER_DAY;
  const start = toUnixSeconds(planned > finished.end ? planned : finished.end);
  const end = toUnixSeconds(until + SEASON_DAYS * SECONDS_PER_DAY);
  const middle = toUnixSeconds((start + until) / 2n);
  const terms = { start, end };
  const reserve = (symbol: 'SOL' | 'USDC' | 'JitoSOL') => reserveAddress(keys, 'main', symbol);
  return {
    source: 'Season2',
    start,
    end,
    rewards: [
      { vault: vaultAddress(keys, 'prime'), ...rewardTerms('vault', terms) },
      {
        vault: vaultAddress(keys, 'lighthouse'),
        ...rewardTerms('otherVault', { start: middle, end }),
      },
      { depositReserve: reserve('USDC'), ...rewardTerms('supply', terms) },
      { borrowReserve: reserve('USDC'), ...rewardTerms('borrow', terms) },
      {
        depositReserve: reserve('JitoSOL'),
        borrowReserve: reserve('SOL'),
        ...rewardTerms('pair', terms),
      },
    ],
    boosts: [
      boost(keys, DEMO_WALLET_INDEX, { stakingBoost: '0.3', from: start }),
      boost(keys, DEMO_WALLET_INDEX, { stakingBoost: '0.5', from: middle }),
      boost(keys, 1, { stakingBoost: '0.25', from: start }),
      boost(keys, 2, { stakingBoost: '2.5', from: start }),
    ],
    maxBoost: parseDecimal('1'),
  };
}

const rewardTerms = (
  rate: keyof typeof RATES,
  { start, end }: TimeRange,
): Pick<SeasonReward, 'rewardToken' | 'tokensPerSecond' | 'from' | 'to'> => ({
  rewardToken: tokenBySymbol(rate === 'otherVault' ? 'PYUSD' : 'KMNO').mint,
  tokensPerSecond: parseDecimal(RATES[rate]),
  from: start,
  to: end,
});

const boost = (
  keys: SeededKeys,
  wallet: number,
  { stakingBoost, from }: { readonly stakingBoost: string; readonly from: UnixSeconds },
): Season['boosts'][number] => ({
  wallet: walletAddress(keys, wallet),
  stakingBoost: parseDecimal(stakingBoost),
  from,
});
