import {
  bytesToHex,
  type DecodedInstruction,
  type InstructionAccountRoles,
  type InstructionCodec,
  type ListLayout,
  type ProgramError,
  type Shape,
  SIGN,
  WRITE,
} from '@tidegate/core/base';
import { anchorError, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { CodedError, hasCode } from '../../errors/index.ts';
import type { InvokeContext, Program } from '../../runtime/program.ts';
import { customError, ProgramFailure } from '../../runtime/transaction-errors.ts';

/** One instruction of a program. */
export type InstructionHandler = {
  readonly name: string;
  readonly discriminator: Uint8Array;
  readonly units: number;
  run(call: InvokeContext): void;
};

/** `units`: compute units of the instruction without its inner calls. */
export function anchorHandler<
  A extends InstructionAccountRoles,
  S extends Shape,
  L extends ListLayout | undefined,
>(
  codec: InstructionCodec<A, S, L>,
  units: number,
  handle: (decoded: DecodedInstruction<A, S, L>, call: InvokeContext) => void,
): InstructionHandler {
  const accountSlots = Object.entries(codec.accounts);
  return {
    name: codec.name,
    discriminator: codec.discriminator,
    units,
    run(call) {
      const accounts = call.metas.map(({ address }) => address);
      if (accounts.length < accountSlots.length) throw anchorFailure(call, 'AccountNotEnoughKeys');
      const decoded = decodeOrFail(call, () =>
        codec.decode(call.program, { data: call.data, accounts }),
      );
      accountSlots.forEach(([name, { role, optional }], i) => {
        const address = accounts[i];
        if (address === undefined || (optional && address === call.program)) return;
        const granted = call.metas[i]?.role ?? 0;
        if ((role & SIGN) !== 0 && (granted & SIGN) === 0) {
          throw anchorFailure(call, 'AccountNotSigner', name);
        }
        if ((role & WRITE) !== 0 && (granted & WRITE) === 0) {
          throw anchorFailure(call, 'ConstraintMut', name);
        }
      });
      handle(decoded, call);
    },
  };
}

export type AnchorProgramOptions = {
  readonly handlers: readonly InstructionHandler[];
  readonly errorOf: (code: number) => ProgramError | undefined;
};

/**
 * A program in the style of Anchor, which the lending, vault, farms and oracle programs are written
 * with.
 */
export function createAnchorProgram({ handlers, errorOf }: AnchorProgramOptions): Program {
  const byDiscriminator = new Map(
    handlers.map((handler) => [bytesToHex(handler.discriminator), handler]),
  );
  const find = (data: Uint8Array) => byDiscriminator.get(bytesToHex(data.subarray(0, 8)));
  return {
    computeUnits: (data) => find(data)?.units ?? REJECTION_UNITS,
    run(call) {
      const handler = find(call.data);
      if (handler === undefined) throw anchorFailure(call, 'InstructionFallbackNotFound');
      call.log(`Instruction: ${handler.name.charAt(0).toUpperCase()}${handler.name.slice(1)}`);
      try {
        handler.run(call);
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        throw toFailure(call, error, errorOf) ?? error;
      }
    },
  };
}

const REJECTION_UNITS = 1_000;

/** An Anchor error, logged as Anchor does. `account`: the account at fault. */
export function anchorFailure(
  call: InvokeContext,
  name: keyof typeof CODES,
  account?: string,
): ProgramFailure {
  return logAndFail(call, anchorError(CODES[name]), account);
}

/** The codes that the framework itself checks. */
const CODES = {
  InstructionFallbackNotFound: 101,
  InstructionDidNotDeserialize: 102,
  ConstraintMut: 2000,
  ConstraintHasOne: 2001,
  ConstraintSigner: 2002,
  ConstraintRaw: 2003,
  ConstraintSeeds: 2006,
  ConstraintAddress: 2012,
  ConstraintZero: 2013,
  ConstraintTokenMint: 2014,
  ConstraintTokenOwner: 2015,
  ConstraintTokenTokenProgram: 2021,
  ConstraintMintTokenProgram: 2022,
  RequireEqViolated: 2501,
  RequireKeysEqViolated: 2502,
  AccountDiscriminatorNotFound: 3001,
  AccountDiscriminatorMismatch: 3002,
  AccountDidNotDeserialize: 3003,
  AccountNotEnoughKeys: 3005,
  AccountNotMutable: 3006,
  AccountOwnedByWrongProgram: 3007,
  InvalidProgramId: 3008,
  AccountNotSigner: 3010,
  AccountNotInitialized: 3012,
} as const;

/** Maps rejections by operations and layouts to the program's errors. */
function toFailure(
  call: InvokeContext,
  error: CodedError,
  errorOf: AnchorProgramOptions['errorOf'],
): ProgramFailure | undefined {
  if (hasCode(error, 'PROGRAM_REFUSES')) {
    call.log(error.context.reason);
    return logAndFail(call, errorOf(error.context.code));
  }
  if (hasCode(error, 'ACCOUNT_WRONG_OWNER')) {
    const { owner, account } = error.context;
    // For program accounts Anchor checks the owner only: a missing account counts as owned by
    // another program.
    const isMissing = owner === SYSTEM_PROGRAM && account.startsWith('spl.');
    return anchorFailure(call, isMissing ? 'AccountNotInitialized' : 'AccountOwnedByWrongProgram');
  }
  // Anchor checks the discriminator before the size, and another size implies another account type.
  if (hasCode(error, 'ACCOUNT_WRONG_DISCRIMINATOR') || hasCode(error, 'ACCOUNT_WRONG_SIZE')) {
    return anchorFailure(call, 'AccountDiscriminatorMismatch');
  }
  if (PANICS.some((code) => hasCode(error, code))) {
    call.log(`panicked: ${error.message}`);
    return new ProgramFailure('ProgramFailedToComplete');
  }
  return undefined;
}

/** The program has no error for these and panics. */
const PANICS = [
  'MATH_OVERFLOW',
  'DIVISION_BY_ZERO',
  'MALFORMED_DATA',
  'ACCOUNT_UNKNOWN_VERSION',
] as const;

function logAndFail(
  call: InvokeContext,
  error: ProgramError | undefined,
  account?: string,
): ProgramFailure {
  if (error === undefined) throw new TypeError('an error without a number');
  const { name, code, message } = error;
  const what = account === undefined ? 'occurred' : `caused by account: ${snakeCase(account)}`;
  call.log(
    `AnchorError ${what}. Error Code: ${name}. Error Number: ${code}. Error Message: ${message}.`,
  );
  return customError(code);
}

/** Account names in the program's notation. */
const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function decodeOrFail<Decoded>(call: InvokeContext, decode: () => Decoded): Decoded {
  try {
    return decode();
  } catch (error) {
    if (!hasCode(error, 'MALFORMED_DATA')) throw error;
    throw anchorFailure(call, 'InstructionDidNotDeserialize');
  }
}
