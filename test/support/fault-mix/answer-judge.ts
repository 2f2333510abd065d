import type { RunningApi } from '../http/test-api.ts';
import { listFindings, readMixStatus, type ServedStatus } from './served-status.ts';
import type { Answer, SlotAnswers } from './slot-answers.ts';

/**
 * A lost write is found by the comparison of all state that begins after it, and confirmed by a second read; more, because a
 * comparison may have begun before, and because requests fail under other faults. All writes of these tests change the bytes
 * that each comparison reads.
 */
const MAX_PASSES = 5;

/** While endpoints fail, which `/status` names, nothing can be compared; otherwise a few comparisons have ended after this. */
const MAX_SLOTS = 60n;

const MAX_SILENT = 5;
const MAX_UNNOTICED = 30;

/** Findings that tell of wrong accounts. */
const TELLING = /^(drift|alarms|checks|unreadableAccounts|source: .*updates were lost)/;

/** Slots that polling may have reached since its status was read. */
const POLLED_SLOTS = 15n;

const MARKS = ['x-unproven', 'x-gaps', 'x-omitted', 'x-estimated'];

/** Answers by how they compare with the cluster. */
export type Verdicts = {
  right: number;
  /** Wrong, and marked by a header, `/ready` or the step of the source. */
  marked: number;
  refused: number;
  /** Wrong and not marked, but for no longer than it takes to find out. */
  unnoticed: number;
};

/** `passes`: complete comparisons of state before it was first seen. */
type OpenDifference = {
  readonly passes: PassCounts;
  readonly slot: bigint;
  readonly description: string;
};

/** By the accounts that are compared. */
type PassCounts = { readonly programs: number; readonly users: number };

type Response = Answer & { readonly headers: Headers };

/** Compares answers of a server with the accounts of the cluster, and looks for differences that nothing tells of. */
export class AnswerJudge {
  readonly verdicts: Verdicts = { right: 0, marked: 0, refused: 0, unnoticed: 0 };
  /** Differences that nothing told of in the stated time. */
  readonly silent: string[] = [];
  /** Everything that `/status` has said. */
  readonly findings = new Set<string>();
  readonly #api: RunningApi;
  readonly #answers: SlotAnswers;
  readonly #open = new Map<string, OpenDifference>();
  readonly #ended = { programs: new Set<string>(), users: new Set<string>() };
  /** The first answers that were wrong and unmarked, with what was known then. */
  readonly unnoticed: string[] = [];

  #polledTo = -POLLED_SLOTS;
  readonly #known: ReadonlySet<string>;

  /** `known`: paths that were served before the faults, so that they must not be missing later. */
  constructor(api: RunningApi, answers: SlotAnswers, known: readonly string[]) {
    this.#api = api;
    this.#known = new Set(known);
    this.#answers = answers;
  }

