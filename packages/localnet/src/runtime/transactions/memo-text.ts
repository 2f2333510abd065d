import type { Address, Instruction } from '@tidegate/core/base';
import { MEMO_PROGRAM, MEMO_V1_PROGRAM } from '@tidegate/core/protocol/spl';

export const MEMO_PROGRAMS: readonly Address[] = [MEMO_V1_PROGRAM, MEMO_PROGRAM];

/** All memos of the top-level instructions, each after its length; undefined if there are none. */
export function memoText(instructions: readonly Instruction[]): string | undefined {
  const memos = instructions
    .filter(({ programAddress }) => MEMO_PROGRAMS.includes(programAddress))
    .map(({ data }) => `[${data.length}] ${parseMemo(data) ?? '(unparseable)'}`);
  return memos.length === 0 ? undefined : memos.join('; ');
}

/** Undefined if it is not text. */
export function parseMemo(data: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
