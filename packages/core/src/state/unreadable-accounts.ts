import type { Address } from '../base/encoding/address.ts';
import type { Logger } from '../base/logger.ts';

/** Beyond this many the count goes on, the lines do not. */
const LOGGED = 1000;

type Facts = { readonly name: string; readonly reason: string };

/** Accounts that look like ones of ours and cannot be read: counted, and told once each. */
export class UnreadableAccounts {
  readonly #log: Logger;
  readonly #addresses = new Set<Address>();

  constructor(log: Logger) {
    this.#log = log;
  }

  get count(): number {
    return this.#addresses.size;
  }

  add(address: Address, { name, reason }: Facts): void {
    if (this.#addresses.has(address)) return;
    this.#addresses.add(address);
    if (this.#addresses.size > LOGGED) return;
    this.#log.warn({ address, account: name, reason }, 'account did not decode');
  }
}
