import { farmsError } from '#core/protocol/farms/errors.ts';
import { klendError } from '#core/protocol/klend/errors.ts';
import { kvaultError } from '#core/protocol/kvault/errors.ts';
import { scopeError } from '#core/protocol/scope/errors.ts';
import { anchorError } from '#core/protocol/spl/anchor-errors.ts';
import { associatedTokenError, systemError, tokenError } from '#core/protocol/spl/errors.ts';
import { adviseOnFailure } from '#server/operations/transactions/builder/failure-advice.ts';

const programs = {
  klend: klendError,
  kvault: kvaultError,
  farms: farmsError,
  scope: scopeError,
  anchor: anchorError,
  token: tokenError,
  associatedToken: associatedTokenError,
  system: systemError,
};

/** Above the numbers of all programs. */
const END = 20_000;

/** Stand for the amounts of a case. */
const AMOUNTS = {
  maxAmount: '`maxAmount` of the failure',
  suggestedAmount: '`suggestedAmount` of the failure',
};

const adviceOn = (program: string, name: string): string =>
  adviseOnFailure({ program, name, figures: undefined, ...AMOUNTS });

/** For errors about which nothing else is known. It is stated once. */
const GENERAL_ADVICE = adviceOn('', '');

const INTRODUCTION = `What the numbers mean that transactions fail with.

\`custom program error: 0x1771\` is number 6001 of the program that the log names: a number has a meaning only together with its
program. The search of the documentation finds numbers in both forms, and names. Previews, decoded transactions and rejected builds
already have the name, the meaning and what to do, with the amounts of the case where they are known
([builders.md](builders.md)). Codes of the API are at [errors.md](errors.md#codes).

Where a table does not say what to do: ${GENERAL_ADVICE} klend, kvault, farms and scope also have the errors of Anchor, their framework.`;

/** The lines of the page: every error that the programs define. */
export function programErrorLines(): string[] {
  return [
    ...INTRODUCTION.split('\n'),
    ...Object.entries(programs).flatMap(([program, errorOf]) => [
      '',
      `## ${program}`,
      '',
      '| Error | Meaning | What to do |',
      '| --- | --- | --- |',
      ...Array.from({ length: END }, (_, code) => code).flatMap((code) => {
        const error = errorOf(code);
        const isShared = program !== 'anchor' && errorOf(code) === anchorError(code);
        return error === undefined || isShared ? [] : [rowOf(program, error)];
      }),
    ]),
  ];
}

type ProgramError = NonNullable<ReturnType<typeof anchorError>>;

function rowOf(program: string, { code, name, message }: ProgramError): string {
  const advice = adviceOn(program, name);
  const cells = [
    `\`${code}\` \`0x${code.toString(16)}\` \`${name}\``,
    message === name ? '' : message,
    advice === GENERAL_ADVICE ? '' : advice,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
