import {
  createInstructionSet,
  type DecodedInstruction,
  type InstructionAccountRoles,
  type InstructionCodec,
  type InstructionDecoder,
  type ListLayout,
  type Shape,
} from '@tidegate/core/base';
import { CodedError, hasCode } from '../../errors/index.ts';
import type { InvokeContext, Program } from '../../runtime/program.ts';
import { ProgramFailure } from '../../runtime/transaction-errors.ts';

/** One instruction of a program that is not written with Anchor. */
export type NativeHandler = InstructionDecoder & {
  readonly units: number;
  run(call: InvokeContext, malformedData: () => ProgramFailure): void;
};

/** `handle` checks signers and writable accounts, because each program does it in its own order. */
export function nativeHandler<
  A extends InstructionAccountRoles,
  S extends Shape,
  L extends ListLayout | undefined,
>(
  codec: InstructionCodec<A, S, L>,
  units: number,
  handle: (decoded: DecodedInstruction<A, S, L>, call: InvokeContext) => void,
): NativeHandler {
  const accountCount = Object.keys(codec.accounts).length;
  return {
    name: codec.name,
    discriminator: codec.discriminator,
    units,
    decode: codec.decode,
    run(call, malformedData) {
      const accounts = call.metas.map(({ address }) => address);
      if (accounts.length < accountCount) throw new ProgramFailure('NotEnoughAccountKeys');
      handle(
        decodeOrFail(malformedData, () =>
          codec.decode(call.program, { data: call.data, accounts }),
        ),
        call,
      );
    },
  };
}

export type NativeProgramOptions = {
  readonly isBuiltin?: boolean;
  readonly handlers: readonly NativeHandler[];
  /** Compute units for data that cannot be decoded. */
  readonly rejectionUnits: number;
  /** Called before an instruction. */
  readonly onStart?: (call: InvokeContext, handler: NativeHandler) => void;
  /** The error for malformed or unknown data; defaults to invalid instruction data. */
  readonly malformedData?: (call: InvokeContext) => ProgramFailure;
  /** Maps rejections by layouts and rules. Undefined means a bug of the model. */
  readonly toFailure?: (call: InvokeContext, error: CodedError) => ProgramFailure | undefined;
};

export function createNativeProgram(options: NativeProgramOptions): Program {
  const set = createInstructionSet(options.handlers);
  const malformedData =
    options.malformedData ?? (() => new ProgramFailure('InvalidInstructionData'));
  return {
    isBuiltin: options.isBuiltin ?? false,
    computeUnits: (data) => set.codecOf(data)?.units ?? options.rejectionUnits,
    run(call) {
      const handler = set.codecOf(call.data);
      if (handler === undefined) throw malformedData(call);
      options.onStart?.(call, handler);
      try {
        handler.run(call, () => malformedData(call));
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        throw options.toFailure?.(call, error) ?? error;
      }
    },
  };
}

function decodeOrFail<Decoded>(
  malformedData: () => ProgramFailure,
  decode: () => Decoded,
): Decoded {
  try {
    return decode();
  } catch (error) {
    if (!hasCode(error, 'MALFORMED_DATA')) throw error;
    throw malformedData();
  }
}

/** Logs a line such as `Instruction: TransferChecked`. */
export function logInstructionName(call: InvokeContext, { name }: NativeHandler): void {
  call.log(`Instruction: ${name.charAt(0).toUpperCase()}${name.slice(1)}`);
}
