import { parseDecimal, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import { reserveAddress } from './accounts/market.ts';
import { vaultAddress } from './accounts/vault.ts';
import type { Bootstrap } from './seed/bootstrap.ts';
import type { SeededKeys } from './seed/seeded-keys.ts';
import { tokenBySymbol } from './specs/token-specs.ts';
import { DEMO_WALLET_INDEX, walletAddress } from './wallets.ts';

const SECONDS_PER_DAY = 86_400n;

/** Before and after the end of the simulation. */
const SEASON_DAYS = 60n;

/** Whole tokens per second. */
const RATES = {
  vault: '0.035',
  otherVault: '0.0002',
  supply: '0.12',
  borrow: '0.04',
  pair: '0.06',
} as const;

/** The season at the end of the simulation, with a reward of each kind. */
export function createGenesisSeason(
  keys: SeededKeys,
  { startTime, days }: Omit<Bootstrap, 'seed'>,
): Season {
  const until = startTime.unix + BigInt(days) * SECONDS_PER_DAY;
  const planned = until - SEASON_DAYS * SECONDS_PER_DAY;
  const start = toUnixSeconds(planned > startTime.unix ? planned : startTime.unix);
  const end = toUnixSeconds(until + SEASON_DAYS * SECONDS_PER_DAY);
  const middle = toUnixSeconds((start + until) / 2n);
  const reserve = (symbol: 'SOL' | 'USDC' | 'JitoSOL') => reserveAddress(keys, 'main', symbol);
  const rewardTerms = (rate: keyof typeof RATES, from: UnixSeconds = start) => ({
    rewardToken: tokenBySymbol(rate === 'otherVault' ? 'PYUSD' : 'KMNO').mint,
    tokensPerSecond: parseDecimal(RATES[rate]),
    from,
    to: end,
  });
  return {
    source: 'Season1',
    start,
    end,
    rewards: [
      { vault: vaultAddress(keys, 'prime'), ...rewardTerms('vault') },
      { vault: vaultAddress(keys, 'lighthouse'), ...rewardTerms('otherVault', middle) },
      { depositReserve: reserve('USDC'), ...rewardTerms('supply') },
      { borrowReserve: reserve('USDC'), ...rewardTerms('borrow') },
      { depositReserve: reserve('JitoSOL'), borrowReserve: reserve('SOL'), ...rewardTerms('pair') },
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

const boost = (
  keys: SeededKeys,
  wallet: number,
  { stakingBoost, from }: { readonly stakingBoost: string; readonly from: UnixSeconds },
): Season['boosts'][number] => ({
  wallet: walletAddress(keys, wallet),
  stakingBoost: parseDecimal(stakingBoost),
  from,
});
