import { farms, klend, kvault, scope, spl } from '@tidegate/core/protocol';
import { CodedError } from '../../../errors.ts';
import { errorMeanings } from '../../answer/error-meanings.ts';
import type { Inspection } from '../inspect/inspection.ts';

type ProgramErrorRow = { readonly code: number; readonly name: string; readonly message: string };

/** Programs and what they mean by a number. */
const programs: Readonly<Record<string, (code: number) => ProgramErrorRow | undefined>> = {
  klend: klend.klendError,
  kvault: kvault.kvaultError,
  farms: farms.farmsError,
  scope: scope.scopeError,
  token: spl.tokenError,
};

/** Numbers of Anchor and of the programs are below. */
const MAX_NUMBER = 8_000;

export function explainError(subject: string): Inspection {
  const meaning = errorMeanings[subject.toUpperCase()];
  if (meaning !== undefined) {
    const code = subject.toUpperCase();
    return {
      lines: [`${code}: ${meaning.meaning}`, `What to do: ${meaning.action}`],
      data: { code, ...meaning },
    };
  }
  const found = findProgramErrors(subject);
  if (found.length === 0) {
    const reason = `"${subject}" is no known error. Use a code of the API such as STALE_READ, a program error such as BorrowTooLarge, or a program and a number such as klend:6013.`;
    throw new CodedError('INVALID_TOOL_INPUT', { reason });
  }
  return {
    lines: found.map(
      ({ program, code, name, message }) =>
        `The ${program} program fails with ${code} (${name}): ${message}.`,
    ),
    data: { errors: found },
    next: [
      'Call preview with the same action: it says which figure is missing and what to change.',
    ],
  };
}

function findProgramErrors(subject: string): (ProgramErrorRow & { readonly program: string })[] {
  const [, named, number] = /^(?:(\w+)[:.])?(\d{1,5}|0x[0-9a-f]{1,4})$/i.exec(subject) ?? [];
  return Object.entries(programs).flatMap(([program, errorOf]) => {
    if (named !== undefined && named !== program) return [];
    const codes = number === undefined ? allNumbers() : [Number(number)];
    return codes.flatMap((code) => {
      const error = errorOf(code);
      if (error === undefined) return [];
      const isMeant = number !== undefined || error.name.toLowerCase() === subject.toLowerCase();
      return isMeant ? [{ program, ...error }] : [];
    });
  });
}

const allNumbers = (): number[] => Array.from({ length: MAX_NUMBER }, (_, code) => code);
