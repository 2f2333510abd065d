import type { PlannedMove, Preview } from '@tidegate/client';
import { shortenAddress } from '../../format/address.ts';
import { solOf } from '../../format/lamports.ts';
import { formatAmount, formatCount } from '../../format/number.ts';

/** The plan of the builder in sentences. */
export const PlanView = ({ preview }: { readonly preview: Preview }) => {
  const { plan } = preview;
  return (
    <div class="build-part">
      <h3>The plan</h3>
      <p class="build-summary">{plan.summary}</p>
      <ul class="panel-sentences">
        {planSentences(preview).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <h3>Why each step</h3>
      <ol class="panel-sentences">
        {plan.steps.map(({ name, why }, index) => (
          <li key={index}>
            {why} <span class="weak small">{name}</span>
          </li>
        ))}
      </ol>
    </div>
  );
};

/** What is paid, received, created and closed, and the notes of the builder. */
function planSentences({ plan, expiry }: Preview): string[] {
  const sol = (lamports: string): string => formatAmount(solOf(lamports), 'SOL').short;
  return [
    ...plan.pays.map((move) => `The wallet pays ${moveText(move)}.`),
    ...plan.receives.map((move) => `The wallet receives ${moveText(move)}.`),
    ...plan.creates.map(
      ({ what, rentLamports }) => `It creates ${what}, for ${sol(rentLamports)} of rent.`,
    ),
    ...plan.closes.map(
      ({ what, refundLamports }) => `It closes ${what} and refunds ${sol(refundLamports)}.`,
    ),
    ...plan.notes,
    `It can land up to block ${formatCount(expiry.lastValidBlockHeight)}, about a minute from now; until you sign, this page renews it.`,
  ];
}

function moveText({ symbol, mint, uiAmount, certainty }: PlannedMove): string {
  const { short } = formatAmount(uiAmount, symbol ?? `of ${shortenAddress(mint)}`);
  return certainty === 'exactly' ? short : `${certainty} ${short}`;
}
