import type { VaultAllocations } from '@tidegate/client';
import { apiRequest, useResources } from '../../api/resource.ts';
import { now } from '../../components/clock.ts';
import type { AvailableTokens } from '../../vaults/vault-withdrawals.ts';

const POLL_MS = 15_000;
const DAY_MS = 86_400_000;

/** Tokens that reserves have available: the newest point of the history is the current state. */
export function useAvailable(allocations: VaultAllocations['allocations'] = []) {
  const start = new Date((Math.floor(now.peek() / DAY_MS) - 1) * DAY_MS).toISOString();
  const resources = useResources(
    allocations.map(({ market, reserve }) =>
      apiRequest('GET /svc-market/{marketPubkey}/reserves/{reservePubkey}/metrics/history', {
        path: { marketPubkey: market, reservePubkey: reserve },
        query: { start, frequency: 'day' },
      }),
    ),
    { pollMs: POLL_MS },
  );
  const tokens: AvailableTokens = new Map(
    allocations.flatMap(({ reserve }, index) => {
      const last = resources[index]?.data?.history.at(-1);
      return last === undefined ? [] : [[reserve, last.metrics.totalLiquidity] as const];
    }),
  );
  return { resources, tokens };
}
