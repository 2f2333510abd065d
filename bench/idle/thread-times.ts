import { readdirSync, readFileSync } from 'node:fs';

/** `USER_HZ`, the same on every Linux. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of each thread of a process by thread ID; empty on systems other than Linux. */
export function threadTimes(pid: number): ReadonlyMap<number, number> {
  if (process.platform !== 'linux') return new Map();
  const folder = `/proc/${pid}/task`;
  return new Map(
    readdirSync(folder).map((thread) => {
      const [nanoseconds] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ');
      return [Number(thread), Number(nanoseconds) / 1e9];
    }),
  );
}

/** CPU seconds of the processes that a process started and that have ended; 0 on systems other than Linux. */
export function childSeconds(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // the name of the program in parentheses may contain spaces
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(13, 15).map(Number);
  return (user + system) / TICKS_PER_SECOND;
}
