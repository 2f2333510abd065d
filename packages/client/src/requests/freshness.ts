/** What the headers of an answer say about its data. Everything is undefined or empty if a server does not say it. */
export type Freshness = {
  /** Cluster that the data is of. */
  readonly env: string | undefined;
  /** Newest slot that the answer includes completely. */
  readonly slot: bigint | undefined;
  /** Time of that slot, in milliseconds since 1970. */
  readonly blockTimeMs: number | undefined;
  /** Milliseconds since the server received that slot, when it answered. */
  readonly ageMs: number | undefined;
  readonly commitment: string | undefined;
  /** Intervals of a series that are not known. */
  readonly gaps: readonly TimeInterval[];
  /** Fields that are estimates. */
  readonly estimated: readonly string[];
  /** Tokens whose price is older than their reserve accepts: `name` is the mint, `parameters.age` in seconds. */
  readonly stalePrices: readonly HeaderItem[];
  /** What a list leaves out: `name` is the address, `parameters.reason` why. */
  readonly omitted: readonly HeaderItem[];
  /** Active rules of the programs that no figure includes. */
  readonly unmodeledRules: readonly HeaderItem[];
  /**
   * Kinds of accounts whose figures may differ from those of the programs: `name` is the kind, `parameters` have `code`,
   * `since` (a slot) and `detail`.
   */
  readonly unproven: readonly HeaderItem[];
};

/** In milliseconds since 1970. */
export type TimeInterval = { readonly fromMs: number; readonly toMs: number };

/** An item such as `ADDRESS;reason="…"`. The item `more` has the `count` of those that are not listed. */
export type HeaderItem = {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
};

export function readFreshness(headers: Headers): Freshness {
  const get = (name: string): string | undefined => headers.get(name) ?? undefined;
  const slot = get('x-slot') ?? '';
  return {
    env: get('x-env'),
    slot: /^\d{1,20}$/.test(slot) ? BigInt(slot) : undefined,
    blockTimeMs: finite(Date.parse(get('x-block-time') ?? '')),
    ageMs: finite(Number(get('x-data-age') || Number.NaN)),
    commitment: get('x-commitment'),
    gaps: splitList(get('x-gaps')).map(parseInterval),
    estimated: splitList(get('x-estimated')),
    stalePrices: parseItems(get('x-stale-prices')),
    omitted: parseItems(get('x-omitted')),
    unmodeledRules: parseItems(get('x-unmodeled-rules')),
    unproven: parseItems(get('x-unproven')),
  };
}

/** Until when a built transaction can land; undefined if the answer is no transaction of a builder. */
export type TransactionLifetime = {
  readonly blockhash: string;
  /** Last block height at which the transaction can land. */
  readonly lastValidBlockHeight: bigint;
};

export function readLifetime({
  headers,
}: {
  readonly headers: Headers;
}): TransactionLifetime | undefined {
  const blockhash = headers.get('x-blockhash');
  const height = headers.get('x-last-valid-block-height') ?? '';
  if (blockhash === null || !/^\d{1,20}$/.test(height)) return undefined;
  return { blockhash, lastValidBlockHeight: BigInt(height) };
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

const splitList = (header: string | undefined): string[] =>
  (header ?? '').split(',').flatMap((item) => item.trim() || []);

function parseInterval(text: string): TimeInterval {
  const [from = '', to = ''] = text.split('/');
  return { fromMs: Date.parse(from), toMs: Date.parse(to) };
}

const ITEM = /([^\s;,"]+)((?:;\w+=(?:"[^"]*"|[^;,\s]+))*)/g;
const PARAMETER = /;(\w+)=(?:"([^"]*)"|([^;,\s]+))/g;

function parseItems(header: string | undefined): HeaderItem[] {
  return [...(header ?? '').matchAll(ITEM)].map(([, name = '', parameters = '']) => ({
    name,
    parameters: Object.fromEntries(
      [...parameters.matchAll(PARAMETER)].map(([, key = '', quoted, plain]) => [
        key,
        quoted ?? plain ?? '',
      ]),
    ),
  }));
}
