import { CodedError } from '../errors.ts';
import type { RejectionFigures } from './rejection-figures.ts';

/** What a program means by a number that it fails with. */
export type ProgramError = {
  readonly code: number;
  readonly name: string;
  readonly message: string;
};

export type ProgramErrors<Name extends string> = {
  /** Undefined for a number that the program does not define. */
  byCode(code: number): ProgramError | undefined;
  /** For a rule of the program that we apply ourselves: the error that it would end with. */
  rejection(name: Name, reason: string, figures?: RejectionFigures): CodedError<'PROGRAM_REFUSES'>;
};

export function programErrors<Name extends string>(
  program: string,
  table: { readonly [N in Name]: readonly [code: number, message: string] },
): ProgramErrors<Name> {
  const rows: Readonly<Record<string, readonly [number, string]>> = table;
  const errors = new Map(
    Object.entries(rows).map(([name, [code, message]]) => [code, { code, name, message }]),
  );
  return {
    byCode: (code) => errors.get(code),
    rejection(name, reason, figures) {
      const [code] = table[name];
      return new CodedError('PROGRAM_REFUSES', { program, code, name, reason, figures });
    },
  };
}
