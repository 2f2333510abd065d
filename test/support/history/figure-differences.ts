import type { ChangedFigure } from '../../../scripts/release/changed-figures.ts';

/** What an answer says otherwise than an earlier release, by its place in the body without indices. */
export type FigureDifference = {
  readonly operationId: string;
  readonly field: string;
  /** The part of the figure that changed; infinite if it is absent, or is no number. */
  readonly change: number;
  readonly before: unknown;
  readonly after: unknown;
};

type Place = { readonly operationId: string; readonly field: string };

/** Fields that an earlier release did not have are no differences. */
export function findDifferences(before: unknown, after: unknown, place: Place): FigureDifference[] {
  if (Array.isArray(before)) {
    const field = `${place.field}[]`;
    if (!Array.isArray(after) || after.length !== before.length) {
      return [{ ...place, field, change: Number.POSITIVE_INFINITY, before, after }];
    }
    return before.flatMap((each, i) => findDifferences(each, after[i], { ...place, field }));
  }
  if (isFields(before) && isFields(after)) {
    return Object.entries(before).flatMap(([name, each]) => {
      const field = place.field === '' ? name : `${place.field}.${name}`;
      return findDifferences(each, after[name], { ...place, field });
    });
  }
  if (before === after) return [];
  return [{ ...place, change: changeOf(before, after), before, after }];
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFigure = (value: unknown): boolean =>
  (typeof value === 'string' || typeof value === 'number') &&
  value !== '' &&
  Number.isFinite(Number(value));

function changeOf(before: unknown, after: unknown): number {
  if (!isFigure(before) || !isFigure(after)) return Number.POSITIVE_INFINITY;
  const [a, b] = [Number(before), Number(after)];
  // the same as floating point, but not as text
  return a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
}

/** Whether the notice says it, about what was recorded on that day. */
export function isAnnounced(
  { operationId, field, change }: FigureDifference,
  figure: ChangedFigure,
  recorded: string,
): boolean {
  const names = (name: string): boolean =>
    name.endsWith('*') ? field.startsWith(name.slice(0, -1)) : field === name;
  return (
    figure.operationId === operationId &&
    recorded < figure.recordedBefore &&
    figure.fields.some(names) &&
    change <= figure.atMost
  );
}
