import type { Slot } from '@tidegate/core/base';
import type { AccountKind } from '@tidegate/core/state';

/**
 * Why figures of a kind of accounts may differ from those of the program.
 *
 * - `unknownBytes`: bytes that the layout does not know are set.
 * - `unknownValue`: a field has a value that the layout does not know.
 * - `proofDiffers`: an observed transaction left other bytes than the operations of this server.
 * - `upgradedProgram`: the cluster runs a program that is not modelled.
 * - `stateDrift`: updates of such accounts were lost, and not all accounts have been compared with the chain since.
 * - `unconfirmedAbsence`: a node did not return an account, and no second read confirmed that it is closed.
 * - `lateUpdates`: an update arrived after its slot counted as complete, so that others may be missing.
 * - `sourcesDiffer`: endpoints return different accounts, or a wrong one was set aside and not all were compared since.
 * - `sumsDiffer`: the sum over all such accounts is not what the program counts, so that some may be missing or wrong.
 */
export type UnprovenReason = {
  readonly kind: AccountKind;
  readonly code:
    | 'unknownBytes'
    | 'unknownValue'
    | 'proofDiffers'
    | 'upgradedProgram'
    | 'stateDrift'
    | 'unconfirmedAbsence'
    | 'lateUpdates'
    | 'sourcesDiffer'
    | 'sumsDiffer';
  /** One sentence or less; names the account, the instruction, or how many accounts. */
  readonly detail: string;
  readonly since: Slot;
};

/** The read side. */
export type UnprovenKindsReader = {
  /** Sorted by kind; the same array until a reason changes. */
  reasons(): readonly UnprovenReason[];
  /** Increases with every change of the reasons. */
  version(): number;
};

/** The kinds of accounts whose figures are not proven, by what has found it. */
export class UnprovenKinds implements UnprovenKindsReader {
  readonly #sources = new Map<string, readonly UnprovenReason[]>();
  readonly #readFindings: (() => readonly UnprovenReason[]) | undefined;
  #findings: readonly UnprovenReason[] = [];
  #reasons: readonly UnprovenReason[] = [];
  #version = 0;

  /** `readFindings`: a further source, read with every call. It returns the same array until something changes. */
  constructor(readFindings?: () => readonly UnprovenReason[]) {
    this.#readFindings = readFindings;
  }

  /** Replaces all reasons of a source. */
  set(source: string, reasons: readonly UnprovenReason[]): void {
    if (isSame(this.#sources.get(source) ?? [], reasons)) return;
    this.#sources.set(source, reasons);
    this.#collect();
  }

  reasons(): readonly UnprovenReason[] {
    this.#refresh();
    return this.#reasons;
  }

  version(): number {
    this.#refresh();
    return this.#version;
  }

  #refresh(): void {
    const findings = this.#readFindings?.() ?? [];
    if (findings === this.#findings) return;
    const isUnchanged = isSame(findings, this.#findings);
    this.#findings = findings;
    if (!isUnchanged) this.#collect();
  }

  #collect(): void {
    this.#reasons = [...this.#findings, ...[...this.#sources.values()].flat()].sort(byKind);
    this.#version += 1;
  }
}

const byKind = (a: UnprovenReason, b: UnprovenReason): number =>
  a.kind === b.kind ? 0 : a.kind < b.kind ? -1 : 1;

const isSame = (before: readonly UnprovenReason[], after: readonly UnprovenReason[]): boolean =>
  before.length === after.length &&
  before.every((reason, index) => {
    const other = after[index];
    return (
      other?.kind === reason.kind &&
      other.code === reason.code &&
      other.detail === reason.detail &&
      other.since === reason.since
    );
  });
