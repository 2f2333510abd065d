import type { Freshness as AnswerFreshness, HeaderItem } from '@tidegate/client';
import { formatCount } from '../format/number.ts';
import { formatDateTime, formatDuration } from '../format/time.ts';

/** What the headers of a response say about its data, and when it arrived. */
export type Freshness = AnswerFreshness & {
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
};

/** The freshness of a response that arrives now. */
export const received = (freshness: AnswerFreshness): Freshness => ({
  ...freshness,
  receivedAt: Date.now(),
});

/** A line under a block. */
export type FreshnessNote = {
  readonly kind:
    | 'slot'
    | 'stale'
    | 'gaps'
    | 'estimated'
    | 'stale-prices'
    | 'omitted'
    | 'rules'
    | 'unproven';
  readonly text: string;
  /** One line per item. */
  readonly details: readonly string[];
};

/** From this age on, a block is marked as stale. */
const STALE_MS = 30_000;

type NoteOptions = {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly locale?: string;
  readonly timeZone?: string;
};

/** The response with the oldest slot; undefined if none has one. */
export const oldestOf = (responses: readonly Freshness[]): Freshness | undefined =>
  responses.filter(({ slot }) => slot !== undefined).sort(bySlot)[0];

const newestOf = (responses: readonly Freshness[]): Freshness | undefined =>
  responses
    .filter(({ slot }) => slot !== undefined)
    .sort(bySlot)
    .at(-1);

/** By how much the data of blocks may differ in time and still agree. */
const AGREEMENT_MS = STALE_MS;

/** The responses whose data is from about the same time as the newest ones of a page. */
export function agreeingResponses(responses: readonly Freshness[]): Freshness[] {
  const newest = newestOf(responses);
  return newest === undefined ? [] : responses.filter((each) => agree(each, newest));
}

function agree(one: Freshness, { slot, blockTimeMs }: Freshness): boolean {
  if (one.slot === undefined || one.slot === slot) return one.slot !== undefined;
  if (one.blockTimeMs === undefined || blockTimeMs === undefined) return false;
  return blockTimeMs - one.blockTimeMs <= AGREEMENT_MS;
}

/** What is said once for all blocks that agree: their newest slot, how much older some are, and whether it is stale. */
export function agreementNotes(
  responses: readonly Freshness[],
  options: NoteOptions,
): FreshnessNote[] {
  const agreeing = agreeingResponses(responses);
  const [newest, oldest] = [newestOf(agreeing), oldestOf(agreeing)];
  if (newest === undefined) return [];
  const older = (newest.blockTimeMs ?? 0) - (oldest?.blockTimeMs ?? 0);
  const parts = older >= SECOND_MS ? [`parts are up to ${formatDuration(older)} older`] : [];
  const text = [slotText(newest, options), ...parts].join(' · ');
  return [{ kind: 'slot', text, details: [] }, ...staleNotes(newest, options)];
}

const SECOND_MS = 1_000;

/** What a block says that does not agree with the rest of its page, and how old its data is if it is stale. */
export const ageNotes = (oldest: Freshness, options: NoteOptions): FreshnessNote[] => [
  { kind: 'slot', text: slotText(oldest, options), details: [] },
  ...staleNotes(oldest, options),
];

/** What a reader must know about the data of a block besides its slot, from the responses that it shows. */
export function freshnessNotes(
  responses: readonly Freshness[],
  options: NoteOptions,
): FreshnessNote[] {
  if (oldestOf(responses) === undefined) return [];
  return [
    ...gapNotes(responses, options),
    ...estimatedNotes(responses),
    ...listNotes(
      'stale-prices',
      responses.flatMap(({ stalePrices }) => stalePrices),
      options,
    ),
    ...listNotes(
      'omitted',
      responses.flatMap(({ omitted }) => omitted),
      options,
    ),
    ...listNotes(
      'rules',
      responses.flatMap(({ unmodeledRules }) => unmodeledRules),
      options,
    ),
    ...listNotes(
      'unproven',
      responses.flatMap(({ unproven }) => unproven),
      options,
    ),
  ];
}

const bySlot = (a: Freshness, b: Freshness): number => Number((a.slot ?? 0n) - (b.slot ?? 0n));

