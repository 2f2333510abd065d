export type JsonResponse = {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
};

export type Verdict = 'exact' | 'incomplete' | 'exact outside gaps' | 'exact but estimates';

/** Figures that each server counts once a minute, so that they are of different slots. */
const COUNTED_PER_MINUTE = ['tradingVolume24H', 'marketCapUsd'];

/**
 * How the response of an instance that began to record late compares with that of one that saw everything. Undefined if
 * it is neither exact nor says what is missing.
 */
export function compareResponses(all: JsonResponse, late: JsonResponse): Verdict | undefined {
  if (late.status === 503) return isIncomplete(late) ? 'incomplete' : undefined;
  if (late.status !== all.status) return undefined;
  const gaps = [...parseGaps(late.headers.get('x-gaps')), ...gapBefore(late.body)];
  const estimated = new Set((late.headers.get('x-estimated') ?? '').split(', '));
  for (const name of COUNTED_PER_MINUTE) estimated.add(name);
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  if (isSame(all.body, late.body)) return 'exact';
  const known = (body: unknown) => withoutEstimates(withoutGaps(body, gaps), estimated);
  if (!isSame(known(all.body), known(late.body))) return undefined;
  return gaps.length > 0 ? 'exact outside gaps' : 'exact but estimates';
}

const isIncomplete = ({ body, headers }: JsonResponse): boolean =>
  (body as { code?: unknown }).code === 'HISTORY_INCOMPLETE' && headers.has('retry-after');

type Gap = { readonly start: number; readonly end: number };

const parseGaps = (header: string | null): readonly Gap[] =>
  (header ?? '').split(', ').flatMap((text) => {
    const [start, end] = text.split('/').map((time) => Date.parse(time));
    return start === undefined || end === undefined ? [] : [{ start, end }];
  });

/** Recent events name the time that they cover in the body. */
function gapBefore(body: unknown): readonly Gap[] {
  const { recordedSince } = (body ?? {}) as { readonly recordedSince?: string | null };
  return typeof recordedSince === 'string' ? [{ start: 0, end: Date.parse(recordedSince) }] : [];
}

/** Tokens of further pages, and the time that a list covers. */
const DEPENDS_ON_GAPS = new Set(['paginationToken', 'recordedSince', 'recordedUntil']);

/** Drops the entries of all lists that are dated within a gap, and the fields that depend on them. */
function withoutGaps(body: unknown, gaps: readonly Gap[]): unknown {
  if (Array.isArray(body)) {
    return body.filter((entry) => !isWithin(timeOf(entry), gaps)).map((e) => withoutGaps(e, gaps));
  }
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => gaps.length === 0 || !DEPENDS_ON_GAPS.has(name))
      .map(([name, value]) => [name, withoutGaps(value, gaps)]),
  );
}

function timeOf(entry: unknown): number {
  if (typeof entry !== 'object' || entry === null) return Number.NaN;
  const { timestamp, createdOn } = entry as { timestamp?: unknown; createdOn?: unknown };
  const time = timestamp ?? createdOn;
  return typeof time === 'number' ? time : Date.parse(String(time));
}

const isWithin = (time: number, gaps: readonly Gap[]): boolean =>
  gaps.some(({ start, end }) => time >= start && time <= end);

/** Drops the fields that the response names as estimates. */
function withoutEstimates(body: unknown, estimated: ReadonlySet<string>): unknown {
  if (Array.isArray(body)) return body.map((entry) => withoutEstimates(entry, estimated));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => !estimated.has(name))
      .map(([name, value]) => [name, withoutEstimates(value, estimated)]),
  );
}
