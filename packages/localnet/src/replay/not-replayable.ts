import type { NotProvableReason } from './slot-proof.ts';

/** Thrown during the replay of a transaction whose outcome cannot be known. */
export class NotReplayable extends Error {
  override readonly name = 'NotReplayable';
  readonly reason: NotProvableReason;

  constructor(reason: NotProvableReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}
