import {
  type Address,
  type Instruction,
  type InstructionAccountRoles,
  type Role,
  SIGN,
} from '@tidegate/core/base';
import { FARMS_PROGRAM, farmsInstructions } from '@tidegate/core/protocol/farms';
import { KLEND_PROGRAM, klendInstructions } from '@tidegate/core/protocol/klend';
import { KVAULT_PROGRAM, kvaultInstructions } from '@tidegate/core/protocol/kvault';
import { splInstructions } from '@tidegate/core/protocol/spl';
import { type Call, descendantsOf } from '@tidegate/core/protocol/spl/transaction';
import type { InvokeContext, Program } from '../runtime/program.ts';
import { NotReplayable } from './not-replayable.ts';
import { type ReadableTransaction, toInstruction } from './readable-transaction.ts';

/** A program that is not modelled: it makes the calls that the node recorded, and changes nothing itself. */
export class RecordedCalls {
  readonly program: Program = { computeUnits: () => 0, run: (call) => this.#run(call) };
  readonly #readable: ReadableTransaction;
  /** The call that such a program makes now. */
  #next: Call | undefined;

  constructor(readable: ReadableTransaction) {
    this.#readable = readable;
  }

  #run(context: InvokeContext): void {
    const { calls } = this.#readable.transaction;
    const call = context.stackHeight === 1 ? calls[context.index] : this.#next;
    if (call === undefined || call.program !== context.program) {
      throw new NotReplayable('unknownProgram', `a model calls ${context.program}`);
    }
    for (const child of call.children) {
      this.#next = child;
      const authorities = child.accounts;
      context.invoke(withSigners(toInstruction(child, this.#readable.roles), child), authorities);
    }
  }
}

/** A program signs for addresses that it derives. The recording does not tell, but the instruction requires it. */
function withSigners(instruction: Instruction, { program, data }: Call): Instruction {
  const codec = instructionsOf(program)?.codecOf(data);
  const required = Object.values(codec?.accounts ?? {});
  return {
    ...instruction,
    accounts: instruction.accounts.map(({ address, role }, i) => {
      const isSigner = ((required[i]?.role ?? 0) & SIGN) !== 0;
      return { address, role: isSigner ? ((role | SIGN) as Role) : role };
    }),
  };
}

type RoleSet = {
  codecOf(data: Uint8Array): { readonly accounts: InstructionAccountRoles } | undefined;
};

const protocolSets: ReadonlyMap<Address, RoleSet> = new Map<Address, RoleSet>([
  [KLEND_PROGRAM, klendInstructions],
  [KVAULT_PROGRAM, kvaultInstructions],
  [FARMS_PROGRAM, farmsInstructions],
]);

const instructionsOf = (program: Address): RoleSet | undefined =>
  protocolSets.get(program) ?? splInstructions(program);

/** The instructions of the transaction; those of programs that are not modelled list all accounts that their calls use. */
export function replayedInstructions(
  { transaction, instructions, roles }: ReadableTransaction,
  isModelled: (program: Address) => boolean,
): Instruction[] {
  return instructions.map((instruction, i) => {
    const call = transaction.calls[i];
    if (call === undefined || isModelled(instruction.programAddress)) return instruction;
    const used = descendantsOf(call).flatMap(({ program, accounts }) => [program, ...accounts]);
    const listed = new Set(instruction.accounts.map(({ address }) => address));
    const added = [...new Set(used)].filter((address) => !listed.has(address));
    return {
      ...instruction,
      accounts: [
        ...instruction.accounts,
        ...added.map((address) => ({ address, role: roles.get(address) ?? 0 })),
      ],
    };
  });
}