  /** Reads all paths once. Returns those whose answer is not right. */
  async read(paths: readonly string[]): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (const path of paths) {
      if (!(await this.#readOne(path))) wrong.push(path);
    }
    return wrong;
  }

  /** After the last read: whatever was wrong and unmarked has to be found somewhere. */
  finish(): void {
    const isFound = [...this.findings].some((each) => TELLING.test(each));
    const [first] = this.unnoticed;
    if (first !== undefined && !isFound) this.silent.push(`nothing in /status tells of: ${first}`);
  }

  async #readOne(path: string): Promise<boolean> {
    const response = await fetchText(this.#api, path);
    const slot = BigInt(response.headers.get('x-slot') ?? -1);
    const expected = await this.#answers.at(slot, path);
    if (expected.some(({ status, text }) => status === response.status && text === response.text)) {
      this.verdicts.right += 1;
      this.#open.delete(path);
      return true;
    }
    const status = await readMixStatus(this.#api);
    this.#notice(status);
    if (isRejected(response)) {
      this.verdicts.refused += 1;
      return false;
    }
    if (await this.#isMarked({ path, slot, response }, status)) {
      this.verdicts.marked += 1;
      this.#open.delete(path);
      return false;
    }
    this.verdicts.unnoticed += 1;
    const isNewer =
      /^\/(kvaults\/vaults|oracles)\//.test(path) &&
      (await this.#answers.isRightSince(slot, path, response.text));
    const age = isNewer ? ', but right at a later slot' : '';
    const description = `${path} at ${slot}${age}: ${describeDifference(response, expected[0])}`;
    if (this.unnoticed.length < MAX_UNNOTICED)
      this.unnoticed.push(`${description} (${listFindings(status).join('; ')})`);
    const open = this.#open.get(path) ?? { passes: this.#passes(), slot, description };
    this.#open.set(path, open);
    const isUnexplained = slot - open.slot > MAX_SLOTS && hasWorkingEndpoints(status);
    if ((isUnexplained || this.#isOverdue(open)) && this.silent.length < MAX_SILENT)
      this.silent.push(open.description);
    return false;
  }

  #passes(): PassCounts {
    const { programs, users } = this.#ended;
    return { programs: programs.size, users: users.size };
  }

  #isOverdue({ passes }: OpenDifference): boolean {
    const { programs, users } = this.#passes();
    return programs - passes.programs > MAX_PASSES && users - passes.users > MAX_PASSES;
  }

  async watch(): Promise<ServedStatus> {
    const status = await readMixStatus(this.#api);
    this.#notice(status);
    return status;
  }

  #notice(status: ServedStatus): void {
    for (const { accounts, lastEndedAt } of status.drift.passes)
      if (lastEndedAt !== null) this.#ended[accounts].add(lastEndedAt);
    if (status.source.step === 'polling' && status.slot !== null)
      this.#polledTo = BigInt(status.slot);
    for (const finding of listFindings(status)) this.findings.add(finding.replace(/\d{6,}/g, 'N'));
  }

  /**
   * While a server polls, `/status` says so: loans, stakes and shares are those of their last read, new ones are
   * missing, and (until a stream announces a complete slot) no account of a program is older than the slot that is named.
   */
  async #isMarked(
    { path, slot, response }: { path: string; slot: bigint; response: Response },
    { ready, source }: ServedStatus,
  ): Promise<boolean> {
    if (MARKS.some((name) => response.headers.has(name)) || !ready) return true;
    if (source.step !== 'polling' && slot > this.#polledTo + POLLED_SLOTS) return false;
    const isNew = path.startsWith('/klend/loans/') && !this.#known.has(path);
    if (!isOfOneProgramAccount(path)) return response.status === 200 || isNew;
    return this.#answers.isRightSince(slot, path, response.text);
  }
}

const isOfOneProgramAccount = (path: string): boolean => path.startsWith('/kvaults/vaults/');

async function fetchText({ url }: RunningApi, path: string): Promise<Response> {
  const { status, headers, ...response } = await fetch(`${url}${path}`).then(async (each) => ({
    status: each.status,
    headers: each.headers,
    text: await each.text(),
  }));
  return { status, headers, ...response };
}

const hasWorkingEndpoints = ({ endpoints }: ServedStatus): boolean =>
  endpoints.every(({ healthy, lastError }) => healthy && lastError === null);

/** It says why there is no answer. That something does not exist is an answer. */
const isRejected = ({ status, text }: Answer): boolean =>
  (status >= 500 || status === 429) && /"code":"\w+"/.test(text);

/** What stands around the first character that differs. */
export function describeDifference(actual: Answer, expected: Answer | undefined): string {
  if (expected === undefined) return `${actual.status} of a slot that the cluster has not reached`;
  if (actual.status !== expected.status)
    return `${actual.status} ${actual.text.slice(0, 160)} instead of ${expected.status}`;
  let at = 0;
  while (at < actual.text.length && actual.text[at] === expected.text[at]) at += 1;
  const part = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return `…${part(actual.text)}… instead of …${part(expected.text)}…`;
}
