import type { Proof } from '@tidegate/client';
import { Unknown } from '../../components/number.tsx';
import type { Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { formatCount } from '../../format/number.ts';

type Counts = Proof['transactions']['hour'];
type Period = Counts & { readonly name: string };
type Row = Proof['rows'][number];
type Example = Proof['counterexamples'][number];

export const toPeriods = ({ transactions: { hour, day, sinceStart } }: Proof): Period[] => [
  { name: 'last hour', ...hour },
  { name: 'last day', ...day },
  { name: 'since start', ...sinceStart },
];

const sumOf = (notProvable: Counts['notProvable']): number =>
  Object.values(notProvable).reduce((sum, count) => sum + count, 0);

const reasonsOf = (notProvable: Counts['notProvable']): string =>
  Object.entries(notProvable)
    .map(([reason, count]) => `${reason} ${formatCount(count)}`)
    .join(', ');

export const periodColumns: readonly Column<Period>[] = [
  { key: 'period', title: 'Period', cell: ({ name }) => name },
  count('observed', 'Observed', ({ observed }) => observed),
  count('proven', 'Proven', ({ proven }) => proven),
  count('differing', 'Differing', ({ differing }) => differing),
  count('unproven', 'Not provable', ({ notProvable }) => sumOf(notProvable)),
  count('untried', 'Not tried', ({ notTried }) => notTried),
];

export const rowColumns: readonly Column<Row>[] = [
  { key: 'program', title: 'Program', cell: ({ program, release }) => `${program} ${release}` },
  { key: 'instruction', title: 'Instruction', cell: ({ instruction }) => instruction },
  { key: 'kind', title: 'Account', cell: ({ kind }) => kind },
  count('proven', 'Proven', ({ sinceStart }) => sinceStart.proven),
  count('differing', 'Differing', ({ sinceStart }) => sinceStart.differing),
  {
    key: 'reasons',
    title: 'Not provable',
    cell: ({ sinceStart }) => reasonsOf(sinceStart.notProvable),
  },
  {
    key: 'last',
    title: 'Last proof',
    cell: ({ lastProvenAt }) =>
      lastProvenAt === null ? (
        <Unknown reason="nothing was proven" />
      ) : (
        <Time value={lastProvenAt} form="clock" />
      ),
  },
];

export const exampleColumns: readonly Column<Example>[] = [
  { key: 'id', title: 'ID', cell: ({ id }) => id },
  { key: 'found', title: 'Found', cell: ({ foundAt }) => <Time value={foundAt} /> },
  { key: 'field', title: 'Field', cell: ({ difference }) => difference?.field ?? '' },
  { key: 'ours', title: 'This server', cell: ({ difference }) => difference?.expected ?? '' },
  { key: 'theirs', title: 'Cluster', cell: ({ difference }) => difference?.actual ?? '' },
  { key: 'explanation', title: 'Explanation', cell: ({ explanation }) => explanation ?? 'open' },
];

function count<Value>(key: string, title: string, read: (value: Value) => number): Column<Value> {
  return { key, title, isNumber: true, cell: (value) => formatCount(read(value)), sortBy: read };
}
