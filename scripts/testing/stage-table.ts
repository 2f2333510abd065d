import type { PropertyCost } from './test-report.ts';

/** A line of the table: a stage of tests, or a command that runs none. */
export type StageRow = {
  readonly name: string;
  readonly isPassed: boolean;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
};

/** Where the time went, as text. */
export function formatStages(rows: readonly StageRow[]): string {
  const sum = (value: (row: StageRow) => number) => rows.reduce((all, row) => all + value(row), 0);
  const total = {
    name: 'total',
    isPassed: rows.every(({ isPassed }) => isPassed),
    seconds: sum(({ seconds }) => seconds),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    passed: sum(({ passed = 0 }) => passed),
    failed: sum(({ failed = 0 }) => failed),
    skipped: sum(({ skipped = 0 }) => skipped),
  };
  const header = ['stage', 'wall', 'CPU', 'passed', 'failed', 'skipped', ''];
  const lines = [...rows, total].map((row) => [
    row.name,
    formatSeconds(row.seconds),
    `${Math.round(row.cpuSeconds)} s`,
    `${row.passed ?? '-'}`,
    `${row.failed ?? '-'}`,
    `${row.skipped ?? '-'}`,
    row.isPassed ? '' : 'FAILED',
  ]);
  return [header, ...lines]
    .map(([name = '', ...cells]) =>
      [name.padEnd(12), ...cells.map((cell) => cell.padStart(8))].join(' ').trimEnd(),
    )
    .join('\n');
}

const formatSeconds = (seconds: number): string => {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
};

const LISTED_PROPERTIES = 5;

/** The number of cases and the time of all property tests, and the slowest of them. */
export function formatProperties(properties: readonly PropertyCost[]): string {
  if (properties.length === 0) return '';
  const cases = properties.reduce((sum, property) => sum + property.cases, 0);
  const ms = properties.reduce((sum, property) => sum + property.ms, 0);
  const slowest = [...properties].sort((a, b) => b.ms - a.ms).slice(0, LISTED_PROPERTIES);
  return [
    `${properties.length} property tests: ${cases} cases in ${formatMs(ms)}; the slowest:`,
    ...slowest.map((each) => `  ${formatMs(each.ms)}, ${each.cases} cases: ${each.name}`),
  ].join('\n');
}

const formatMs = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
