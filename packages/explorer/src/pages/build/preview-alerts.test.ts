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

test('a healthy loan that the cluster simulated has no alerts', () => {
  expect(previewAlerts(preview(0.5))).toEqual([]);
  expect(previewAlerts(preview(0))).toEqual([]);
  expect(previewAlerts(preview(0.5, { loan: null }))).toEqual([]);
});

test('a loan near its threshold says which fall is enough', () => {
  const [alert] = previewAlerts(preview(0.76));
  expect(alert?.title).toBe('Close to the liquidation threshold');
  // 0.76 / 0.8 is 95 % of the threshold
  expect(alert?.text).toContain('by 5.00\u00a0%');
});

test('a loan above its threshold can be liquidated at once', () => {
  expect(previewAlerts(preview(0.9))).toMatchObject([{ tone: 'danger' }]);
});

test('a transaction that fails changes no health', () => {
  expect(previewAlerts(preview(0.9, { success: false }))).toEqual([]);
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
