import { useState } from 'preact/hooks';
import type { ActionName } from '../../../routing/build-fields.ts';

/** Whether it takes several transactions. */
export const isPlan = (action: ActionName): boolean => action === 'exit' || action === 'vault-exit';

/** A transaction of a plan that has landed. */
export type CompletedStep = { readonly summary: string; readonly signature: string };

type PlanState = { readonly key: string; readonly completed: readonly CompletedStep[] };

/** The transactions of a plan that have landed. The key has what the plan is for. `onNext` builds the rest. */
export function usePlan(key: string, onNext: () => void) {
  const [state, setState] = useState<PlanState>({ key, completed: [] });
  const completed = state.key === key ? state.completed : [];
  return {
    completed,
    next(step: CompletedStep): void {
      setState({ key, completed: [...completed, step] });
      onNext();
    },
  };
}
