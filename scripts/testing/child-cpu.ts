import { existsSync, readFileSync } from 'node:fs';

/** The `getconf CLK_TCK` of every Linux that Node.js supports. */
const TICKS_PER_SECOND = 100;
/** Fields of `/proc/PID/stat`, counted from after the name of the program. */
const CHILD_USER_TICKS = 13;
const CHILD_SYSTEM_TICKS = 14;

/** CPU time of child processes that have ended, and of theirs. 0 where the system does not tell. */
export function childCpuSeconds(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[CHILD_USER_TICKS]) + Number(fields[CHILD_SYSTEM_TICKS]);
  return ticks / TICKS_PER_SECOND;
}
