import { expect, test } from 'vitest';
import { listOf, readDeployFile, readYaml, textOf } from '../../support/deploy/deploy-files.ts';
import { deploymentFaults } from '../../support/deploy/deployment-faults.ts';
import { processFaults } from '../../support/deploy/process-faults.ts';

test('every alert has a severity, a text, and a section in the documentation', () => {
  const { groups } = readYaml('prometheus/tidegate.rules.yml');
  const rules = listOf(groups).flatMap((group) => listOf(group['rules']));
  const documentation = readDeployFile('../docs/operations.md');
  expect(rules.length).toBeGreaterThan(10);
  for (const { labels, annotations } of rules) {
    expect(['warning', 'critical']).toContain(textOf(labels?.['severity']));
    expect(textOf(annotations?.['summary'])).not.toBe('');
  }
  const names = rules.map(({ alert }) => textOf(alert));
  // as a row with its meaning and what to do
  const isExplained = (name: string) => documentation.includes(`\n| \`${name}\` | `);
  expect(names.filter((name) => !isExplained(name))).toEqual([]);
  const raised = [...deploymentFaults, ...processFaults].flatMap(({ fires }) => Object.keys(fires));
  expect([...new Set(raised)].toSorted()).toEqual(names.toSorted());
});
