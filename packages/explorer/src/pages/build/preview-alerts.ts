import type { Preview } from '@tidegate/client';

type PreviewAlert = {
  readonly tone: 'warning' | 'danger';
  readonly title: string;
  readonly text: string;
};

/** What the signer should know although the transaction succeeds; the risk of the loan is said by `risk-messages`. `obligation`: the loan that is meant; empty for any. */
export function previewAlerts(preview: Preview, obligation = ''): PreviewAlert[] {
  return [...loanAlert(preview, obligation), ...simulationAlert(preview)];
}

function loanAlert({ loan }: Preview, obligation: string): PreviewAlert[] {
  const loanId = (loan?.after ?? loan?.before)?.loanId;
  if (obligation === '' || loanId === undefined || loanId === obligation) return [];
  const text = `It acts on ${loanId}, not on ${obligation}.`;
  return [{ tone: 'danger', title: 'This is another loan', text }];
}

function simulationAlert({ simulated, reason }: Preview): PreviewAlert[] {
  if (simulated) return [];
  const text = `${reason ?? 'The cluster did not simulate it'}. The figures are those of the server’s own model of the programs.`;
  return [{ tone: 'warning', title: 'Not simulated by the cluster', text }];
}
