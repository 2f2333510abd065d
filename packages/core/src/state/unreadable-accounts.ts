import type { Address } from '../base/encoding/address.ts';
import type { Logger } from '../base/logger.ts';

/** Further accounts are counted, but not logged. */
const LOGGED = 1000;

type DecodingFailure = { readonly name: string; readonly reason: string };

/** Counts accounts that match a stored type but cannot be decoded; logs each once. */
export class UnreadableAccounts {
  readonly #log: Logger;
  readonly #addresses = new Set<Address>();

  constructor(log: Logger) {
    this.#log = log;
  }

  get count(): number {
    return this.#addresses.size;
  }

  add(address: Address, { name, reason }: DecodingFailure): void {
    if (this.#addresses.has(address)) return;
    this.#addresses.add(address);
    if (this.#addresses.size > LOGGED) return;
    this.#log.warn({ address, account: name, reason }, 'account did not decode');
  }
}
