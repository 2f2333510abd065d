import type { DecodedTransaction } from '@tidegate/client';

/** A loan that a transaction is about. */
export type LoanSubject = { readonly market: string; readonly obligation: string };

/** A wallet’s position in a vault that a transaction is about. */
export type VaultSubject = { readonly wallet: string; readonly vault: string };

type Instruction = DecodedTransaction['instructions'][number];

/** Loans of the instructions of the lending program, by the names of their accounts. */
export const loanSubjects = ({ instructions }: DecodedTransaction): LoanSubject[] =>
  distinct(
    instructions.flatMap((instruction) => {
      const [obligation] = accountsNamed(instruction, 'obligation');
      const [market] = accountsNamed(instruction, 'lendingMarket');
      return instruction.program.name === 'klend' && obligation && market
        ? [{ market, obligation }]
        : [];
    }),
    ({ obligation }) => obligation,
  );

/** Positions of the instructions of the vault program. */
export const vaultSubjects = ({ instructions }: DecodedTransaction): VaultSubject[] =>
  distinct(
    instructions.flatMap((instruction) => {
      const [vault] = accountsNamed(instruction, 'vaultState');
      const [wallet] = accountsNamed(instruction, 'user');
      return instruction.program.name === 'kvault' && vault && wallet ? [{ wallet, vault }] : [];
    }),
    ({ wallet, vault }) => `${wallet} ${vault}`,
  );

const accountsNamed = ({ accounts }: Instruction, name: string): readonly string[] =>
  accounts.filter((account) => account.name === name).map(({ address }) => address);

function distinct<Subject>(
  subjects: readonly Subject[],
  keyOf: (subject: Subject) => string,
): Subject[] {
  return [...new Map(subjects.map((subject) => [keyOf(subject), subject])).values()];
}

const DAY_MS = 86_400_000;

/** Days around a time, in UTC, from the start of its own. Histories have points at their starts. */
export function daysAround(time: number): { readonly start: number; readonly end: number } {
  const start = Math.floor(time / DAY_MS) * DAY_MS;
  return { start, end: start + 2 * DAY_MS };
}

/** The last point before a time and the first one after it; undefined where nothing was recorded. */
export function pointsAround<Point>(
  points: readonly Point[],
  time: number,
  timeOf: (point: Point) => string,
): { readonly before: Point | undefined; readonly after: Point | undefined } {
  const isBefore = (point: Point): boolean => Date.parse(timeOf(point)) < time;
  return {
    before: points.findLast(isBefore),
    after: points.find((point) => !isBefore(point)),
  };
}
