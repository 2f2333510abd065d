import { changelogSections } from './changelog.ts';

/** A notice that an answer about the past is another one after an upgrade. */
export type ChangedFigure = {
  readonly operationId: string;
  /** Paths in the body, such as `history[].metrics.depositTvl`; one that ends with `*` has what begins so. */
  readonly fields: readonly string[];
  /** It concerns what was recorded before this day. */
  readonly recordedBefore: string;
  /** The largest part of the figure by which it changes; infinite if it is absent, or is not a number. */
  readonly atMost: number;
  readonly why: string;
};

const HEADING = '### Changed figures of the past';
const COLUMNS = '| Operation | Fields | Recorded before | At most | Why |';
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PERCENT = /^(\d+(?:\.\d+)?) %$/;
const ANY = 'any';

/** The notices of all releases, and what is wrong with rows that are none. */
export function readChangedFigures(changelog: string): {
  readonly figures: readonly ChangedFigure[];
  readonly problems: readonly string[];
} {
  const figures: ChangedFigure[] = [];
  const problems: string[] = [];
  for (const { version, text } of changelogSections(changelog)) {
    const [, after] = text.split(`\n${HEADING}\n`);
    if (after === undefined) continue;
    const [table = ''] = after.split('\n### ');
    const rows = table.split('\n').filter((line) => line.startsWith('|'));
    if (rows[0] !== COLUMNS) problems.push(`CHANGELOG.md: ${version}: not the columns ${COLUMNS}`);
    for (const row of rows.slice(2)) {
      const figure = readRow(row);
      if (figure === undefined) problems.push(`CHANGELOG.md: ${version}: not a notice: ${row}`);
      else figures.push(figure);
    }
  }
  return { figures, problems };
}

function readRow(row: string): ChangedFigure | undefined {
  const [operation = '', fields = '', recordedBefore = '', most = '', why = ''] = row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
  const [operationId] = codesOf(operation);
  const atMost = most === ANY ? Number.POSITIVE_INFINITY : Number(PERCENT.exec(most)?.[1]) / 100;
  const names = codesOf(fields);
  const isValid = names.length > 0 && DAY.test(recordedBefore) && !Number.isNaN(atMost);
  if (operationId === undefined || !isValid || why === '') return undefined;
  return { operationId, fields: names, recordedBefore, atMost, why };
}

const codesOf = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
