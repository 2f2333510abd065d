import {
  CodedError,
  createInstructionSet,
  type DecodedInstruction,
  hasCode,
  type InstructionAccountRoles,
  type InstructionCodec,
  type InstructionDecoder,
  type ListLayout,
  type Shape,
} from '@tidegate/core/base';
import type { InvokeContext, Program } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';

/** One instruction of a program that is not written with the framework of the lending program. */
export type NativeHandler = InstructionDecoder & {
  readonly units: number;
  run(call: InvokeContext, unreadable: () => ProgramFailure): void;
};

/** Signers and writable accounts are left to `act`, since each program looks at them in its own order. */
export function nativeHandler<
  A extends InstructionAccountRoles,
  S extends Shape,
  L extends ListLayout | undefined,
>(
  codec: InstructionCodec<A, S, L>,
  units: number,
  act: (found: DecodedInstruction<A, S, L>, call: InvokeContext) => void,
): NativeHandler {
  const slots = Object.keys(codec.slots).length;
  return {
    name: codec.name,
    discriminator: codec.discriminator,
    units,
    decode: codec.decode,
    run(call, unreadable) {
      const accounts = call.metas.map(({ address }) => address);
      if (accounts.length < slots) throw new ProgramFailure('NotEnoughAccountKeys');
      act(
        read(unreadable, () => codec.decode(call.program, { data: call.data, accounts })),
        call,
      );
    },
  };
}

export type NativeProgramOptions = {
  readonly isBuiltin?: boolean;
  readonly handlers: readonly NativeHandler[];
  /** Compute units of data that it cannot read. */
  readonly unitsToRefuse: number;
  /** What it says before an instruction. */
  readonly begin?: (call: InvokeContext, handler: NativeHandler) => void;
  /** For data that is cut short or of no instruction of the program; without it, invalid data. */
  readonly unreadable?: (call: InvokeContext) => ProgramFailure;
  /** For what our layouts and rules refuse. Undefined: it can only be a defect of ours. */
  readonly refusal?: (call: InvokeContext, error: CodedError) => ProgramFailure | undefined;
};

export function createNativeProgram(facts: NativeProgramOptions): Program {
  const set = createInstructionSet(facts.handlers);
  const unreadable = facts.unreadable ?? (() => new ProgramFailure('InvalidInstructionData'));
  return {
    isBuiltin: facts.isBuiltin ?? false,
    unitsOf: (data) => set.codecOf(data)?.units ?? facts.unitsToRefuse,
    run(call) {
      const handler = set.codecOf(call.data);
      if (handler === undefined) throw unreadable(call);
      facts.begin?.(call, handler);
      try {
        handler.run(call, () => unreadable(call));
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        throw facts.refusal?.(call, error) ?? error;
      }
    },
  };
}

function read<Found>(unreadable: () => ProgramFailure, decode: () => Found): Found {
  try {
    return decode();
  } catch (error) {
    if (!hasCode(error, 'MALFORMED_DATA')) throw error;
    throw unreadable();
  }
}

/** `Instruction: TransferChecked`, before the instruction of that name. */
export function logInstructionName(call: InvokeContext, { name }: NativeHandler): void {
  call.log(`Instruction: ${name.charAt(0).toUpperCase()}${name.slice(1)}`);
}
