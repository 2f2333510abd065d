import type { Profiler } from 'node:inspector';

/** Pairs of offsets, the ends exclusive, in order: `[from, to, from, to]`. */
export type Ranges = readonly number[];

/** Which characters of one script were executed, from one or several takes of V8's precise coverage. */
export function createScriptCoverage() {
  const functions = new Map<string, Profiler.FunctionCoverage>();
  let executed = new Uint8Array(0);
  return {
    /** V8 reports a function again only if it ran since the last take. */
    add(reported: readonly Profiler.FunctionCoverage[]): void {
      for (const [key, known] of functions) functions.set(key, neverRan(known));
      for (const one of reported) functions.set(keyOf(one), one);
      const painted = paint([...functions.values()]);
      if (painted.length > executed.length) executed = grown(executed, painted.length);
      painted.forEach((isExecuted, offset) => {
        if (isExecuted === 1) executed[offset] = 1;
      });
    },
    ranges: (): Ranges => rangesOf(executed),
  };
}

const rootOf = ({ ranges: [root] }: Profiler.FunctionCoverage): Profiler.CoverageRange =>
  root ?? { startOffset: 0, endOffset: 0, count: 0 };

function keyOf(one: Profiler.FunctionCoverage): string {
  const { startOffset, endOffset } = rootOf(one);
  return `${startOffset}-${endOffset}`;
}

const neverRan = (one: Profiler.FunctionCoverage): Profiler.FunctionCoverage => ({
  ...one,
  ranges: [{ ...rootOf(one), count: 0 }],
});

/** Inner functions and blocks are painted over those around them. */
function paint(functions: readonly Profiler.FunctionCoverage[]): Uint8Array {
  const outerFirst = functions.toSorted((a, b) => {
    const [one, other] = [rootOf(a), rootOf(b)];
    return one.startOffset - other.startOffset || other.endOffset - one.endOffset;
  });
  const length = Math.max(0, ...functions.map((one) => rootOf(one).endOffset));
  const painted = new Uint8Array(length);
  for (const { ranges } of outerFirst) {
    for (const { startOffset, endOffset, count } of ranges) {
      painted.fill(count > 0 ? 1 : 0, startOffset, endOffset);
    }
  }
  return painted;
}

function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(length);
  longer.set(bytes);
  return longer;
}

function rangesOf(executed: Uint8Array): number[] {
  const ranges: number[] = [];
  for (let offset = 0; offset <= executed.length; offset += 1) {
    const isExecuted = executed[offset] === 1;
    if (isExecuted !== (ranges.length % 2 === 1)) ranges.push(offset);
  }
  return ranges;
}

export function joinRanges(a: Ranges, b: Ranges): Ranges {
  const executed = new Uint8Array(Math.max(a.at(-1) ?? 0, b.at(-1) ?? 0));
  for (const ranges of [a, b]) {
    for (let index = 0; index < ranges.length; index += 2) {
      executed.fill(1, ranges[index], ranges[index + 1]);
    }
  }
  return rangesOf(executed);
}

export function includesOffset(ranges: Ranges, offset: number): boolean {
  return ranges.filter((boundary) => boundary <= offset).length % 2 === 1;
}
