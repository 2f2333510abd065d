import type { Address } from '../../../base/encoding/address.ts';
import { formatUnits } from '../../../base/numbers/decimal.ts';

/** What is known of a token: what people call it, and how it is counted. */
export type TokenLabel = {
  readonly unit: string;
  /** Undefined where amounts can only be told in smallest units. */
  readonly decimals: number | undefined;
  /** The program that keeps it; undefined where it may be either. */
  readonly tokenProgram: Address | undefined;
};

/** A token account. */
export type TokenAccountOwner = { readonly mint: Address; readonly owner: Address | undefined };

/** What the accounts of one transaction are called. What is said first stays: surer sources come first. */
export class AccountLabels {
  readonly #labels = new Map<Address, string>();
  readonly #tokens = new Map<Address, TokenLabel>();
  readonly #holdings = new Map<Address, TokenAccountOwner>();

  label(address: Address, label: string): void {
    if (!this.#labels.has(address)) this.#labels.set(address, label);
  }

  token(mint: Address, token: TokenLabel): void {
    if (!this.#tokens.has(mint)) this.#tokens.set(mint, token);
  }

  holding(address: Address, holding: TokenAccountOwner): void {
    if (!this.#holdings.has(address)) this.#holdings.set(address, holding);
  }

  labelOf(address: Address): string | undefined {
    return this.#labels.get(address);
  }

  tokenOf(mint: Address): TokenLabel | undefined {
    return this.#tokens.get(mint);
  }

  holdingOf(address: Address): TokenAccountOwner | undefined {
    return this.#holdings.get(address);
  }

  nameOf(address: Address): string {
    return this.#labels.get(address) ?? address;
  }

  unitOf(mint: Address | undefined): string {
    if (mint === undefined) return 'a token that is not known';
    return this.#tokens.get(mint)?.unit ?? `the token ${mint}`;
  }

  /** Exact. */
  amountOf(amount: bigint, mint: Address | undefined): string {
    const decimals = mint && this.#tokens.get(mint)?.decimals;
    return decimals === undefined
      ? `${amount} smallest units of ${this.unitOf(mint)}`
      : `${formatUnits(amount, decimals)} ${this.unitOf(mint)}`;
  }

  get mints(): readonly Address[] {
    return [...this.#tokens.keys()];
  }
}

/** Text that a stranger wrote on the chain, so that it can only be read as a name. */
export const quoteName = (text: string): string => `“${stripUnsafeCharacters(text)}”`;

/** Without what is not seen, turns the direction of writing, or ends the quotes. */
export const stripUnsafeCharacters = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}“”]/gu, '').trim();

/** For something without a name of its own. */
export const shortenAddress = (address: Address): string =>
  `${address.slice(0, 4)}…${address.slice(-4)}`;
