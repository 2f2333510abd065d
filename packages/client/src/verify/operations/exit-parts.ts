import type { Call } from '../instructions/decode-calls.ts';

const CLOSE = 'token closeAccount';

/** A part of an exit: all instructions of one repayment, withdrawal or redemption. */
type ExitAction = {
  /** The first instruction that moves tokens. */
  readonly main: Call;
  readonly calls: readonly Call[];
};

type ExitParts = {
  readonly actions: readonly ExitAction[];
  readonly claims: readonly (readonly Call[])[];
};

/**
 * A part ends with its main instruction, or the last of several in a row, and the token accounts that are closed after it.
 * What follows the last one are claims, each of which may end with the close of an account.
 */
export function splitExit(calls: readonly Call[], mainKeys: readonly string[]): ExitParts {
  const isMain = ({ key }: Call): boolean => mainKeys.includes(key);
  const actions: ExitAction[] = [];
  const claims: Call[][] = [];
  let part: Call[] = [];
  calls.forEach((call, i) => {
    part.push(call);
    const next = calls[i + 1];
    const main = part.find(isMain);
    const ends = main === undefined ? call.key === CLOSE : isMain(call) || call.key === CLOSE;
    const goesOn = next !== undefined && (next.key === CLOSE || (main && isMain(next)));
    if (next !== undefined && (!ends || goesOn)) return;
    if (main === undefined) claims.push(part);
    else actions.push({ main, calls: part });
    part = [];
  });
  return { actions, claims };
}
