import type { Call } from '../../../protocol/spl/transaction/call-tree.ts';
import type { InstructionView, TransactionView } from '../transaction-view.ts';

export type CallContext = {
  readonly instruction: InstructionView;
  /** Undefined for a top-level instruction. */
  readonly caller: InstructionView | undefined;
  /** Whether the vault program made the call, directly or indirectly. */
  readonly isInVault: boolean;
  readonly isInFarms: boolean;
};

/** By path, in the order of execution: callers before their calls. */
export function indexCalls({
  instructions,
}: Pick<TransactionView, 'instructions'>): ReadonlyMap<string, CallContext> {
  const calls = new Map<string, CallContext>();
  const add = (call: CallContext): void => {
    const { instruction: caller, isInVault, isInFarms } = call;
    calls.set(caller.path.join(), call);
    for (const instruction of caller.children) {
      add({
        instruction,
        caller,
        isInVault: isInVault || caller.program === 'kvault',
        isInFarms: isInFarms || caller.program === 'farms',
      });
    }
  };
  for (const instruction of instructions) {
    add({ instruction, caller: undefined, isInVault: false, isInFarms: false });
  }
  return calls;
}

/** The call without its inner calls. */
export function toCall({ programAddress, accounts, data, path }: InstructionView): Call {
  return { program: programAddress, accounts, data, path, children: [] };
}