function slotText(
  { slot = 0n, blockTimeMs }: Freshness,
  { locale, timeZone }: NoteOptions,
): string {
  const time = blockTimeMs === undefined ? [] : [formatDateTime(blockTimeMs, { locale, timeZone })];
  return [`True for slot ${formatCount(String(slot), locale)}`, ...time].join(' · ');
}

/** Age of the data now: its age on arrival, and the time since then. */
export const ageAt = ({ ageMs = 0, receivedAt }: Freshness, now: number): number =>
  ageMs + Math.max(0, now - receivedAt);

function staleNotes(oldest: Freshness, { now }: NoteOptions): FreshnessNote[] {
  const age = ageAt(oldest, now);
  if (age < STALE_MS) return [];
  return [{ kind: 'stale', text: `Stale: ${formatDuration(age)} old`, details: [] }];
}

function gapNotes(
  responses: readonly Freshness[],
  { locale, timeZone }: NoteOptions,
): FreshnessNote[] {
  const distinct = new Map(
    responses.flatMap(({ gaps }) => gaps).map((gap) => [`${gap.fromMs}/${gap.toMs}`, gap]),
  );
  const gaps = [...distinct.values()].sort((a, b) => a.fromMs - b.fromMs);
  if (gaps.length === 0) return [];
  const total = gaps.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs), 0);
  const count = gaps.length === 1 ? 'one interval' : `${gaps.length} intervals`;
  const time = (value: number): string => formatDateTime(value, { locale, timeZone });
  return [
    {
      kind: 'gaps',
      text: `Nothing recorded in ${count} (${formatDuration(total)})`,
      details: gaps.map(({ fromMs, toMs }) => `${time(fromMs)} – ${time(toMs)}`),
    },
  ];
}

/** For a block that shows only some of the fields. */
export const keepEstimates = (response: Freshness, shown: readonly string[]): Freshness => ({
  ...response,
  estimated: response.estimated.filter((field) => shown.includes(field)),
});

/** Titles of fields that can be estimated. */
const fieldTitles: Readonly<Record<string, string>> = {
  apy24h: 'APY of 24 hours',
  apy7d: 'APY of 7 days',
  apy30d: 'APY of 30 days',
  apy90d: 'APY of 90 days',
  apy180d: 'APY of 180 days',
  apy365d: 'APY of 365 days',
};

function estimatedNotes(responses: readonly Freshness[]): FreshnessNote[] {
  const fields = [...new Set(responses.flatMap(({ estimated }) => estimated))];
  if (fields.length === 0) return [];
  const titles = fields.map((field) => fieldTitles[field] ?? field).join(', ');
  return [{ kind: 'estimated', text: `* Estimated from another period: ${titles}`, details: [] }];
}

const listTexts = {
  'stale-prices': [
    'price is older than its reserve accepts',
    'prices are older than their reserves accept',
  ],
  omitted: ['account is left out', 'accounts are left out'],
  rules: ['active rule is not in these figures', 'active rules are not in these figures'],
  unproven: [
    'reason why these figures may differ from those of the program',
    'reasons why these figures may differ from those of the programs',
  ],
} as const;

function listNotes(
  kind: keyof typeof listTexts,
  items: readonly HeaderItem[],
  { locale }: NoteOptions,
): FreshnessNote[] {
  const distinct = [...new Map(items.map((item) => [itemLine(item), item])).entries()];
  if (distinct.length === 0) return [];
  const count = distinct.reduce(
    (sum, [, { name, parameters }]) => sum + (name === 'more' ? Number(parameters['count']) : 1),
    0,
  );
  const [one, many] = listTexts[kind];
  const text = count === 1 ? `One ${one}` : `${formatCount(count, locale)} ${many}`;
  return [{ kind, text, details: distinct.map(([line]) => line) }];
}

function itemLine({ name, parameters }: HeaderItem): string {
  const { reason, age, rule, field, value, count, detail, since } = parameters;
  if (name === 'more') return `and ${count} more`;
  if (age !== undefined) return `${name}: ${formatDuration(Number(age) * 1000)} old`;
  if (rule !== undefined) return `${name}: ${rule} (${field} = ${value})`;
  if (detail !== undefined) return `${name}: ${detail}, since slot ${since}`;
  return reason === undefined ? name : `${name}: ${reason}`;
}
