import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readChangedFigures } from '../../scripts/release/changed-figures.ts';
import { type EarlierHistory, upgradeHistory } from '../support/history/earlier-history.ts';
import {
  type FigureDifference,
  findDifferences,
  isAnnounced,
} from '../support/history/figure-differences.ts';
import { startSimulationApi } from '../support/history/recorded-simulation.ts';
import type { RunningApi } from '../support/http/test-api.ts';

/** What earlier states of the project recorded: the day of the state, and its number of migrations. */
const STORED = [
  ['2026-11-16', 3],
  ['2026-11-18', 7],
] as const;

const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
const { figures, problems } = readChangedFigures(changelog);

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;

/** By the paths of the OpenAPI document. */
async function operationsOf(api: RunningApi): Promise<(path: string) => string> {
  const { paths } = (await api.get('/openapi.json')).body as { paths: Paths };
  const operations = Object.entries(paths).map(([template, { get }]) => ({
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
    operationId: get?.operationId ?? template,
  }));
  return (path) => {
    const [subject = ''] = path.split('?');
    return operations.find(({ pattern }) => pattern.test(subject))?.operationId ?? subject;
  };
}

async function differencesOf(earlier: EarlierHistory): Promise<FigureDifference[]> {
  const api = await startSimulationApi(earlier);
  const operationOf = await operationsOf(api);
  const differences: FigureDifference[] = [];
  for (const { path, status, body } of earlier.answers) {
    const operationId = operationOf(path);
    const now = await api.get(path);
    if (now.status === status) {
      differences.push(...findDifferences(body, now.body, { operationId, field: '' }));
    } else {
      const [before, after] = [{ status }, now];
      const change = Number.POSITIVE_INFINITY;
      differences.push({ operationId, field: '(status)', change, before, after });
    }
  }
  return differences;
}

const found: Record<string, readonly FigureDifference[]> = {};

describe('the past after an upgrade', () => {
  test.each(STORED)(
    'every answer of %s is the same, or its change is announced',
    async (recorded, migrations) => {
      const earlier = await upgradeHistory(recorded, migrations);
      expect(earlier.answers.length).toBeGreaterThan(50);
      const differences = await differencesOf(earlier);
      found[recorded] = differences;
      const unannounced = differences.filter(
        (difference) => !figures.some((figure) => isAnnounced(difference, figure, recorded)),
      );
      expect(unannounced).toEqual([]);
    },
  );

  test('every notice is well-formed, and about a change', () => {
    expect(problems).toEqual([]);
    const ofFields = figures.flatMap((figure) =>
      figure.fields.map((field) => ({ ...figure, fields: [field] })),
    );
    const unused = ofFields.filter(
      (figure) =>
        !Object.entries(found).some(([recorded, differences]) =>
          differences.some((difference) => isAnnounced(difference, figure, recorded)),
        ),
    );
    expect(unused).toEqual([]);
  });
});
