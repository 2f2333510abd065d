import { AbsenceCheck } from './absence-check.ts';
import { AccountAgreement } from './account-agreement.ts';
import { SlotClaims } from './slot-claims.ts';
import type { SourceDoubt } from './source-doubt.ts';

type SourceChecksOptions = ConstructorParameters<typeof AbsenceCheck>[0] &
  ConstructorParameters<typeof SlotClaims>[0];

/** Checks of what the source says: whether accounts are closed, whether slots are complete, and whether endpoints agree. */
export class SourceChecks {
  readonly absences: AbsenceCheck;
  readonly claims: SlotClaims;
  readonly agreement: AccountAgreement;
  #parts: readonly (readonly SourceDoubt[])[] = [];
  #doubts: readonly SourceDoubt[] = [];

  constructor(options: SourceChecksOptions) {
    this.absences = new AbsenceCheck(options);
    this.claims = new SlotClaims(options);
    this.agreement = new AccountAgreement(options);
  }

  status() {
    return {
      absences: this.absences.status(),
      claims: this.claims.status(),
      agreement: this.agreement.status(),
    };
  }

  /** Why state may differ from the cluster; the same array until that changes. */
  doubts(): readonly SourceDoubt[] {
    const parts = [this.absences.doubts(), this.claims.doubts(), this.agreement.doubts()];
    if (parts.some((part, i) => part !== this.#parts[i])) {
      this.#parts = parts;
      this.#doubts = parts.flat();
    }
    return this.#doubts;
  }
}
