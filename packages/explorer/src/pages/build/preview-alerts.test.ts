import type { Preview } from '@tidegate/client';
import { expect, test } from 'vitest';
import { previewAlerts } from './preview-alerts.ts';

function preview(currentLtv: number, fields: Partial<Preview> = {}): Preview {
  const after = { loanInfo: { currentLtv, liquidationLtv: 0.8 } };
  return {
    simulated: true,
    reason: null,
    success: true,
    loan: { before: null, after },
    ...fields,
  } as unknown as Preview;
}

const titles = (alerts: ReturnType<typeof previewAlerts>) => alerts.map(({ title }) => title);

test('what the cluster simulated for the loan that is meant has no alerts', () => {
  expect(previewAlerts(preview(0.5))).toEqual([]);
  expect(previewAlerts(preview(0))).toEqual([]);
  expect(previewAlerts(preview(0.5, { loan: null }))).toEqual([]);
});

test('figures of the own model are named as such', () => {
  const alerts = previewAlerts(preview(0.5, { simulated: false, reason: 'no endpoint simulates' }));
  expect(titles(alerts)).toEqual(['Not simulated by the cluster']);
  expect(alerts[0]?.text).toMatch(/^no endpoint simulates\. /);
});

test('a transaction for another loan than the one that is meant is an alert', () => {
  const loan = { before: { loanId: 'plain', loanInfo: {} }, after: null } as never;
  const alertsFor = (obligation: string) =>
    titles(previewAlerts(preview(0.5, { loan }), obligation));
  expect(alertsFor('multiply')).toEqual(['This is another loan']);
  expect(alertsFor('plain')).toEqual([]);
  expect(alertsFor('')).toEqual([]);
});
