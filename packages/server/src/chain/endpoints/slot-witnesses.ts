import type { Logger, Slot } from '@tidegate/core/base';

export type SlotWitnessesOptions = {
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** Slots by which working sources may differ. */
  readonly maxLagSlots: bigint;
  readonly log: Logger;
};

/** An endpoint or a stream that says how far the cluster is. */
export type SlotWitness = {
  /**
   * Takes a slot that the source says it has reached. Returns why it is not believed; undefined if it is. `newestBefore`:
   * the newest believed slot when the request was sent, because a large response is old when it arrives.
   */
  report(slot: Slot, newestBefore?: Slot): string | undefined;
};

type Claim = {
  readonly name: string;
  /** The last report. */
  slot: Slot;
  at: number;
  /** A leap that is not believed: when it was claimed first, and its last slot. */
  leap: { readonly since: number; readonly slot: Slot; readonly at: number } | undefined;
};

/** What all sources together say. */
type Head = {
  readonly slot: Slot;
  readonly at: number;
  /** Slots that one source may be ahead without time that explains them. */
  readonly spare: bigint;
};

/** No cluster is faster for long, also not a test cluster. */
const FASTEST_SLOT_MS = 20;
/** Slots that may have passed since the last report of another source: a little faster than mainnet. */
const USUAL_SLOT_MS = 200;
/** Within this time a report counts as what the source says now. */
const FRESH_MS = 30_000;
/** A leap that nobody contradicts is believed after this time. */
const CONFIRM_MS = 60_000;
/** The newest slot is taken back if only lower ones were reported for this long. */
const TAKE_BACK_MS = 30_000;

/**
 * Decides which slot is the newest. A source alone cannot move it further than time explains: a leap needs a second
 * source that has reached it, or must last while no other source contradicts. Every report of a slot is also one of all
 * slots before, so until two sources agree the lower one decides.
 */
export class SlotWitnesses {
  readonly #options: SlotWitnessesOptions;
  readonly #claims = new Set<Claim>();
  #head: Head | undefined;
  /** Sources that have reached the head, since it was last moved by more than time. */
  #supporters = new Set<Claim>();
  #contradictedSince: number | undefined;
  /** Whether two sources agreed on the head, or one said it for long enough. */
  #isSettled = false;

  constructor(options: SlotWitnessesOptions) {
    this.#options = options;
  }

  /** The newest believed slot. */
  newestSlot(): Slot | undefined {
    return this.#head?.slot;
  }

  add(name: string): SlotWitness {
    let claim: Claim | undefined;
    return {
      report: (slot, newestBefore) => {
        const at = this.#options.now();
        claim ??= { name, slot, at, leap: undefined };
        this.#claims.add(claim);
        Object.assign(claim, { slot, at });
        return this.#judge(claim, newestBefore ?? this.#head?.slot);
      },
    };
  }

  #judge(claim: Claim, newestBefore: Slot | undefined): string | undefined {
    const { slot } = claim;
    if (this.#head === undefined) return this.#move(claim, [claim]);
    if (newestBefore !== undefined && this.#isBehind(slot, newestBefore)) {
      claim.leap = undefined;
      this.#contradict(claim);
      return undefined;
    }
    if (slot <= this.#head.slot) {
      claim.leap = undefined;
      if (!this.#isBehind(slot, this.#head.slot)) this.#support(claim);
      return undefined;
    }
    const spare = this.#spareAfter(this.#head, claim);
    if (spare >= 0n) {
      claim.leap = undefined;
      this.#head = { slot, at: claim.at, spare };
      this.#support(claim);
      return undefined;
    }
    return this.#judgeLeap(claim, this.#head);
  }

  #judgeLeap(claim: Claim, head: Head): string | undefined {
    const witness = this.#others(claim).find((other) => this.#hasReached(other, claim));
    if (witness !== undefined) return this.#move(claim, [claim, witness]);
    const { slot, at } = claim;
    const since = this.#continuesLeap(claim) ? (claim.leap?.since ?? at) : at;
    claim.leap = { since, slot, at };
    const isContradicted =
      this.#isSettled &&
      this.#others(claim).some((other) => !this.#isBehind(other.slot, head.slot));
    if (at - since >= CONFIRM_MS && !isContradicted) {
      this.#move(claim, [claim]);
      this.#isSettled = true;
      return undefined;
    }
    return `it is at slot ${slot}, which no other source has reached: the newest slot is ${head.slot}`;
  }

  #contradict(claim: Claim): void {
    const { now } = this.#options;
    this.#contradictedSince ??= now();
    const isFirstDispute = !this.#isSettled && !this.#supporters.has(claim);
    if (isFirstDispute || now() - this.#contradictedSince >= TAKE_BACK_MS) this.#takeBack();
  }

  #takeBack(): void {
    const head = this.#head;
    if (head === undefined) return;
    const lower = this.#fresh().filter(({ slot }) => this.#isBehind(slot, head.slot));
    const [highest] = lower.toSorted((a, b) => Number(b.slot - a.slot));
    if (highest === undefined) return;
    const agreeing = lower.filter(({ slot }) => !this.#isBehind(slot, highest.slot));
    this.#options.log.warn(
      { from: head.slot, to: highest.slot, sources: agreeing.map(({ name }) => name) },
      'the newest slot is taken back, because no source confirms it',
    );
    this.#move(highest, agreeing);
  }

  #move(claim: Claim, supporters: readonly Claim[]): undefined {
    const { slot, at } = claim;
    if (this.#head !== undefined && slot > this.#head.slot) {
      const sources = supporters.map(({ name }) => name);
      this.#options.log.info({ from: this.#head.slot, to: slot, sources }, 'the cluster leapt');
    }
    claim.leap = undefined;
    this.#head = { slot, at, spare: this.#options.maxLagSlots };
    this.#supporters = new Set(supporters);
    this.#isSettled = supporters.length > 1;
    this.#contradictedSince = undefined;
  }

  #support(claim: Claim): void {
    this.#contradictedSince = undefined;
    this.#supporters.add(claim);
    if (this.#supporters.size > 1) this.#isSettled = true;
  }

  /** Negative if the claim is a leap. */
  #spareAfter(head: Head, { slot, at }: Claim): bigint {
    const spare = head.spare + slotsIn(at - head.at, FASTEST_SLOT_MS) - (slot - head.slot);
    return spare > this.#options.maxLagSlots ? this.#options.maxLagSlots : spare;
  }

  #hasReached(other: Claim, { slot, at }: Claim): boolean {
    return other.slot + this.#options.maxLagSlots + slotsIn(at - other.at, USUAL_SLOT_MS) >= slot;
  }

  /** Whether the leap went on as a cluster does since it was last claimed. */
  #continuesLeap({ slot, at, leap }: Claim): boolean {
    if (leap === undefined || this.#isBehind(slot, leap.slot)) return false;
    return slot <= leap.slot + this.#options.maxLagSlots + slotsIn(at - leap.at, FASTEST_SLOT_MS);
  }

  #isBehind(slot: Slot, newest: Slot): boolean {
    return slot + this.#options.maxLagSlots < newest;
  }

  #others(claim: Claim): readonly Claim[] {
    return this.#fresh().filter((other) => other !== claim);
  }

  #fresh(): readonly Claim[] {
    const oldest = this.#options.now() - FRESH_MS;
    return [...this.#claims].filter(({ at }) => at >= oldest);
  }
}

const slotsIn = (ms: number, slotMs: number): bigint =>
  BigInt(Math.max(0, Math.floor(ms / slotMs)));
