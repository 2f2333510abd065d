import { readdirSync, readFileSync } from 'node:fs';

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
