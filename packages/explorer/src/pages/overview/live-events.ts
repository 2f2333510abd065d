import { ApiError } from '../../api/api-error.ts';
import type { ApiRequest } from '../../api/client.ts';
import { grantedQuota, send } from '../../api/client.ts';
import type { BulkLendTx, BulkVaultTx } from '../../api/generated/operations.ts';
import { apiRequest } from '../../api/resource.ts';

/** Something that happened in a market or vault. */
export type LiveEvent = {
  readonly key: string;
  readonly instruction: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly amount: string | undefined;
  /** Address of the reserve, or of the vault. */
  readonly place: string;
  readonly kind: 'reserve' | 'vault';
  readonly wallet: string;
  readonly signature: string;
};

const LENDING_INSTRUCTIONS = ['deposit', 'withdraw', 'borrow', 'repay', 'liquidate'] as const;
const VAULT_INSTRUCTIONS = ['deposit', 'withdraw', 'withdrawAvailable'] as const;

/** What one query costs, and the share of the quota that all of them may use. */
const QUERY_WEIGHT = 20;
const QUOTA_SHARE = 0.2;
const MIN_DELAY_MS = 400;
const FIRST_HOURS_MS = 3_600_000;

/** Milliseconds between two queries. */
export const queryDelayMs = (quotaPerMinute: number): number =>
  Math.max(MIN_DELAY_MS, (60_000 * QUERY_WEIGHT) / (quotaPerMinute * QUOTA_SHARE));

/** Whether a minute's share of the quota is enough for a query of each feed at once. */
export const allowsBurst = (quotaPerMinute: number, feeds: number): boolean =>
  feeds * QUERY_WEIGHT <= quotaPerMinute * QUOTA_SHARE;

type Feed = {
  readonly instruction: string;
  /** The request of events since a time. */
  readonly request: (start: string) => ApiRequest<FeedOperation>;
  /** Of the newest event of the feed. */
  newest: number;
};

type FeedOperation = 'POST /v3/svc-market/{pubkey}/transactions' | 'POST /kvaults/transactions';

/** One feed per market and instruction, and per instruction of vaults: the API lists one instruction at a time. */
function createFeeds(markets: readonly string[], newest: number): Feed[] {
  const lending = markets.flatMap((pubkey) =>
    LENDING_INSTRUCTIONS.map((instruction) => ({
      instruction,
      newest,
      request: (start: string) =>
        apiRequest('POST /v3/svc-market/{pubkey}/transactions', {
          path: { pubkey },
          body: { instruction, start },
        }) as ApiRequest<FeedOperation>,
    })),
  );
  const vaults = VAULT_INSTRUCTIONS.map((instruction) => ({
    instruction,
    newest,
    request: (start: string) =>
      apiRequest('POST /kvaults/transactions', {
        body: { instruction, start },
      }) as ApiRequest<FeedOperation>,
  }));
  return [...lending, ...vaults];
}

type FeedUpdate = { readonly events: readonly LiveEvent[]; readonly error: ApiError | undefined };

/** Queries one feed after the other until it is aborted, within a share of the quota. */
export async function followEvents(
  markets: readonly string[],
  onUpdate: (update: FeedUpdate, isFirstRound: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  const feeds = createFeeds(markets, Date.now() - FIRST_HOURS_MS);
  for (let round = 0; !signal.aborted; round += 1) {
    for (const feed of feeds) {
      if (signal.aborted) return;
      if (!document.hidden) {
        const update = await queryFeed(feed, signal);
        if (update !== undefined) onUpdate(update, round === 0 && feed !== feeds.at(-1));
      }
      if (round === 0 && allowsBurst(grantedQuota(), feeds.length)) continue;
      await new Promise((resolve) => setTimeout(resolve, queryDelayMs(grantedQuota())));
    }
  }
}

async function queryFeed(feed: Feed, signal: AbortSignal): Promise<FeedUpdate | undefined> {
  try {
    const { data } = await send(feed.request(new Date(feed.newest).toISOString()), { signal });
    const events = data === undefined ? [] : eventsOf(data, feed.instruction);
    feed.newest = Math.max(feed.newest, ...events.map(({ time }) => time));
    return { events, error: undefined };
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError)) return undefined;
    return { events: [], error };
  }
}

type FeedPage =
  | { readonly obligationTransactions: readonly BulkLendTx[] }
  | { readonly result: readonly BulkVaultTx[] };

/** Responses about vaults do not repeat the instruction. */
export function eventsOf(page: FeedPage, instruction: string): LiveEvent[] {
  return 'result' in page
    ? page.result.map((transaction) => vaultEvent(transaction, instruction))
    : page.obligationTransactions.flatMap(lendingEvents);
}

const vaultEvent = (
  { ix, timestamp, signature, kvault, wallet }: BulkVaultTx,
  instruction: string,
): LiveEvent => ({
  key: `${signature} ${kvault} ${instruction}`,
  instruction,
  time: Date.parse(timestamp),
  amount: ix.tokenAmount,
  place: kvault,
  kind: 'vault',
  wallet,
  signature,
});

type LendingInstruction = {
  readonly instruction?: unknown;
  readonly reserve?: unknown;
  readonly tokenAmount?: unknown;
};

function lendingEvents({ ixs, timestamp, signature, wallet }: BulkLendTx): LiveEvent[] {
  return (ixs as readonly LendingInstruction[]).flatMap((ix, index) => {
    if (timestamp === null || typeof ix.instruction !== 'string') return [];
    return [
      {
        key: `${signature} ${ix.instruction} ${index}`,
        instruction: ix.instruction,
        time: Date.parse(timestamp),
        amount: typeof ix.tokenAmount === 'string' ? ix.tokenAmount : undefined,
        place: typeof ix.reserve === 'string' ? ix.reserve : '',
        kind: 'reserve' as const,
        wallet,
        signature,
      },
    ];
  });
}

/** Newest first, each event once. */
export function mergeEvents(
  known: readonly LiveEvent[],
  added: readonly LiveEvent[],
  limit: number,
): readonly LiveEvent[] {
  const all = new Map([...known, ...added].map((event) => [event.key, event]));
  return [...all.values()].sort((a, b) => b.time - a.time).slice(0, limit);
}
