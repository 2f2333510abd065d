import { ProgramFailure } from './transaction-errors.ts';

/** Counts down the compute units of a transaction. */
export class ComputeMeter {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  get left(): number {
    return this.#left;
  }

  consume(units: number): void {
    if (units > this.#left) {
      this.#left = 0;
      throw new OutOfUnits();
    }
    this.#left -= units;
  }
}

class OutOfUnits extends ProgramFailure {
  constructor() {
    super('ProgramFailedToComplete');
    this.message = 'exceeded CUs meter at BPF instruction';
  }
}
