import { expect, test } from 'vitest';
import { toPromtoolTest } from '../support/deploy/alert-scenarios.ts';
import { deploymentFaults } from '../support/deploy/deployment-faults.ts';
import { processFaults } from '../support/deploy/process-faults.ts';
import {
  hasPromtool,
  promtool,
  RULES,
  rulesFolder,
  testRules,
} from '../support/deploy/promtool.ts';
import { temporaryFolder } from '../support/processes/run-tidegate.ts';

test.skipIf(!hasPromtool())('Prometheus accepts the rules, and their tests pass', () => {
  expect(promtool(['check', 'rules', RULES], rulesFolder)).toContain('SUCCESS');
  const own = promtool(['test', 'rules', 'tidegate.rules.test.yml'], rulesFolder);
  expect(own).toContain('SUCCESS');
});

test.skipIf(!hasPromtool())('each fault raises its alerts in time, and no other one', () => {
  const tests = [...deploymentFaults, ...processFaults].map(toPromtoolTest);
  expect(testRules(temporaryFolder(), tests)).toContain('SUCCESS');
});
