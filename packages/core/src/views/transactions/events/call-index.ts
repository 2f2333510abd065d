import type { Call } from '../../../protocol/spl/transaction/call-tree.ts';
import type { InstructionView, TransactionView } from '../transaction-view.ts';

export type CallContext = {
  readonly instruction: InstructionView;
  /** Undefined for an instruction of the transaction itself. */
  readonly caller: InstructionView | undefined;
  /** Whether the vault program made the call, or a call above it. */
  readonly isInVault: boolean;
  readonly isInFarms: boolean;
};

/** By path, in the order of execution: callers before what they called. */
export function indexCalls({
  instructions,
}: Pick<TransactionView, 'instructions'>): ReadonlyMap<string, CallContext> {
  const calls = new Map<string, CallContext>();
  const place = (placed: CallContext): void => {
    const { instruction: caller, isInVault, isInFarms } = placed;
    calls.set(caller.path.join(), placed);
    for (const instruction of caller.children) {
      place({
        instruction,
        caller,
        isInVault: isInVault || caller.program === 'kvault',
        isInFarms: isInFarms || caller.program === 'farms',
      });
    }
  };
  for (const instruction of instructions) {
    place({ instruction, caller: undefined, isInVault: false, isInFarms: false });
  }
  return calls;
}

/** As the program got it, without what it called. */
export function toCall({ programAddress, accounts, data, path }: InstructionView): Call {
  return { program: programAddress, accounts, data, path, children: [] };
}
