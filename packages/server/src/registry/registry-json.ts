import { formatRatio, type Ratio, type UnixSeconds } from '@tidegate/core/base';
import type { Season } from '@tidegate/core/views/rewards';
import type { RegistryData } from './registry.ts';

/** A registry as a document that `REGISTRY` accepts and that yields the same registry. */
export function registryJson(registry: RegistryData): Readonly<Record<string, unknown>> {
  return {
    markets: registry.markets,
    tokens: [...registry.tokens.values()],
    stakePools: Object.fromEntries(registry.stakePools),
    vaults: [...registry.vaults],
    privateCreditVaults: [...registry.privateCreditVaults],
    tokenLabels: Object.fromEntries(registry.tokenLabels),
    seasons: registry.seasons.map(seasonJson),
  };
}

function seasonJson({ source, start, end, maxBoost, rewards, boosts }: Season) {
  return {
    source,
    start: formatTime(start),
    end: formatTime(end),
    maxBoost: formatExact(maxBoost),
    rewards: rewards.map(({ tokensPerSecond, from, to, ...reward }) => ({
      ...reward,
      tokensPerSecond: formatExact(tokensPerSecond),
      from: formatTime(from),
      to: formatTime(to),
    })),
    boosts: boosts.map(({ wallet, stakingBoost, from }) => ({
      wallet,
      stakingBoost: formatExact(stakingBoost),
      from: formatTime(from),
    })),
  };
}

const formatTime = (unix: UnixSeconds): string => new Date(Number(unix) * 1000).toISOString();

/** The ratios of a season are decimals, which have no more digits than their two integers. */
const formatExact = (value: Ratio): string =>
  formatRatio(value, `${value.numerator}${value.denominator}`.length);
