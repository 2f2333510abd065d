import { untrustedName, untrustedSentence, untrustedSymbol } from '@tidegate/core/base';
import type { AnswerData } from '../../answer/answer.ts';
import { percent, sol } from '../../answer/figures.ts';
import type { BuildPreviewRow } from '../../api/position-schemas.ts';

/** The effect of a transaction in words. */
export function previewLines(preview: BuildPreviewRow): string[] {
  const { plan, solChangeLamports, feeLamports, tokenChanges, loan } = preview;
  return [
    `Plan: ${untrustedSentence(plan.summary)}`,
    ...tokenChanges.map(
      ({ uiChange, symbol, mint }) =>
        `The wallet's ${untrustedSymbol(symbol ?? mint)} changes by ${uiChange}.`,
    ),
    `The wallet's SOL changes by ${sol(solChangeLamports)}, including a fee of ${sol(feeLamports)}${plan.rentLamports === '0' ? '' : ` and ${sol(plan.rentLamports)} of rent for new accounts`}.`,
    ...loanLines(loan),
    ...plan.notes.map(untrustedSentence),
    preview.simulated
      ? 'The cluster simulated exactly this transaction.'
      : `Computed by a model of the programs, because the cluster did not simulate it: ${untrustedSentence(preview.reason ?? 'unknown reason')}`,
  ];
}

function loanLines(loan: BuildPreviewRow['loan']): string[] {
  if (loan === null) return [];
  const describe = (state: { loanInfo: { currentLtv: number; liquidationLtv: number } } | null) =>
    state === null
      ? 'no loan'
      : `${percent(state.loanInfo.currentLtv)} (liquidation from ${percent(state.loanInfo.liquidationLtv)})`;
  return [`Loan-to-value before: ${describe(loan.before)}; after: ${describe(loan.after)}.`];
}

export function failureLines({ error }: BuildPreviewRow): string[] {
  if (error === null) return ['It would fail for an unknown reason.'];
  const { maxAmount, suggestedAmount } = error;
  return [
    `It would FAIL: ${untrustedSentence(error.message)}`,
    `What to do: ${untrustedSentence(error.action)}`,
    ...(maxAmount === null ? [] : [`The largest amount accepted now is ${maxAmount}.`]),
    ...(suggestedAmount === null
      ? []
      : [
          `${suggestedAmount} is accepted a minute later as well, while prices move by less than 0.5 %.`,
        ]),
  ];
}

export function previewData(preview: BuildPreviewRow): AnswerData {
  const { plan, error, loan } = preview;
  const ltvOf = (state: { loanInfo: { currentLtv: number } } | null | undefined) =>
    state?.loanInfo.currentLtv ?? null;
  return {
    success: preview.success,
    simulated: preview.simulated,
    simulatedAtSlot: preview.slot,
    ...(error !== null && {
      error: {
        program: error.program,
        name: error.name,
        message: untrustedSentence(error.message),
        action: untrustedSentence(error.action),
        maxAmount: error.maxAmount,
        suggestedAmount: error.suggestedAmount,
      },
    }),
    solChange: sol(preview.solChangeLamports),
    fee: sol(preview.feeLamports),
    rent: sol(plan.rentLamports),
    tokenChanges: preview.tokenChanges.map(({ mint, symbol, uiChange }) => ({
      mint,
      untrustedSymbol: untrustedName(symbol ?? ''),
      change: uiChange,
    })),
    pays: plan.pays.map(moveText),
    receives: plan.receives.map(moveText),
    creates: plan.creates.map(({ address, what }) => ({ address, what: untrustedSentence(what) })),
    steps: plan.steps.map(({ name, why }) => `${name}: ${untrustedSentence(why)}`),
    ...(loan !== null && { ltvBefore: ltvOf(loan.before), ltvAfter: ltvOf(loan.after) }),
  };
}

const moveText = ({ symbol, uiAmount, certainty }: BuildPreviewRow['plan']['pays'][number]) =>
  `${certainty} ${uiAmount} ${untrustedSymbol(symbol ?? '') || 'of an unknown token'}`;
