import type { Call } from '../instructions/decode-calls.ts';
import type { Reason, ReasonCode } from '../reasons.ts';

/** Collects the reasons against a transaction. */
export class Findings {
  readonly reasons: Reason[] = [];

  add(code: ReasonCode, message: string, call?: Pick<Call, 'index'>): void {
    this.reasons.push(
      call === undefined ? { code, message } : { code, message, instruction: call.index },
    );
  }
}
