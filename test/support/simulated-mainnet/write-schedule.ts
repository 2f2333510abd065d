import { type Slot, toSlot } from '#core/base/time.ts';

/** How many accounts are written per slot, from a slot on. `firstWrite` is the number of the first write. */
type Period = { readonly slot: Slot; readonly firstWrite: number; readonly perSlot: number };

/** The newest write of an account: its slot, and how many times all accounts were written before. */
export type LastWrite = { readonly slot: Slot; readonly round: number };

/**
 * Which account is written in which slot. Accounts take turns, in a mixed order. Nothing is stored per account or slot,
 * so the accounts of any slot can be computed at any time.
 */
export class WriteSchedule {
  readonly #accounts: number;
  readonly #stride: number;
  readonly #inverse: number;
  #periods: readonly Period[];

  constructor(accounts: number, start: Slot) {
    this.#accounts = accounts;
    this.#stride = coprimeStride(accounts);
    this.#inverse = inverseOf(this.#stride, accounts);
    this.#periods = [{ slot: start, firstWrite: 0, perSlot: 0 }];
  }

  /** `slot`: the first one with the new rate. */
  setRate(slot: Slot, perSlot: number): void {
    this.#addPeriod({ slot, firstWrite: this.#writesBefore(slot), perSlot });
  }

  /** Undoes all slots after this one. What they wrote is not written again before its next turn. */
  rollBack(slot: Slot, newest: Slot): void {
    const next = toSlot(slot + 1n);
    const firstWrite = this.#writesBefore(toSlot(newest + 1n));
    const { perSlot } = this.#newest;
    const remaining = this.#periods.filter((period) => period.slot <= slot);
    this.#periods = [...remaining, { slot: next, firstWrite, perSlot }];
  }

  /** Nothing is written in a slot that does not exist. */
  skip(slot: Slot): void {
    const { perSlot } = this.#newest;
    this.setRate(slot, 0);
    this.setRate(toSlot(slot + 1n), perSlot);
  }

  /** Numbers of the accounts that are written in a slot. */
  *writtenIn(slot: Slot): Iterable<number> {
    const period = this.#periods.findLast((each) => each.slot <= slot);
    if (period === undefined) return;
    const first = period.firstWrite + Number(slot - period.slot) * period.perSlot;
    for (let write = first; write < first + period.perSlot; write++) {
      yield ((write % this.#accounts) * this.#stride) % this.#accounts;
    }
  }

  /** The newest write of an account up to a slot; undefined if there is none. */
  lastWrite(account: number, slot: Slot): LastWrite | undefined {
    const turn = (account * this.#inverse) % this.#accounts;
    const writes = this.#writesBefore(toSlot(slot + 1n));
    let round = Math.floor((writes - 1 - turn) / this.#accounts);
    for (; round >= 0; round--) {
      const found = this.#slotOf(turn + round * this.#accounts);
      if (found !== undefined && found <= slot) return { slot: found, round };
    }
    return undefined;
  }

  get #newest(): Period {
    const period = this.#periods.at(-1);
    if (period === undefined) throw new Error('a schedule has at least one period');
    return period;
  }

  #addPeriod(period: Period): void {
    this.#periods = [...this.#periods.filter(({ slot }) => slot < period.slot), period];
  }

  /** The number of the first write that comes after all slots before this one. */
  #writesBefore(slot: Slot): number {
    const period = this.#periods.findLast((each) => each.slot < slot);
    if (period === undefined) return 0;
    return period.firstWrite + Number(slot - period.slot) * period.perSlot;
  }

  /** Undefined if the write was undone. */
  #slotOf(write: number): Slot | undefined {
    const index = this.#periods.findLastIndex(({ firstWrite }) => firstWrite <= write);
    const period = this.#periods[index];
    if (period === undefined || period.perSlot === 0) return undefined;
    const slot = toSlot(
      period.slot + BigInt(Math.floor((write - period.firstWrite) / period.perSlot)),
    );
    const next = this.#periods[index + 1];
    return next === undefined || slot < next.slot ? slot : undefined;
  }
}

/** About 0.618 of the number, so that neighbours are far apart, without a common divisor, so that nobody is left out. */
function coprimeStride(count: number): number {
  let stride = Math.max(1, Math.floor(count * 0.618));
  while (greatestCommonDivisor(stride, count) !== 1) stride++;
  return stride;
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);

/** `value * inverse % modulus === 1` (extended Euclidean algorithm). */
function inverseOf(value: number, modulus: number): number {
  let [previous, rest] = [modulus, value % modulus];
  let [factorBefore, factor] = [0, 1];
  while (rest > 0) {
    const quotient = Math.floor(previous / rest);
    [previous, rest] = [rest, previous - quotient * rest];
    [factorBefore, factor] = [factor, factorBefore - quotient * factor];
  }
  return ((factorBefore % modulus) + modulus) % modulus;
}
