import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatError, type Logger } from '@tidegate/core/base';
import { type Counterexample, parseCounterexample } from '@tidegate/localnet/replay';
import type { CounterexampleEntry, ProofSubject } from '../clusters/proof-report.ts';
import { CodedError } from '../errors.ts';
import { toProofDifference } from './proof-results.ts';

type CounterexampleStoreOptions = {
  /** Of one cluster. */
  readonly folder: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
};

/** Per program, instruction and kind. */
const MAX_PER_SUBJECT = 10;
const MAX_FILES = 500;
const SUFFIX = '.json';
const EXPLAINED_SUFFIX = '.explained';

/** Counterexamples as files: `ID.json`, and `ID.explained` with the reason why it does not count any more. */
export class CounterexampleStore {
  readonly #options: CounterexampleStoreOptions;
  readonly #stored = new Map<string, CounterexampleEntry>();

  constructor(options: CounterexampleStoreOptions) {
    this.#options = options;
  }

  /** Newest first. */
  entries(): readonly CounterexampleEntry[] {
    return [...this.#stored.values()].toSorted(
      (a, b) => b.foundAt - a.foundAt || (a.id < b.id ? 1 : -1),
    );
  }

  /** Reads the folder again: another process may have explained an example. */
  async refresh(): Promise<void> {
    const names = await listFiles(this.#options.folder);
    for (const id of this.#stored.keys()) {
      if (!names.includes(`${id}${SUFFIX}`)) this.#stored.delete(id);
    }
    for (const name of names) {
      if (name.endsWith(SUFFIX)) await this.#load(name.slice(0, -SUFFIX.length), names);
    }
  }

  /** Whether there are few of one of the kinds. */
  needs(subjects: readonly ProofSubject[]): boolean {
    const isFull = this.#stored.size >= MAX_FILES;
    return !isFull && subjects.some((subject) => this.#countOf(subject) < MAX_PER_SUBJECT);
  }

  async add(text: string): Promise<void> {
    const example = parseCounterexample(text);
    const foundAt = this.#options.clock();
    const id = idOf(describeCounterexample(example));
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${id}${SUFFIX}`);
    // a reader sees the whole file or none
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
    this.#put(id, example, { foundAt, explanation: null });
  }

  /** Throws NOT_FOUND. */
  async read(id: string): Promise<string> {
    if (!this.#stored.has(id)) throw unknownExample(id);
    return await this.#readFile(id);
  }

  /** From now on the example does not mark figures. */
  async explain(id: string, reason: string): Promise<void> {
    const stored = this.#stored.get(id);
    if (stored === undefined) throw unknownExample(id);
    await writeFile(join(this.#options.folder, `${id}${EXPLAINED_SUFFIX}`), `${reason}\n`);
    this.#stored.set(id, { ...stored, explanation: reason });
  }

  #countOf({ program, instruction, kind }: ProofSubject): number {
    return [...this.#stored.values()].filter(
      ({ explanation, subjects }) =>
        explanation === null &&
        subjects.some(
          (one) => one.program === program && one.instruction === instruction && one.kind === kind,
        ),
    ).length;
  }

  #readFile(id: string): Promise<string> {
    return readFile(join(this.#options.folder, `${id}${SUFFIX}`), 'utf8');
  }

  async #load(id: string, names: readonly string[]): Promise<void> {
    const { folder, log } = this.#options;
    const isExplained = names.includes(`${id}${EXPLAINED_SUFFIX}`);
    const known = this.#stored.get(id);
    if (known !== undefined && (known.explanation !== null || !isExplained)) return;
    try {
      const explanation = isExplained
        ? (await readFile(join(folder, `${id}${EXPLAINED_SUFFIX}`), 'utf8')).trim()
        : null;
      const { mtimeMs } = await stat(join(folder, `${id}${SUFFIX}`));
      const example = parseCounterexample(await this.#readFile(id));
      this.#put(id, example, { foundAt: Math.round(mtimeMs), explanation });
    } catch (error) {
      log.warn({ id, error: formatError(error) }, 'counterexample not read');
    }
  }

  #put(
    id: string,
    example: Counterexample,
    state: Pick<CounterexampleEntry, 'foundAt' | 'explanation'>,
  ): void {
    this.#stored.set(id, { id, ...describeCounterexample(example), ...state });
  }
}

const unknownExample = (id: string): CodedError =>
  new CodedError('NOT_FOUND', { what: 'counterexample', address: id });

const idOf = ({ slot, subjects }: Pick<CounterexampleEntry, 'slot' | 'subjects'>): string => {
  const [subject] = subjects;
  const names = [slot, subject?.program, subject?.instruction, subject?.kind];
  return names.filter((name) => name !== undefined).join('-');
};

async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

/** Its difference is the first one. */
function describeCounterexample({
  slot: { time },
  releases,
  differences,
}: Counterexample): Omit<CounterexampleEntry, 'id' | 'foundAt' | 'explanation'> {
  const [first] = differences;
  const { slot } = time;
  const subjects = differences.flatMap(
    ({ program = 'unknown', instructions, kind }): ProofSubject[] =>
      instructions.map((instruction) => ({ program, instruction, kind })),
  );
  return {
    subjects: [...new Map(subjects.map((each) => [Object.values(each).join(' '), each])).values()],
    releases: { ...releases },
    slot: `${slot}`,
    difference:
      first === undefined ? null : toProofDifference(first, { address: first.subject, slot }),
  };
}
