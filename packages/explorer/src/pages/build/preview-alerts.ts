import type { Preview } from '@tidegate/client';
import { formatPercent } from '../../format/number.ts';
import { previewHealth } from './loan-changes.ts';

type PreviewAlert = {
  readonly tone: 'warning' | 'danger';
  readonly title: string;
  readonly text: string;
};

/** Below this health a loan is close to its liquidation. */
const THIN_HEALTH = 1.1;

/** What the signer should know although the transaction succeeds. `obligation`: the loan that is meant; empty for any. */
export function previewAlerts(preview: Preview, obligation = ''): PreviewAlert[] {
  return [...loanAlert(preview, obligation), ...simulationAlert(preview), ...healthAlert(preview)];
}

function loanAlert({ loan }: Preview, obligation: string): PreviewAlert[] {
  const loanId = (loan?.after ?? loan?.before)?.loanId;
  if (obligation === '' || loanId === undefined || loanId === obligation) return [];
  const text = `It acts on ${loanId}, the wallet’s plain loan in this market, not on ${obligation}.`;
  return [{ tone: 'danger', title: 'This is another loan', text }];
}

function simulationAlert({ simulated, reason }: Preview): PreviewAlert[] {
  if (simulated) return [];
  const text = `${reason ?? 'The cluster did not simulate it'}. The figures are those of the server’s own model of the programs.`;
  return [{ tone: 'warning', title: 'Not simulated by the cluster', text }];
}

function healthAlert({ success, loan }: Preview): PreviewAlert[] {
  const health = previewHealth(loan?.after);
  if (!success || health === undefined || health >= THIN_HEALTH) return [];
  if (health < 1) {
    const text = 'After this transaction the loan can be liquidated at once.';
    return [{ tone: 'danger', title: 'Below the liquidation threshold', text }];
  }
  const fall = formatPercent(1 - 1 / health).short;
  const text = `After this transaction, a fall of the collateral’s value by ${fall} is enough for a liquidation.`;
  return [{ tone: 'warning', title: 'Close to the liquidation threshold', text }];
}
